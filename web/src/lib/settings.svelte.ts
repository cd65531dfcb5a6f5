/** What a player has chosen, kept on this device. */

export type Theme = "auto" | "light" | "dark";
export type Speed = "relaxed" | "brisk" | "instant";

interface Chosen {
  name: string;
  language: string | null;
  theme: Theme;
  speed: Speed;
  sound: boolean;
  /** Whether new situations are explained. */
  guide: boolean;
  /** Situations of the first-game guide that were explained already. */
  explained: string[];
  /** The table that was last played at, to come back to. */
  last: string | null;
}

const PLACE = "caramba";
const FIRST: Chosen = {
  name: "",
  language: null,
  theme: "auto",
  speed: "relaxed",
  sound: true,
  guide: true,
  explained: [],
  last: null,
};

function stored(): Partial<Chosen> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Chosen>;
  } catch {
    return {};
  }
}

/** What was stored may be of another version: what nobody could choose now is left out. */
function valid(found: Partial<Chosen>): Partial<Chosen> {
  const { theme = FIRST.theme, speed = FIRST.speed } = found;
  return {
    ...found,
    theme: ["auto", "light", "dark"].includes(theme) ? theme : FIRST.theme,
    speed: ["relaxed", "brisk", "instant"].includes(speed) ? speed : FIRST.speed,
  };
}

export const settings = $state<Chosen>({ ...FIRST, ...valid(stored()) });

/** Keep what was chosen; a browser that keeps nothing is no reason to stop. */
export function keepSettings(): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch {
    /* private browsing */
  }
}

const night = matchMedia("(prefers-color-scheme: dark)");

/** Colours for day or night. */
export function dress(): void {
  const dark = settings.theme === "dark" || (settings.theme === "auto" && night.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

night.addEventListener("change", dress);

/** The language to begin with: chosen before, or the one the device likes best of those that are spoken. */
export function firstLanguage(spoken: readonly string[]): string {
  const liked = [settings.language ?? "", ...navigator.languages.map((name) => name.split("-")[0] ?? "")];
  return liked.find((name) => spoken.includes(name)) ?? "en";
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How long a movement takes, in milliseconds, by its length in relaxed play. */
export function lasting(milliseconds: number): number {
  if (still.matches || settings.speed === "instant") return 0;
  return settings.speed === "brisk" ? milliseconds / 2 : milliseconds;
}
