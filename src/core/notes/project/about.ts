import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { plainLine } from "../plain-line.ts";
import { hasWord, shorten } from "../short-text.ts";
import { saidInStatus } from "./status-page.ts";

const MAX_CHARS = 200;

/** What a project is: the first sentence of its `status.md`, as plain text; undefined if that has none. */
export function aboutProject(text: string): string | undefined {
  const paragraph = [...paragraphs(saidInStatus(text))].map(sentenceOf).find(isSaid);
  return paragraph === undefined ? undefined : shorten(paragraph, MAX_CHARS);
}

function* paragraphs(text: string): Generator<string> {
  let open: string[] = [];
  for (const { kind, at, end } of eachMarkdownLine(text, parseFrontmatter(text).bodyOffset)) {
    // Underlined it is a heading, or the head of a table.
    if (kind !== "continuation" && kind !== "underline" && kind !== "delimiter") yield open.join(" ");
    if (kind === "continuation") open.push(text.slice(at, end).trim());
    else open = kind === "paragraph" ? [text.slice(at, end).trim()] : [];
  }
  yield open.join(" ");
}

/** Up to a stop that no small letter follows. */
function sentenceOf(paragraph: string): string {
  const plain = plainLine(paragraph.replace(/!\[[^[\]]{0,300}\]\([^()]{0,300}\)/g, ""));
  return /^.*?(?:[.!?](?=\s+[^\p{Ll}\s])|[。！？])/u.exec(plain)?.[0] ?? plain;
}

/** Not `Last updated: 2026-01-01`. */
function isSaid(sentence: string): boolean {
  return hasWord(sentence) && !/^[^:：]{1,40}[:：]\W*\d{4}-\d{2}-\d{2}\W*$/u.test(sentence);
}
