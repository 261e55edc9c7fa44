import { styleText } from "node:util";
import { escapeJson, escapeLine, escapeUnseen } from "../lib/escape.ts";
import { quoted as shellWord } from "../lib/shell.ts";
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
  return escapeLine(text, Number.POSITIVE_INFINITY);
}

export { escapeText as printable } from "../lib/escape.ts";

export function asJson(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, null, 2)}\n`);
}

/** A word to type into a shell; what cannot be seen is written as bash and zsh read it: `$'a\u202eb'`. */
export function quoted(word: string): string {
  const literal = word.replace(/['\\]/g, "\\$&");
  if (escapeUnseen(word) === word) return shellWord(word);
  return `$'${escapeUnseen(literal, shellEscape)}'`;
}

function shellEscape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
