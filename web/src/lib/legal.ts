/** The legal actions of a view, found by what they do. */
import type { Action, News, View } from "../wire";

export interface Choice extends Action {
  /** In words. */
  phrase: string;
  /** What is certain to come of it, where that is worth knowing. */
  brings: Readonly<Record<string, unknown>>;
}

/** Every legal action with its words, and what it brings. */
export function choices(view: View | null, { phrases, brings }: Pick<News, "phrases" | "brings">): Choice[] {
  return (view?.legal ?? []).map((action, at) => ({
    ...action,
    phrase: phrases[at] ?? action.text,
    brings: brings[at] ?? {},
  }));
}

/** Those that do one thing. */
export function doing(all: readonly Choice[], what: string): Choice[] {
  return all.filter((choice) => choice.form.do === what);
}

/** The one that does this with that. */
export function the(all: readonly Choice[], what: string, part?: string, value?: string | number): Choice | undefined {
  return all.find((choice) => choice.form.do === what && (part === undefined || choice.form[part] === value));
}
