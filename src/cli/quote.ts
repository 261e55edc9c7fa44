import { escapeUnseen, quoteForShell } from "../lib/escape.ts";

/** A word to type into a shell; invisible characters are written as bash and zsh read them: `$'a\u202eb'`. */
export function quoted(word: string): string {
  if (escapeUnseen(word) === word) return quoteForShell(word);
  const literal = word.replace(/['\\]/g, "\\$&");
  return `$'${escapeUnseen(literal, shellEscape)}'`;
}

function shellEscape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
