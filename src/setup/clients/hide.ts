import { visit } from "jsonc-parser";
import { type Hide, isEntry, type Json } from "./entry.ts";
import { keyLength, parseToml, statements, TOKEN } from "./toml.ts";

/** All values in a value that are neither objects nor lists. */
export function scalarsOf(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return isEntry(value) ? Object.values(value).flatMap(scalarsOf) : [value];
}

export const hideJson: Hide = (text, own) => {
  let [shown, from] = ["", 0];
  const replace = (offset: number, length: number, piece: string) => {
    shown += text.slice(from, offset) + piece;
    from = offset + length;
  };
  const visitor = {
    onLiteralValue: (value: Json, offset: number, length: number) => {
      if (!isSafe(value, own)) replace(offset, length, typeof value === "string" ? '"…"' : "…");
    },
    onComment: (offset: number, length: number) => {
      const comment = text.slice(offset, offset + length);
      replace(offset, length, comment.startsWith("//") ? "// …" : maskLines(comment, "/* … */"));
    },
  };
  visit(text, visitor, { allowTrailingComma: true });
  return shown + text.slice(from);
};

export const hideToml: Hide = (text, own) => {
  let [shown, from] = ["", 0];
  for (const { isTable, start, end } of statements(text)) {
    const value = isTable ? end : start + keyLength(text.slice(start, end));
    shown += hideComments(text.slice(from, start)) + text.slice(start, value);
    shown += hideTomlValue(text.slice(value, end), own);
    from = end;
  }
  return shown + hideComments(text.slice(from));
};

function hideComments(text: string): string {
  return text.replace(/#[^\r\n]*/g, "# …");
}

/** An inline table holds keys too: whatever precedes `=` or a dot. */
function hideTomlValue(code: string, own: ReadonlySet<Json>): string {
  const show = (piece: string, mask: string) => (isSafe(tomlValue(piece), own) ? piece : mask);
  return code.replace(new RegExp(TOKEN, "g"), (piece, at: number) => {
    if (piece.startsWith("#")) return hideComments(piece);
    if (!/^["']/.test(piece))
      return piece.replace(/[^\s,=[\]{}]+(?![^\s,=[\]{}]|\s*=)/g, (word) => show(word, "…"));
    const isKey = /^\s*[=.]/.test(code.slice(at + piece.length, at + piece.length + 40));
    return isKey ? piece : show(piece, maskLines(piece, '"…"'));
  });
}

function tomlValue(code: string): Json | undefined {
  try {
    return parseToml(`value = ${code}`)["value"];
  } catch {
    return undefined; // Half a date: the space inside it separates tokens.
  }
}

function isSafe(value: Json | undefined, own: ReadonlySet<Json>): boolean {
  if (value === undefined) return false;
  return typeof value === "boolean" || value === null || value === "" || own.has(value);
}

function maskLines(text: string, mask: string): string {
  return text.includes("\n") ? text.replace(/[^\r\n]+/g, "…") : mask;
}
