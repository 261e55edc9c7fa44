import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { linksWithin } from "../../markdown/links.ts";
import { type Data, nameOfKey } from "../field-names.ts";
import { valuesOf } from "../properties.ts";
import { core, labelKey, splitList } from "../short-text.ts";
import { labelsIn } from "../task/labels.ts";
import { byMeaning, oneOf } from "../words/languages.ts";
import type { StandingWord } from "../words/type.ts";

/** What a document says of its own worth. */
export interface Standing {
  /** Null if it says nothing of the kind. */
  word: StandingWord | null;
  relations: Relation[];
}

/** What takes its place, or what it takes the place of; a `text` begins with a name, a path or a number. */
export interface Relation {
  field: "superseded_by" | "supersedes";
  kind: "wiki" | "inline" | "text";
  path: string;
}

export const NO_STANDING: Standing = { word: null, relations: [] };

/** A status stands near the top. */
const MAX_CHARS = 8_000;
const MAX_RELATION_CHARS = 300;
const MAX_RELATIONS = 50;

const WORDS = byMeaning(({ standings }) => standings);
const BY = oneOf(({ labels }) => labels.superseded_by);
const SUPERSEDED = oneOf(({ standings }) => standings.superseded);
const SUPERSEDES = oneOf(({ labels }) => labels.supersedes);
const STATUS = oneOf(({ labels }) => labels.status);
const ANY_WORD = [...WORDS.keys()].join("|");
/** Cheap to look for: most texts have no such line, and of these most have no such word. */
const BEGINNING = pattern(`^[\\x20\\t>#*_+"'-]{0,12}(?:${STATUS}|${BY}|${SUPERSEDES})`, "im");
const ANYWHERE = pattern(`${BY}|${SUPERSEDES}|${ANY_WORD}`, "i");
/** `Accepted, superseded by x`; what is only partly superseded still stands. */
const RELATION = pattern(`(?:(${BY})|(${SUPERSEDED})|${SUPERSEDES})(?!\\p{Script=Latin})`, "giu");
const BEHIND_A_WORD = /\p{L}[\s*_]*$/u;
/** `Deprecated (2024)`, `**Rejected**, too slow`, and not `Deprecated endpoints`. */
const WORD = pattern(`^[\\s>*_+-]*(${ANY_WORD})(?=\\s*(?:[^\\p{L}\\s:：]|$))`, "iu");
/** Of a template: `proposed | accepted | superseded by ADR-0123`. */
const CHOICE = /\s\|\s/;

function pattern(source: string, flags: string): RegExp {
  return new RegExp(source.replaceAll(" ", "[ _-]*"), flags);
}

interface Said {
  field: Relation["field"] | "status" | "below a status";
  text: string;
}

/** By its frontmatter, and by what stands under a heading or behind a label for its status. A task has a status of another kind. */
export function readStanding(
  text: string,
  data: Data,
  { bodyOffset, isTask }: { bodyOffset: number; isTask: boolean },
): Standing {
  const head = text.slice(0, bodyOffset + MAX_CHARS);
  if (!BEGINNING.test(head) || !ANYWHERE.test(head)) return NO_STANDING;
  const said = [...fieldsSaid(data), ...linesSaid(head, bodyOffset)].filter(({ text }) => !CHOICE.test(text));
  const relations = said.flatMap(relationsIn).slice(0, MAX_RELATIONS);
  const isReplaced = relations.some(({ field }) => field === "superseded_by");
  const word = isReplaced ? "superseded" : (said.map(wordIn).find((one) => one !== null) ?? null);
  // What is not decided, or was decided against, takes the place of nothing.
  const isInForce = word !== "proposed" && word !== "rejected";
  return {
    word: isTask && !isReplaced ? null : word,
    relations: relations.filter(({ field }) => isInForce || field === "superseded_by"),
  };
}

function fieldsSaid(data: Data): Said[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const field = nameOfKey(key);
    return isField(field) ? valuesOf(value).map((text) => ({ field, text })) : [];
  });
}

/** Labels right under the title, and sections: what is deeper is about a part of the document. */
function linesSaid(head: string, bodyOffset: number): Said[] {
  const headings = findHeadings(head, bodyOffset);
  const top = linesOf(head.slice(bodyOffset, headings[1]?.start)).flatMap((line) =>
    labelsIn(line).flatMap(({ name, start, end }) =>
      isField(name) ? [{ field: name, text: line.slice(start, end) }] : [],
    ),
  );
  const sections = headings.flatMap(({ level, text: name, end }, at) => {
    const field = nameOfKey(labelKey(name));
    if (level > 2 || !isField(field)) return [];
    const lines = linesOf(head.slice(end, headings[at + 1]?.start));
    const below = field === "status" ? "below a status" : field;
    return lines.map((text, at): Said => ({ field: at === 0 ? field : below, text }));
  });
  return [...top, ...sections];
}

function isField(name: string | null): name is Relation["field"] | "status" {
  return name === "status" || name === "superseded_by" || name === "supersedes";
}

/** Without what is struck out. */
function linesOf(text: string): string[] {
  const lines = [...eachMarkdownLine(text)].filter(({ region }) => region === "text");
  return lines
    .map(({ at, end }) => text.slice(at, end).replace(/~~[^~]*~~/g, ""))
    .filter((line) => line.trim() !== "");
}

function wordIn({ field, text }: Said): StandingWord | null {
  const [, word = ""] = (field === "status" ? WORD.exec(text) : null) ?? [];
  return WORDS.get(word.toLowerCase()) ?? null;
}

function relationsIn({ field, text }: Said): Relation[] {
  if (field === "superseded_by" || field === "supersedes")
    return referencesIn(text).map((reference) => ({ field, ...reference }));
  const found = [...text.slice(0, MAX_CHARS).matchAll(RELATION)].filter(
    ({ index }) => !BEHIND_A_WORD.test(text.slice(Math.max(0, index - 9), index)),
  );
  return found.flatMap(({ 0: said, 1: by, 2: bare, index }, at) => {
    const after = referencesIn(text.slice(index + said.length, found[at + 1]?.index));
    const before = found.length > 1 ? [] : referencesIn(text.slice(0, index));
    const linked = [after, before].find(([first]) => first !== undefined && first.kind !== "text");
    const field = (by ?? bare) === undefined ? "supersedes" : "superseded_by";
    const named = linked ?? (bare === undefined ? after : []);
    return named.map((reference): Relation => ({ field, ...reference }));
  });
}

function referencesIn(text: string): Omit<Relation, "field">[] {
  const links = [...linksWithin(text, { start: 0, end: text.length })].flatMap(({ kind, path }) =>
    (kind === "wiki" || kind === "inline") && path !== "" ? [{ kind, path } as const] : [],
  );
  if (links.length > 0) return links;
  const items = splitList(text).filter(({ length }) => length <= MAX_RELATION_CHARS);
  return items.map((item) => ({ kind: "text", path: core(item) }));
}
