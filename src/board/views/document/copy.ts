import { words } from "../../language.ts";
import { announce } from "../../notices.ts";

/** Browsers offer the clipboard only over HTTPS and on this machine, and may refuse. */
export async function copy(text: string): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied === true || copyBySelection(text)) announce(words.document.copied(text));
  else announce(words.document.notCopied(text), true);
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
