/** Where the page is: real addresses, so that links can be shared. */

const state = $state({ path: location.pathname, search: location.search });

addEventListener("popstate", () => read());

function read(): void {
  state.path = location.pathname;
  state.search = location.search;
}

/** Go to another place of this page. */
export function go(path: string): void {
  history.pushState(null, "", path);
  read();
  scrollTo(0, 0);
}

/** Name what is shown now, without going anywhere. */
export function rename(path: string): void {
  history.replaceState(null, "", path);
  read();
}

export type Route =
  | { page: "home" }
  | { page: "nowhere" }
  | { page: "table"; id: string }
  | { page: "replay"; id: string; step: number | null }
  | { page: "rules"; game: string; rule: string | null };

/** What is to be shown. */
export function route(): Route {
  const [first, second, third] = state.path.split("/").filter(Boolean);
  const query = new URLSearchParams(state.search);
  if (first === "t" && second && third === "replay") {
    const step = query.get("step");
    return { page: "replay", id: second, step: step === null ? null : Number(step) };
  }
  if (first === "t" && second) return { page: "table", id: second };
  if (first === "rules" && second) return { page: "rules", game: second, rule: query.get("rule") };
  return !second && (!first || ["t", "rules"].includes(first)) ? { page: "home" } : { page: "nowhere" };
}

/** For links: a click stays on this page, unless it is meant for another tab. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const plain = !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || link.target || link.origin !== location.origin || link.pathname.startsWith("/api")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
