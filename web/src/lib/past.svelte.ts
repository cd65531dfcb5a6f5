/** A game that is looked back at: where one is in it, and the ways to go on from there. */
import { gameOf } from "../games";
import type { Table, Told } from "../wire";
import * as api from "./api";
import { rename } from "./route.svelte";
import type { Scene } from "./scene";
import { settings } from "./settings.svelte";
import { Stage } from "./stage.svelte";
import { language } from "./words.svelte";

/** Milliseconds between one step and the next. */
const PACE = { relaxed: 1000, brisk: 500, instant: 350 };
/** So many steps are told of at a time. */
const PART = 200;

export class Past {
  table = $state.raw<Table | null>(null);
  /** The seat of whoever looks. */
  you = $state<number | null>(null);
  /** The step that is shown, and how many there are. */
  at = $state(0);
  steps = $state(0);
  /** Whether it goes on by itself. */
  isRunning = $state(false);
  trouble = $state("");
  private readonly stage = new Stage({
    playing: () => gameOf(this.table?.game ?? ""),
    you: () => null,
    shown: () => {},
  });
  /** What the last step brought, as far as it is shown. */
  readonly told = $derived(this.stage.log.filter((line) => line.step >= this.at - 1));
  /** The newest wish: answers to older ones that come late are not shown. */
  private wish = 0;
  /** Whether nobody looks any more. */
  private isClosed = false;

  constructor(readonly id: string) {}

  get log(): readonly Told[] {
    return this.stage.log;
  }

  get began(): number {
    return this.stage.began;
  }

  /** Ask for the part of the log before the one there is. */
  earlier(): Promise<void> {
    return this.stage.earlier(this.id);
  }

  /** The table as it was, where nothing can be done. */
  readonly scene = $derived.by<Scene | null>(() => {
    const { table, stage } = this;
    if (!table || !stage.view) return null;
    const seats = table.seats.map((seat) => ({ ...seat, here: true, away: false }));
    return {
      table: { ...table, status: "playing", seats },
      view: { ...stage.view, legal: [], actor: null },
      you: this.you,
      log: stage.log,
      windows: [],
      choices: [],
      busy: true,
      pending: null,
      unsent: null,
      deadline: null,
      refusal: null,
      coming: stage.coming,
      just: stage.just,
      past: this,
      act: () => {},
      ask: () => {},
      isRushed: false,
      rush: () => {},
      explain: () => {},
      hush: () => {},
    };
  });

  /** Begin at a step, or at the last where there are not so many; where none is named, with the first turn: before it
      there is little to be seen. */
  async open(step: number | null): Promise<void> {
    try {
      this.table = await api.table(this.id);
      await this.show(step ?? 0);
      if (step && this.trouble) await this.showLast(step);
      if (step === null && this.steps) await this.show(await this.firstTurn());
    } catch (error) {
      this.trouble = (error as Error).message;
    }
  }

  /** If there is no such step: a game may have become shorter since somebody shared it. */
  private async showLast(step: number): Promise<void> {
    const { of } = await api.replay(this.id, 0, "", language());
    if (of < step) await this.show(of);
  }

  private async firstTurn(): Promise<number> {
    const { events } = await api.log(this.id, Math.min(PART, this.steps), language());
    return this.begins(events)[0] ?? 0;
  }

  /** Nobody looks any more: answers that come late lead nowhere. */
  close(): void {
    this.isClosed = true;
    this.wish += 1;
  }

  /** Speak another language, at the same step. */
  async retell(): Promise<void> {
    this.stage.forget();
    await this.show(this.at);
  }

  /** Somebody chooses: it no longer goes on by itself. */
  turnTo(step: number): void {
    this.isRunning = false;
    void this.show(step);
  }

  /** To where the turn before this one began. */
  turnBack(): void {
    this.turnTo(this.begins(this.stage.log).findLast((step) => step < this.at) ?? Math.max(0, this.at - PART));
  }

  /** To where the next turn begins; where there is none, to the end. */
  async turnOn(): Promise<void> {
    const until = Math.min(this.at + PART, this.steps);
    try {
      const { events } = await api.log(this.id, until, language());
      this.turnTo(this.begins(events).find((step) => step > this.at) ?? until);
    } catch (error) {
      this.trouble = (error as Error).message;
    }
  }

  /** Show step after step, as long as that is wanted. */
  async run(isWanted: () => boolean): Promise<void> {
    while (isWanted() && this.at < this.steps) {
      await this.show(this.at + 1);
      await new Promise((resolve) => setTimeout(resolve, PACE[settings.speed]));
    }
    if (isWanted()) this.isRunning = false;
  }

  /** The steps after which a turn has begun. */
  private begins(told: readonly Told[]): number[] {
    const { turns } = gameOf(this.table?.game ?? "");
    return told.filter(({ kind }) => turns.includes(kind)).map(({ step }) => step + 1);
  }

  private async show(wanted: number): Promise<void> {
    if (this.isClosed) return;
    const mine = ++this.wish;
    try {
      const who = this.table?.status === "over" ? "everything=true" : "";
      const found = await api.replay(this.id, wanted, who, language());
      if (mine !== this.wish) return;
      [this.at, this.steps, this.you, this.trouble] = [found.steps, found.of, found.you, ""];
      rename(`/t/${this.id}/replay?step=${this.at}`);
      this.stage.finish();
      await this.play(found);
    } catch (error) {
      this.trouble = (error as Error).message;
      this.isRunning = false;
    }
  }

  /** The next step is played as it was at the table; any other is turned to. */
  private play(found: api.Replayed): Promise<void> {
    const since = this.stage.steps;
    if (found.steps !== since + 1) return this.stage.add(found, false);
    return this.stage.add({ ...found, same: since, since, events: found.events.filter((line) => line.step >= since) });
  }
}
