import { styleText } from "node:util";
import type { Terminal } from "./command.ts";

type Format = Parameters<typeof styleText>[0];

/** Styles a text on a terminal that shows colours, and gives it back as it is elsewhere. */
export type Paint = (format: Format, text: string) => string;

export function painter({ colors }: Pick<Terminal, "colors">): Paint {
  // Whether the terminal shows colours is known already: the check of styleText itself looks at another stream.
  return (format, text) => (colors && text !== "" ? styleText(format, text) : text);
}

/** Text from a file on one line: a note must not move the cursor or colour the terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Text from a file, its lines kept; other control characters would be obeyed by a terminal. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `1 task`, `2 tasks` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export { quoted } from "../lib/shell.ts";
