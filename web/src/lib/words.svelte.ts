/** The words of the page: English in the code, other languages from the server's one catalogue. */

type Catalogue = Record<string, string | string[]>;

const state = $state<{ language: string; catalogue: Catalogue }>({ language: "en", catalogue: {} });

/** The language that is spoken now. */
export function language(): string {
  return state.language;
}

/** Speak another language; the old one stays if the new one cannot be had. */
export async function speak(wanted: string): Promise<void> {
  const answer = wanted === "en" ? null : await fetch(`/api/words/${wanted}`);
  if (answer && !answer.ok) return;
  state.catalogue = answer ? ((await answer.json()) as Catalogue) : {};
  state.language = wanted;
  document.documentElement.lang = wanted;
}

/** A text in the language of the page, with its gaps filled in. */
export function say(text: string, gaps: Record<string, string | number> = {}): string {
  const found = state.catalogue[text];
  return fill(typeof found === "string" ? found : text, gaps);
}

/** The same for a number of things; `n` is a gap. */
export function count(one: string, many: string, n: number, gaps: Record<string, string | number> = {}): string {
  const found = state.catalogue[one];
  const forms = Array.isArray(found) ? found : [one, many];
  const single = state.language === "fr" ? n < 2 : n === 1;
  return fill((single ? forms[0] : forms[1]) ?? many, { n: number(n), ...gaps });
}

/** A number as people write it. */
export function number(n: number): string {
  return new Intl.NumberFormat(state.language).format(n);
}

export function fill(text: string, gaps: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}
