/** Hand a link on: by the device's own way where it has one, else by the clipboard. */
export async function share(url: string): Promise<boolean> {
  if (navigator.share) {
    await navigator.share({ title: "Caramba!", url }).catch(() => {});
    return false;
  }
  try {
    await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return copyByHand(url); // there is no clipboard on plain http, as in a network at home
  }
}

function copyByHand(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
