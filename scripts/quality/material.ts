import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nameParts } from "../../src/index/tokenizer.ts";
import { findHeadings } from "../../src/markdown/headings.ts";
import { describeDocument, locateDocument } from "../../src/notes/document.ts";

/** The parts of a document that questions are made from. */
export interface Material {
  path: string;
  title: string;
  /** The name of its file and its title, one line each. */
  name: string;
  /** One line each. */
  headings: string;
  /** Its text, without frontmatter. */
  body: string;
}

/** The documents below `root`, by path. */
export function readMaterial(root: string): Material[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => name.replaceAll("\\", "/")).sort();
  return paths.flatMap((path) => {
    const location = locateDocument(path);
    if (location === null) return [];
    const text = readFileSync(join(root, path), "utf8");
    const { title, bodyOffset } = describeDocument(location, text);
    const headings = findHeadings(text, bodyOffset).map((heading) => heading.text);
    const name = `${location.filename.replace(/\.md$/i, "")}\n${title}`;
    return [{ path, title, name, headings: headings.join("\n"), body: text.slice(bodyOffset) }];
  });
}

/** A style of identifiers, and how people search for one. */
export interface IdentifierKind {
  name: string;
  pattern: RegExp;
  variants: readonly { how: string; form: (identifier: string) => string }[];
}

const written = { how: "as written", form: (identifier: string) => identifier };
const words = { how: "in words", form: wordsOf };

export const IDENTIFIER_KINDS: readonly IdentifierKind[] = [
  {
    name: "camelCase",
    pattern: /(?<![\w.])[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?![\w.])/g,
    variants: [written, words, { how: "as snake_case", form: (one) => wordsOf(one).replaceAll(" ", "_") }],
  },
  {
    name: "snake_case",
    pattern: /(?<![\w.])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w.])/g,
    variants: [written, words, { how: "as camelCase", form: camelOf }],
  },
  { name: "number", pattern: /(?<![\w.])\d{3,}(?![\w.])/g, variants: [written] },
  { name: "version", pattern: /(?<![\w.])v?\d+(?:\.\d+)+(?![\w.])/g, variants: [written] },
];

/** `get user profile` for `getUserProfile` and `get_user_profile`. */
function wordsOf(identifier: string): string {
  const parts = identifier.split("_").map((piece) => nameParts(piece) || piece);
  return parts.join(" ").toLowerCase();
}

function camelOf(identifier: string): string {
  return wordsOf(identifier).replaceAll(/ (\p{L})/gu, (_, letter: string) => letter.toUpperCase());
}
