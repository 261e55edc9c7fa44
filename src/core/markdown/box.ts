/** `[ ]`, `[x]`, `[/]`, `[✅]`: any one character in brackets, for a regular expression with the flag `u`. */
export const BOX = "\\[[^[\\]\\r\\n]\\uFE0F?\\]";
const AT_START = new RegExp(`^${BOX}(?:[ \\t]|$)`, "u");
const IN_LISTS = new RegExp(`^(\\s*(?:[-*+]|\\d+[.)]) )${BOX}`, "gmu");
const TICKS = "xX✓✔☑✅";
/** What is dropped counts neither as open nor as done. */
const DROPPED = "-~";

/** A box at the start of the content of a list item. */
export interface Mark {
  mark: string;
  isDone: boolean;
  isDropped: boolean;
  /** With the brackets and the space behind them. */
  length: number;
}

export function boxAt(content: string): Mark | null {
  const [box] = AT_START.exec(content) ?? [];
  if (box === undefined) return null;
  const mark = box.slice(1, box.indexOf("]"));
  const [sign = ""] = mark.normalize("NFKC");
  return { mark, isDone: TICKS.includes(sign), isDropped: DROPPED.includes(sign), length: box.length };
}

/** A text whose boxes are all open. */
export function withoutTicks(text: string): string {
  return text.replace(IN_LISTS, "$1[ ]");
}
