import { nameParts } from "../../src/index/tokenizer.ts";

/** How an identifier is written, and how else somebody may ask for it. */
export interface IdentifierKind {
  name: string;
  pattern: RegExp;
  asked: readonly { how: string; form: (identifier: string) => string }[];
}

const written = { how: "as written", form: (identifier: string) => identifier };
const words = { how: "in words", form: wordsOf };

export const IDENTIFIER_KINDS: readonly IdentifierKind[] = [
  {
    name: "camelCase",
    pattern: /(?<![\w.])[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?![\w.])/g,
    asked: [written, words, { how: "as snake_case", form: (one) => wordsOf(one).replaceAll(" ", "_") }],
  },
  {
    name: "snake_case",
    pattern: /(?<![\w.])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w.])/g,
    asked: [written, words, { how: "as camelCase", form: camelOf }],
  },
  { name: "number", pattern: /(?<![\w.])\d{3,}(?![\w.])/g, asked: [written] },
  { name: "version", pattern: /(?<![\w.])v?\d+(?:\.\d+)+(?![\w.])/g, asked: [written] },
];

/** `get user profile` for `getUserProfile` and `get_user_profile`. */
function wordsOf(identifier: string): string {
  const parts = identifier.split("_").map((piece) => nameParts(piece) || piece);
  return parts.join(" ").toLowerCase();
}

function camelOf(identifier: string): string {
  return wordsOf(identifier).replaceAll(/ (\p{L})/gu, (_, letter: string) => letter.toUpperCase());
}
