import { say, words } from "../../language.ts";
import { announce } from "../../notices.ts";

/** Browsers offer the clipboard only over HTTPS and on this machine, and may refuse. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(say(words.document.copied, { text }));
  } catch {
    announce(say(words.document.notCopied, { text }), true);
  }
}
