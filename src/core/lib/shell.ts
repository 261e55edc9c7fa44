import { escapeInvisible, quoteForShell } from "./escape.ts";

/** A word to type into a shell; invisible characters are written as bash and zsh read them: `$'a\u202eb'`. */
export function quoted(word: string): string {
  if (escapeInvisible(word) === word) return word.includes("!") ? inSingleQuotes(word) : quoteForShell(word);
  const literal = word.replace(/['\\]/g, "\\$&").replaceAll("!", "\\x21");
  return `$'${escapeInvisible(literal, shellEscape)}'`;
}

/** Any word for a shell. Between double quotes, one that a person types into replaces `!word` by a command typed before. */
export function inSingleQuotes(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function shellEscape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}
