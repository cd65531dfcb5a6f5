/** The words of the page: English in the code, other languages from the server's one catalogue. */

type Catalogue = Record<string, string | string[]>;

const state = $state<{ language: string; catalogue: Catalogue }>({ language: "en", catalogue: {} });

/** The language that is spoken now. */
export function language(): string {
  return state.language;
}

/** Speak another language; the old one stays if the new one cannot be had. */
export async function speak(wanted: string): Promise<void> {
  if (wanted === state.language) return;
  const answer = wanted === "en" ? null : await fetch(`/api/words/${wanted}`).catch(() => undefined);
  if (answer === undefined || (answer && !answer.ok)) return;
  state.catalogue = answer ? ((await answer.json()) as Catalogue) : {};
  state.language = wanted;
  document.documentElement.lang = wanted;
}

/** What a language calls itself. */
export function ownName(of: string): string {
  const name = new Intl.DisplayNames(of, { type: "language" }).of(of) ?? of;
  return name.charAt(0).toLocaleUpperCase(of) + name.slice(1);
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
  return fill(forms[form(n, forms.length)] ?? many, { n: number(n), ...gaps });
}

/** What a language makes of numbers: dear to make, and asked for at every step. */
interface Grammar {
  plural: Intl.PluralRules;
  /** Its plural categories, in the order of a catalogue. */
  categories: string[];
  number: Intl.NumberFormat;
  percent: Intl.NumberFormat;
}

const grammars = new Map<string, Grammar>();

function grammar(): Grammar {
  const { language } = state;
  const known = grammars.get(language) ?? newGrammar(language);
  grammars.set(language, known);
  return known;
}

function newGrammar(language: string): Grammar {
  const plural = new Intl.PluralRules(language);
  const used = plural.resolvedOptions().pluralCategories as string[];
  return {
    plural,
    categories: CATEGORIES.filter((category) => used.includes(category)),
    number: new Intl.NumberFormat(language),
    percent: new Intl.NumberFormat(language, { style: "percent" }),
  };
}

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** Which of so many plural forms a number takes: catalogues list them in the order of their categories. */
function form(n: number, many: number): number {
  const { plural, categories } = grammar();
  return Math.min(categories.indexOf(plural.select(n)), many - 1);
}

/** A number as people write it. */
export function number(n: number): string {
  return grammar().number.format(n);
}

/** A share of the whole as people write it; a very small one is not nothing. */
export function percent(share: number): string {
  const { percent } = grammar();
  return share > 0 && share < 0.005 ? `<${percent.format(0.01)}` : percent.format(share);
}

/** What the server gives as a reason, as it stands by itself. */
export function sentence(reason: string): string {
  return reason.charAt(0).toLocaleUpperCase(language()) + reason.slice(1) + (/[.!?…]$/.test(reason) ? "" : ".");
}

export function fill(text: string, gaps: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}
