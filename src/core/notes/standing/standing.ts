import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { boxAt } from "../../markdown/box.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { linksWithin } from "../../markdown/links.ts";
import { type Data, nameOfKey } from "../field-names.ts";
import { valuesOf } from "../properties.ts";
import { core, labelKey, splitList } from "../short-text.ts";
import { labelsIn } from "../task/labels.ts";
import { isStatus, labelledCells } from "../task/status-line.ts";
import { byMeaning, oneOf } from "../words/languages.ts";
import type { StandingWord } from "../words/type.ts";

/** What a document says of its own worth. */
export interface Standing {
  word?: StandingWord | undefined;
  relations: Relation[];
}

/** What takes its place, or what it takes the place of. */
export interface Relation {
  field: "superseded_by" | "supersedes";
  /** It begins with a name, a number, or a path as in `[[path]]`. */
  path: string;
}

/** A status stands near the top. */
const MAX_CHARS = 8_000;
const MAX_RELATION_CHARS = 300;
const MAX_RELATIONS = 50;

const WORDS = byMeaning(({ standings }) => standings);
const BY = oneOf(({ labels }) => labels.superseded_by);
const SUPERSEDED = oneOf(({ standings }) => standings.superseded);
const SUPERSEDES = oneOf(({ labels }) => labels.supersedes);
const STATUS = oneOf(({ labels: { status, state } }) =>
  [status, state].filter((words) => words !== "").join(", "),
);
const ANY_WORD = [...WORDS.keys()].join("|");
/** `> [!warning]`, and what else may stand before the words of a line. */
const CALLOUT = "(?:[>\\t\\x20]{0,9}\\[![\\w-]{1,20}\\][+-]?)?";
const SIGNS = "[^\\p{L}\\p{N}\\n]{0,12}";
/** Cheap to look for: most texts have no such line, and of these most have no such word. */
const BEGINNING = pattern(`(?:^|\\|)${CALLOUT}${SIGNS}(?:${STATUS}|${BY}|${SUPERSEDES})`, "imu");
const ANYWHERE = pattern(`${BY}|${SUPERSEDES}|${ANY_WORD}`, "i");
/** `Accepted, superseded by x`; what is only partly superseded still stands. */
const RELATION = pattern(`(?:(${BY})|(${SUPERSEDED})|${SUPERSEDES})(?!\\p{Script=Latin})`, "giu");
/** A line of its own, no item: `> **Superseded by [x](x.md)**`. */
const BANNER = pattern(`^(?![\\t\\x20>]*[-+*][\\t\\x20])${CALLOUT}${SIGNS}${BY}[\\s*_]*\\[.*$`, "gimu");
const BEHIND_A_WORD = /\p{L}[\s*_]*$/u;
/** `Deprecated (2024)`, `**Rejected**, too slow`, and not `Deprecated endpoints`. */
const WORD = pattern(`^[^\\p{L}\\p{N}[(]*(${ANY_WORD})(?![\\t\\x20]*[\\p{L}:：])`, "iu");
/** Of a template: `proposed | accepted | superseded by ADR-0123`. */
const CHOICE = /\s\|\s/;

function pattern(source: string, flags: string): RegExp {
  return new RegExp(source.replaceAll(" ", "[ _-]*"), flags);
}

/** By its frontmatter, and by what stands under a heading or behind a label for its status; null if it says nothing. A task has a status of another kind. */
export function readStanding(
  text: string,
  data: Data,
  { bodyOffset, isTask }: { bodyOffset: number; isTask: boolean },
): Standing | null {
  const head = text.slice(0, bodyOffset + MAX_CHARS);
  if (!BEGINNING.test(head) || !ANYWHERE.test(head)) return null;
  const said = [...namedTexts(head, data, bodyOffset)].filter(({ text }) => !CHOICE.test(text));
  const own = said.flatMap(({ name, text }) => (isStatus(name) ? (wordIn(text) ?? []) : []))[0];
  // What is not decided, or was decided against, takes the place of nothing.
  const isInForce = own !== "proposed" && own !== "rejected";
  const relations = said
    .flatMap(({ name, text }) => text.split("\n").flatMap((line) => relationsIn(name, line)))
    .filter(({ field }) => isInForce || field === "superseded_by")
    .slice(0, MAX_RELATIONS);
  const isReplaced = relations.some(({ field }) => field === "superseded_by");
  const word = isReplaced ? "superseded" : isTask ? undefined : own;
  return word === undefined && relations.length === 0 ? null : { word, relations };
}

