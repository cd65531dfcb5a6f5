/** Pieces travel on the screen from where they were to where they are.
 *
 * A piece is an element with `data-piece`, its identity. One that comes from nowhere starts at the
 * element with the `data-zone` that its `data-from` names, or fades in; one that goes nowhere flies
 * into the element whose `data-zone` its `data-into` names, or is gone. `data-delay` lets it wait;
 * what comes from one place without that leaves it piece by piece. What is `data-calm` does not
 * travel as long as it only makes room for others.
 */
import { untrack } from "svelte";
import { lasting } from "./settings.svelte";

/** Milliseconds of a flight in relaxed play. */
const FLIGHT = 320;
/** Between two pieces that come from one place. */
const APART = 140;

const moving = new Set<Promise<unknown>>();

/** Count something as movement: what happens next is shown after it. */
export function hold(movement: Promise<unknown>): void {
  const ended: Promise<unknown> = movement.catch(() => {}).then(() => moving.delete(ended));
  moving.add(ended);
}

/** Let a moment pass, by its length in relaxed play. */
export function moment(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lasting(milliseconds)));
}

/** When nothing moves any more. To be waited for by one at a time. */
export async function stillness(): Promise<void> {
  while (moving.size) {
    await new Promise<void>((resolve) => {
      wake = resolve;
      void Promise.all(moving).then(() => resolve());
    });
  }
}

let wake = (): void => {};

/** Wait no longer for what moves now. */
export function skip(): void {
  moving.clear();
  wake();
}

interface Spot {
  node: HTMLElement;
  box: DOMRect;
}

type Spots = Map<string, Spot>;

/** Let the pieces inside an element travel whenever what is watched changes. To be called once, by a component. */
export function travelling(root: () => HTMLElement | undefined, watched: () => unknown): void {
  let before: Spots = new Map();
  let place: DOMRect | undefined;
  $effect.pre(() => {
    watched();
    const node = untrack(root);
    place = node?.getBoundingClientRect();
    before = node && lasting(FLIGHT) ? spots(node) : new Map();
  });
  $effect(() => {
    watched();
    const node = root();
    if (node && place && before.size && lasting(FLIGHT)) fly(node, carried(before, place, node));
  });
}

/** Where pieces would be if all of them had only gone along with the table: something may have come above it. */
function carried(before: Spots, from: DOMRect, root: HTMLElement): Spots {
  const to = root.getBoundingClientRect();
  if (to.x === from.x && to.y === from.y) return before;
  const along = ({ x, y, width, height }: DOMRect) => new DOMRect(x + to.x - from.x, y + to.y - from.y, width, height);
  return new Map([...before].map(([piece, { node, box }]) => [piece, { node, box: along(box) }]));
}

function spots(root: HTMLElement): Spots {
  const pieces = root.querySelectorAll<HTMLElement>("[data-piece]");
  return new Map([...pieces].map((node) => [node.dataset.piece!, { node, box: node.getBoundingClientRect() }]));
}

function fly(root: HTMLElement, before: Spots): void {
  land();
  const now = spots(root);
  const zone = (name: string | undefined) =>
    name === undefined ? undefined : root.querySelector(`[data-zone="${name}"]`)?.getBoundingClientRect();
  const left = new Map<string, number>();
  for (const [piece, { node, box }] of now) {
    if (node.dataset.calm !== undefined && before.get(piece)?.node === node) continue;
    const from = before.get(piece)?.box ?? zone(node.dataset.from);
    const wait = from && !before.has(piece) ? APART * next(left, node.dataset.from!) : 0;
    if (!from) start(node, [{ opacity: 0 }, { opacity: 1 }]);
    else if (Math.abs(from.x - box.x) + Math.abs(from.y - box.y) > 2)
      start(node, [away(from, box), { transform: "none" }], wait);
  }
  for (const [piece, { node, box }] of before) {
    const target = now.has(piece) ? undefined : zone(node.dataset.into);
    if (target) sendGhost(node, box, target);
  }
}

/** How many have left a place before. */
function next(left: Map<string, number>, place: string): number {
  const many = left.get(place) ?? 0;
  left.set(place, many + 1);
  return many;
}

/** How one box is to be moved and scaled to lie on another. */
function away(there: DOMRect, here: DOMRect): Keyframe {
  const x = there.x + there.width / 2 - here.x - here.width / 2;
  const y = there.y + there.height / 2 - here.y - here.height / 2;
  const scale = here.width ? there.width / here.width : 1;
  return { transform: `translate(${x}px, ${y}px) scale(${scale})` };
}

function start(node: HTMLElement, frames: Keyframe[], wait = 0): void {
  const timing = { duration: lasting(FLIGHT), delay: lasting(Number(node.dataset.delay ?? wait)) };
  const animation = node.animate(frames, {
    ...timing,
    easing: "cubic-bezier(0.3, 0.1, 0.2, 1)",
    fill: "backwards",
  });
  hold(lifted(node, animation));
}

/** By piece: the flight it is on. */
const flights = new Map<HTMLElement, Animation>();

/** Where something is on its way to is seen only when it does not move; and two flights of one piece are one too many. */
function land(): void {
  for (const flight of flights.values()) flight.cancel();
}

/** What flies lies above all else until it has landed. That is no part of its frames: what moves by nothing but its
 * transform is moved by the compositor, and the page is not laid out and painted for every frame. */
async function lifted(node: HTMLElement, flight: Animation): Promise<void> {
  flights.set(node, flight);
  node.style.zIndex = "20";
  await flight.finished.catch(() => {});
  flight.cancel(); // one that has ended and is still there keeps the next from the compositor
  if (flights.get(node) !== flight) return;
  flights.delete(node);
  node.style.zIndex = "";
}

/** An element that is no longer part of the table flies once more. */
function sendGhost(node: HTMLElement, box: DOMRect, target: DOMRect): void {
  const { x, y, width, height } = box;
  Object.assign(node.style, {
    position: "fixed",
    margin: "0",
    left: `${x}px`,
    top: `${y}px`,
    width: `${width}px`,
    height: `${height}px`,
    zIndex: "20",
    pointerEvents: "none",
  });
  node.removeAttribute("data-piece");
  node.setAttribute("aria-hidden", "true");
  node.inert = true;
  document.body.append(node);
  const animation = node.animate([{ transform: "none" }, { ...away(target, box), opacity: 0.6 }], {
    duration: lasting(FLIGHT),
    delay: lasting(Number(node.dataset.delay ?? 0)),
    easing: "ease-in",
    fill: "forwards",
  });
  const gone = () => node.remove();
  hold(animation.finished.then(gone, gone));
}
