/** Whether somebody uses the keyboard rather than a pointer. */
let keyboard = false;

addEventListener("keydown", () => (keyboard = true), true);
addEventListener("pointerdown", () => (keyboard = false), true);

export function byKeyboard(): boolean {
  return keyboard;
}

/** So many choices have a digit. */
const DIGITS = 9;

/**
 * Give the buttons inside an element a digit each, as `data-key`, whenever buttons come and go; those before them are
 * taken by what is answered elsewhere.
 */
export function numbered(taken: number): (node: HTMLElement) => () => void {
  return (node) => {
    const number = (): void => {
      for (const [at, button] of [...node.querySelectorAll("button")].entries()) {
        if (taken + at < DIGITS) button.dataset.key = `${taken + at + 1}`;
        else delete button.dataset.key;
      }
    };
    const changed = new MutationObserver(number);
    changed.observe(node, { childList: true, subtree: true });
    number();
    return () => changed.disconnect();
  };
}