/** What stands in frontmatter, behind labels right under the title, and in sections: what is deeper is about a part of the document. */
function* namedTexts(head: string, data: Data, bodyOffset: number) {
  for (const [key, value] of Object.entries(data))
    for (const text of valuesOf(value)) yield { name: nameOfKey(key), text };
  const headings = findHeadings(head, bodyOffset);
  const top = head.slice(bodyOffset, headings[1]?.start);
  const sections = headings.filter(({ level }) => level <= 2);
  for (const line of [...linesOf(top), ...sections.map(({ text }) => text)])
    for (const { name, start, end } of labelsIn(line)) yield { name, text: line.slice(start, end) };
  for (const { name, cell } of labelledCells(top, 0)) yield { name, text: cell };
  for (const [line] of top.matchAll(BANNER)) yield { name: "superseded_by", text: line };
  for (const { text, end } of sections) {
    const lines = linesOf(head.slice(end, headings.find(({ start }) => start >= end)?.start));
    yield { name: nameOfKey(labelKey(text)), text: lines.join("\n") };
  }
}

/** Without what is struck out, and boxes without a tick. */
function linesOf(text: string): string[] {
  const lines = [...eachMarkdownLine(text)].filter(({ region }) => region === "text");
  return lines
    .map(({ at, end }) => text.slice(at, end).replace(/~~[^~]*~~/g, ""))
    .map((line) => (boxAt(line)?.isDone ? line.slice(boxAt(line)?.length) : line))
    .filter((line) => line.trim() !== "" && boxAt(line) === null);
}

function wordIn(text: string): StandingWord | undefined {
  return WORDS.get(WORD.exec(text)?.[1]?.toLowerCase() ?? "");
}

function relationsIn(name: string | null, line: string): Relation[] {
  if (isStatus(name)) return relationsInStatus(line);
  if (name !== "superseded_by" && name !== "supersedes") return [];
  return referencesIn(line).map((path) => ({ field: name, path }));
}

function relationsInStatus(line: string): Relation[] {
  const found = [...line.slice(0, MAX_CHARS).matchAll(RELATION)].filter(
    ({ index }) => !BEHIND_A_WORD.test(line.slice(Math.max(0, index - 9), index)),
  );
  return found.flatMap(({ 0: said, 1: by, 2: bare, index }, at) => {
    const after = line.slice(index + said.length, found[at + 1]?.index);
    const before = found.length > 1 ? "" : line.slice(0, index);
    const linked = [after, before].map(linksIn).find(({ length }) => length > 0);
    const field = (by ?? bare) === undefined ? "supersedes" : "superseded_by";
    const named = linked ?? (bare === undefined ? referencesIn(after) : []);
    return named.map((path): Relation => ({ field, path }));
  });
}

function referencesIn(text: string): string[] {
  const links = linksIn(text);
  const items = splitList(text).filter(({ length }) => length <= MAX_RELATION_CHARS);
  return links.length > 0 ? links : items.map(core);
}

/** A Markdown link leads on from the document's folder. */
function linksIn(text: string): string[] {
  const links = [...linksWithin(text, { start: 0, end: text.length })].filter(({ path }) => path !== "");
  return links.flatMap(({ kind, path }) =>
    kind === "inline" ? path.replace(/^(?![./])/, "./") : kind === "wiki" ? path : [],
  );
}
