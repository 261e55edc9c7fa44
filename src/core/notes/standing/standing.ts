import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { linksWithin } from "../../markdown/links.ts";
import { type Data, nameOfKey } from "../field-names.ts";
import { valuesOf } from "../properties.ts";
import { hasWord, labelKey, splitList } from "../short-text.ts";
import { type Labelled, labelsIn } from "../task/labels.ts";
import { byMeaning, inAnyLanguage } from "../words/languages.ts";
import { STANDING_WORDS, type StandingWord } from "../words/type.ts";

/** What a document says of its own worth. */
export interface Standing {
  /** Null if it says nothing of the kind. */
  word: StandingWord | null;
  claims: Claim[];
}

/** What takes its place, or what it takes the place of; a `text` begins with a name, a path or a number. */
export interface Claim {
  field: "superseded_by" | "supersedes";
  kind: "wiki" | "inline" | "text";
  path: string;
}

export const NO_STANDING: Standing = { word: null, claims: [] };

/** Of a template: `proposed | accepted | superseded by ADR-0123`. */
const CHOICE = /\s\|\s/;
/** A status stands near the top. */
const MAX_CHARS = 8_000;
const MAX_CLAIM_CHARS = 300;
const MAX_CLAIMS = 50;

const wordsOf = (word: StandingWord) => inAnyLanguage(({ standings }) => standings[word]);
const WORDS = byMeaning(({ standings }) => standings);
const BY = inAnyLanguage(({ labels }) => labels.superseded_by);
const SUPERSEDES = inAnyLanguage(({ labels }) => labels.supersedes);
const STATUS = inAnyLanguage(({ labels }) => labels.status);
/** Cheap to look for: most texts have no such line, and of these most have no such word. */
const BEGINNING = anyOf(
  [`^[\\x20\\t>#*_+"'-]{0,12}(?:${[...STATUS, ...BY, ...SUPERSEDES].join("|")})`],
  "im",
);
const WORDS_ANYWHERE = anyOf([...BY, ...SUPERSEDES, ...STANDING_WORDS.flatMap(wordsOf)], "i");

/** `Accepted, superseded by x`; what is only partly superseded still stands. */
const RELATION = anyOf(
  [`(?<by>${written(BY)})`, `(?<bare>${written(wordsOf("superseded"))})`, `(?<of>${written(SUPERSEDES)})`],
  "giu",
);
/** `Deprecated (2024)`, `**Rejected**, too slow`, and not `Deprecated endpoints`. */
const WORD = new RegExp(`^[\\s>*_+-]*(${[...WORDS.keys()].join("|")})(?=\\s*(?:[^\\p{L}\\s:：]|$))`, "iu");

function anyOf(alternatives: readonly string[], flags: string): RegExp {
  return new RegExp(alternatives.join("|").replaceAll(" ", "[ _-]*"), flags);
}

function written(words: readonly string[]): string {
  return words.map((word) => (isSpaced(word) ? `(?<!\\p{L}[\\s*_]*)${word}(?!\\p{L})` : word)).join("|");
}

/** Elsewhere, what a word is about stands before it. */
function isSpaced(word: string): boolean {
  return /^\p{Script=Latin}/u.test(word);
}

interface Said {
  field: Claim["field"] | "status";
  text: string;
  /** Whether it may be a status by itself. */
  isFirst: boolean;
}

/** By its frontmatter, and by what stands under a heading or behind a label for its status. A task has a status of another kind. */
export function readStanding(text: string, data: Data, { bodyOffset, isTask }: Place): Standing {
  const head = text.slice(0, bodyOffset + MAX_CHARS);
  if (!BEGINNING.test(head) || !WORDS_ANYWHERE.test(head)) return NO_STANDING;
  const said = [...fieldsSaid(data), ...linesSaid(text, bodyOffset)].filter(({ text }) => !CHOICE.test(text));
  const claims = said.flatMap(claimsIn).slice(0, MAX_CLAIMS);
  const isReplaced = claims.some(({ field }) => field === "superseded_by");
  const word = isReplaced ? "superseded" : (said.map(wordIn).find((one) => one !== null) ?? null);
  // What is not decided, or was decided against, takes the place of nothing.
  const isInForce = word !== "proposed" && word !== "rejected";
  return {
    word: isTask && !isReplaced ? null : word,
    claims: claims.filter(({ field }) => isInForce || field === "superseded_by"),
  };
}

