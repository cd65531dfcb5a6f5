/** News is shown beat by beat: what is drawn may be a step on the way to the view that was told. */
import { untrack } from "svelte";
import { hold, moment } from "../../lib/motion.svelte";
import { retold, type Scene } from "../../lib/scene";
import { lasting } from "../../lib/settings.svelte";
import type { News, Told } from "../../wire";
import type { AuctionView } from "./view";
import { after, beats } from "./steps";

interface Staged {
  news: News;
  view: AuctionView;
  told: readonly Told[];
  /** The good that is being settled, and those that are settled, by what was told of each. */
  settling: string | null;
  verdicts: Readonly<Record<string, Told>>;
  settled: readonly string[];
}

export interface Stage {
  /** What is being shown; null when the table stands as it was told. */
  readonly playing: Staged | null;
  /** The scene as it is shown now. */
  readonly scene: Scene<AuctionView>;
}

/** Play every piece of news that comes. To be called once, by a component. */
export function staging(told: () => Scene<AuctionView>): Stage {
  let staged = $state.raw<Staged | null>(null);
  const playing = $derived(staged && staged.news === told().coming ? staged : null);

  $effect(() => {
    const news = told().coming;
    if (news) untrack(() => hold(play(news)));
  });

  async function play(news: News): Promise<void> {
    const { log, view } = told();
    const takenBack = log.some(({ step }) => step >= news.since);
    if (takenBack || !lasting(1)) return;
    let now: Staged = { news, view: { ...view, actor: null }, told: [], settling: null, verdicts: {}, settled: [] };
    const all = beats(news.events);
    for (const beat of all) {
      const { good } = beat;
      const verdicts = good ? { ...now.verdicts, [good]: beat.told[0]! } : now.verdicts;
      staged = now = { ...now, told: [...now.told, ...beat.told], settling: good, verdicts };
      await moment(beat.before);
      // The last step is the one that was told.
      if (beat === all.at(-1) || told().coming !== news) return;
      const settled = good ? [...now.settled, good] : now.settled;
      staged = now = { ...now, view: beat.told.reduce(after, now.view), settled };
      await moment(beat.pause);
    }
  }

  const scene = retold(told, {
    get view() {
      return playing?.view ?? told().view;
    },
    get log() {
      return playing ? [...told().log, ...playing.told] : told().log;
    },
    get choices() {
      return playing ? [] : told().choices;
    },
    get coming() {
      return playing ? null : told().coming;
    },
  });

  return {
    get playing() {
      return playing;
    },
    scene,
  };
}
