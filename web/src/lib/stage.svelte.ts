/** A game as it is shown: news is played thing by thing, whether it comes from a table or from looking back. */
import { tick } from "svelte";
import type { Playing } from "../games/game";
import type { News, Told, View } from "../wire";
import * as api from "./api";
import { choices } from "./legal";
import { kept, parts } from "./moments";
import { hold, moment, skip, stillness } from "./motion.svelte";
import { lasting } from "./settings.svelte";
import { play, soundOf } from "./sound";
import { language } from "./words.svelte";

/** So many pieces of news behind, nobody wants to see each. */
const BACKLOG = 4;

/** Milliseconds after another sound in which the chime for one's turn is heard for itself. */
const CHIME = 350;

/** Fewer steps than any news tell of. */
const NOTHING = -1;

export interface Audience {
  /** How the game is played before them. */
  playing(): Playing;
  you(): number | null;
  /** A part of the news is shown now; the last one tells what may be done, and of the table. */
  shown(part: News): void;
}

export class Stage {
  view = $state.raw<View | null>(null);
  log = $state.raw<Told[]>([]);
  /** The step with which the log begins: what was before that can be asked for. */
  began = $state(0);
  /** How many steps have been told of. */
  steps = NOTHING;
  /** The part of the news whose view is shown next. */
  coming = $state.raw<News | null>(null);
  /** What is told of the news that is being played, up to what is coming. */
  just = $state.raw<Told[]>([]);
  private shown = $state.raw<Pick<News, "phrases" | "brings">>({ phrases: [], brings: [] });
  readonly choices = $derived(choices(this.view, this.shown));
  /** News that has come and is not played yet, and what is left of the one that is. */
  private queue = $state.raw<{ news: News; isFollowed: boolean }[]>([]);
  private left = $state.raw<News[]>([]);
  /** Whether there is more to be shown: nobody answers to what is past. */
  readonly busy = $derived(this.coming !== null || this.left.length > 0 || this.queue.length > 0);
  private played = Promise.resolve();
  private isPlaying = false;
  private isHurried = false;
  /** Whether nothing is played until I am asked. */
  isRushed = $state(false);
  /** Whether it was my turn when the table last stood still. */
  private wasMine = false;

  constructor(private readonly audience: Audience) {}

  /** Whether the log can go on where it is; else it begins anew with the next news. */
  get canFollow(): boolean {
    return this.steps > NOTHING && this.view !== null;
  }

  /** What was told is of no use any more, such as in another language. */
  forget(): void {
    this.steps = NOTHING;
  }

  /** Ask a table for the part of its log before the one there is. */
  async earlier(id: string): Promise<void> {
    const [until, spoken] = [this.began, language()];
    const { since, events } = await api.log(id, until, spoken);
    if (until !== this.began || spoken !== language()) return; // it is not the same log any more
    this.log = [...events, ...this.log];
    this.began = since;
  }

  /** Show news after all that has come before; until nothing moves any more. What was missed is not played. */
  add(news: News, isFollowed = true): Promise<void> {
    this.queue = [...this.queue, { news, isFollowed }];
    if (!this.isPlaying) this.played = this.playAll();
    return this.played;
  }

  /** Show at once what is being played: somebody wants to go on. */
  finish(): void {
    this.isHurried = true;
    skip();
  }

  /** Show at once all that comes until I am asked, or the game is over: I have no part in it. */
  rush(): void {
    this.isRushed = true;
    this.finish();
  }

  private async playAll(): Promise<void> {
    this.isPlaying = true;
    for (let first = this.queue[0]; first; first = this.queue[0]) {
      const isFollowed = first.isFollowed && this.view !== null && this.queue.length <= BACKLOG;
      this.begin(first.news, isFollowed);
      while (isFollowed && this.left.length && !this.isTooSlow()) await this.perform();
      for (const part of this.left) this.show(part);
      this.left = this.just = [];
      if (!this.queue.length) this.chime();
    }
    this.isPlaying = false;
  }

  /** Forget what was taken back, which is not played; after a gap the log begins anew. */
  private begin(news: News, isFollowed: boolean): void {
    const { same, since, steps } = news;
    const isGap = since > Math.min(same, this.steps);
    const isPlayed = isFollowed && since === this.steps && this.audience.playing().pace && lasting(1);
    this.left = isPlayed ? parts(news) : [news];
    this.queue = this.queue.slice(1);
    this.log = isGap ? [] : this.log.filter((told) => told.step < since);
    this.began = isGap ? since : Math.min(this.began, since);
    this.steps = steps;
    this.isHurried = false;
  }

  private isTooSlow(): boolean {
    return this.isHurried || this.isRushed || this.queue.length >= BACKLOG || document.hidden;
  }

  /** Play the next part, as long as it takes to follow it. */
  private async perform(): Promise<void> {
    const [told, ...others] = this.left as [News, ...News[]];
    const part = { ...told, view: kept(this.view, told.view) };
    const { before, after = 0 } = this.audience.playing().pace?.[part.events[0]?.kind ?? ""] ?? {};
    this.just = [...this.just, ...part.events];
    this.left = others;
    // What is not looked forward to is drawn once.
    if (before !== undefined) {
      this.coming = part;
      await this.wait(before);
    }
    this.show(part);
    this.sound(part);
    await this.wait(after);
  }

  private async wait(milliseconds: number): Promise<void> {
    if (milliseconds && !this.isHurried) hold(moment(milliseconds));
    await tick();
    await stillness();
  }

  private show(part: News): void {
    this.log = [...this.log, ...part.events];
    this.view = kept(this.view, part.view);
    this.shown = part;
    this.coming = null;
    this.audience.shown(part);
  }

  private sound({ events }: News): void {
    const kinds = events.map((told) => told.kind);
    const sound = soundOf(kinds, this.audience.playing().sounds);
    if (sound) play(sound);
  }

  /** After all that happened, and once, it is heard that it is my turn. */
  private chime(): void {
    const actor = this.view?.actor ?? null;
    const isMine = actor !== null && actor === this.audience.you();
    if (isMine && !this.wasMine) setTimeout(() => play("turn"), CHIME);
    this.wasMine = isMine;
    if (isMine || this.view?.result) this.isRushed = false;
  }
}
