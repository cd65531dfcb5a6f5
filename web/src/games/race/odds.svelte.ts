/** The exact odds of a turn, as the server works them out: asked for once, while nothing changes. */
import * as api from "../../lib/api";
import type { RaceView } from "./view";

/** Where a turn ends that leads into the mine. */
export const MINE = 0;

export interface Odds {
  dice: number;
  /** By space, or MINE: the chance that the turn ends there. */
  ends: Record<number, number>;
  /** How far it goes on average, if not into the mine. */
  ahead: number;
  /** The silver that the mover is expected to gain; without the price of dice. */
  gain: number;
}

export class AskedOdds {
  /** Of each number of dice that is being decided about; nothing while they are not known. */
  all = $state.raw<readonly Odds[]>([]);
  /** Why they are not known. */
  trouble = $state("");
  /** The table that was asked about. */
  private about: RaceView | null = null;

  async ask(table: string, view: RaceView): Promise<void> {
    if (view === this.about) return;
    this.about = view;
    this.all = [];
    this.trouble = "";
    try {
      const { odds } = await api.odds(table);
      if (view === this.about) this.all = odds as Odds[];
    } catch (error) {
      if (view === this.about) this.fail(error as Error);
    }
  }

  /** After that, they can be asked for once more. */
  private fail({ message }: Error): void {
    this.trouble = message;
    this.about = null;
  }
}
