/** Whether somebody uses the keyboard rather than a pointer. */
let keyboard = false;

addEventListener("keydown", () => (keyboard = true), true);
addEventListener("pointerdown", () => (keyboard = false), true);

export function byKeyboard(): boolean {
  return keyboard;
}
