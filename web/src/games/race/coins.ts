/** Silver on its way from purse to purse, or into the pot. */
import { hold } from "../../lib/motion.svelte";
import { lasting } from "../../lib/settings.svelte";
import type { Payment } from "./script";

const FLIGHT = 340;
const GAP = 50;
const MOST = 5;

/** Let coins fly inside a table; `data-mint` marks the coins to copy, `data-zone` where purses and pot are. */
export function flyCoins(root: HTMLElement, { from, to, silver }: Payment): void {
  if (!lasting(FLIGHT)) return;
  const start = zone(root, from);
  const end = zone(root, to);
  const coin = root.querySelector<HTMLElement>(`[data-mint="${silver >= 10 ? "gold" : "silver"}"]`);
  if (!start || !end || !coin) return;
  for (let n = 0; n < Math.min(silver, MOST); n++) fly(coin, start, end, n);
}

function zone(root: HTMLElement, name: number | "pot"): DOMRect | undefined {
  return root.querySelector(`[data-zone="${name === "pot" ? "pot" : `purse ${name}`}"]`)?.getBoundingClientRect();
}

function fly(coin: HTMLElement, start: DOMRect, end: DOMRect, n: number): void {
  const node = coin.cloneNode(true) as HTMLElement;
  node.removeAttribute("data-mint");
  const [x, y] = [start.x + start.width / 2 - 11, start.y + start.height / 2 - 11];
  const [dx, dy] = [end.x + end.width / 2 - 11 - x, end.y + end.height / 2 - 11 - y];
  Object.assign(node.style, {
    position: "fixed",
    left: `${x}px`,
    top: `${y}px`,
    display: "block",
    zIndex: "30",
    pointerEvents: "none",
  });
  document.body.append(node);
  const gone = (): void => node.remove();
  const frames = [
    { transform: "none" },
    { transform: `translate(${dx / 2}px, ${dy / 2 - 26 - n * 3}px) rotate(160deg) scale(1.25)` },
    { transform: `translate(${dx}px, ${dy}px) rotate(360deg)` },
  ];
  const timing = { duration: lasting(FLIGHT), delay: lasting(n * GAP), easing: "ease-in-out", fill: "both" } as const;
  hold(node.animate(frames, timing).finished.then(gone, gone));
}
