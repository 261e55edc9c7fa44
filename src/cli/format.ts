import { styleText } from "node:util";
import { escapeJson, escapeLine, escapeUnseen, quoteForShell } from "../lib/escape.ts";
import type { CommandContext } from "./command.ts";

type Format = Parameters<typeof styleText>[0];

/** Styles a text on a terminal that shows colours, and leaves it unchanged elsewhere. */
export type Paint = (format: Format, text: string) => string;

export function painter({ terminal: { stdout } }: CommandContext): Paint {
  return (format, text) => (text === "" ? text : styleText(format, text, { stream: stdout }));
}

/** Prints an answer: as JSON with `--json`, else as text for people. */
export function print({ options, terminal }: CommandContext, answer: unknown, text: string): void {
  terminal.stdout.write(options.has("json") ? asJson(answer) : text);
}

export function asJson(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, null, 2)}\n`);
}

/** Text from a file on one line: a note must not move the cursor or colour the terminal. */
export function oneLine(text: string): string {
  return escapeLine(text, Number.POSITIVE_INFINITY);
}

export { escapeText as printable } from "../lib/escape.ts";

/** A word to type into a shell; invisible characters are written as bash and zsh read them: `$'a\u202eb'`. */
export function quoted(word: string): string {
  const literal = word.replace(/['\\]/g, "\\$&");
  if (escapeUnseen(word) === word) return quoteForShell(word);
  return `$'${escapeUnseen(literal, shellEscape)}'`;
}

function shellEscape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