interface Place {
  bodyOffset: number;
  isTask: boolean;
}

function fieldsSaid(data: Data): Said[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const field = fieldOf(key);
    return field === null ? [] : valuesOf(value).map((text) => ({ field, text, isFirst: true }));
  });
}

/** Labels right under the title, and sections: what is deeper is about a part of the document. */
function linesSaid(text: string, bodyOffset: number): Said[] {
  const head = text.slice(0, bodyOffset + MAX_CHARS);
  const headings = findHeadings(head, bodyOffset);
  const top = linesOf(head.slice(bodyOffset, headings[1]?.start));
  const sections = headings.flatMap(({ level, text: name, end }, at) => {
    const field = level > 2 ? null : fieldOf(labelKey(name));
    if (field === null) return [];
    const lines = linesOf(head.slice(end, headings[at + 1]?.start));
    return lines.map((line, at): Said => ({ field, text: line, isFirst: at === 0 }));
  });
  return [...top.flatMap((line) => labelsIn(line).flatMap((label) => behindLabel(line, label))), ...sections];
}

function linesOf(text: string): string[] {
  const lines = [...eachMarkdownLine(text)].filter(
    ({ region, kind }) => region === "text" && kind !== "blank",
  );
  return lines.map(({ at, end }) => text.slice(at, end));
}

function behindLabel(line: string, { name, start, end }: Labelled): Said[] {
  const field = fieldOf(name ?? "");
  return field === null ? [] : [{ field, text: line.slice(start, end), isFirst: true }];
}

function fieldOf(name: string): Said["field"] | null {
  const field = nameOfKey(name);
  return field === "status" || field === "superseded_by" || field === "supersedes" ? field : null;
}

function wordIn({ field, text, isFirst }: Said): StandingWord | null {
  if (field !== "status" || !isFirst) return null;
  const shown = withoutStruck(text);
  const [, word = ""] = WORD.exec(shown) ?? [];
  const { by, bare } = RELATION_ONCE.exec(shown)?.groups ?? {};
  return WORDS.get(word.toLowerCase()) ?? ((by ?? bare) === undefined ? null : "superseded");
}

const RELATION_ONCE = new RegExp(RELATION.source, "iu");

function withoutStruck(text: string): string {
  return text.replace(/~~[^~]*~~/g, "");
}

function claimsIn({ field, text: written }: Said): Claim[] {
  const text = withoutStruck(written).slice(0, MAX_CHARS);
  if (field !== "status") return referencesIn(text).map((reference) => ({ field, ...reference }));
  const found = [...text.matchAll(RELATION)];
  return found.flatMap(({ 0: word, index, groups = {} }, at) => {
    const before = found[at - 1];
    const sides = [
      text.slice(index + word.length, found[at + 1]?.index),
      text.slice(before === undefined ? 0 : before.index + before[0].length, index),
    ];
    const own = (isSpaced(word) ? sides.slice(0, 1) : sides.toReversed()).map(referencesIn);
    const linked = own.find(([first]) => first !== undefined && first.kind !== "text");
    const plain = groups["bare"] === undefined ? own.find(({ length }) => length > 0) : undefined;
    const relation: Claim["field"] = groups["of"] === undefined ? "superseded_by" : "supersedes";
    return (linked ?? plain ?? []).map((reference) => ({ field: relation, ...reference }));
  });
}

function referencesIn(text: string): Omit<Claim, "field">[] {
  const links = [...linksWithin(text, { start: 0, end: text.length })].flatMap(({ kind, path }) =>
    (kind === "wiki" || kind === "inline") && path !== "" ? [{ kind, path } as const] : [],
  );
  if (links.length > 0) return links;
  const items = splitList(text).filter((item) => hasWord(item) && item.length <= MAX_CLAIM_CHARS);
  return items.map((item) => ({ kind: "text", path: item.replace(/^[\s:*_`"'[(]+|[\s*_`"'.)\]]+$/g, "") }));
}
