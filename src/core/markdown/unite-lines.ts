import { groupBy } from "../lib/collections.ts";
import { eachMarkdownLine } from "./blocks.ts";
import { parseAtxHeading } from "./headings.ts";
import { commonEnds } from "./merge-regions.ts";

/** A line, and how deep it stands: the level of a heading, then the margin of other text; blank lines are below everything. */
interface Row {
  text: string;
  depth: number;
}

type Rows = readonly Row[];

const GAP: Row = { text: "", depth: Infinity };
const TEXT = 7;
const MAX_MARGIN = 40;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)]|\|)(?:[ \t]|$)/;
const NUMBER = /^([ \t]*)(\d{1,9})(?=[.)][ \t])/;
/** With this below its first row, a table is no row of another one. */
const RULE = /^[ \t]*\|[\s|:-]*$/;

/** Items of a list or rows of a table stand for themselves. */
export function areItems(lines: readonly string[]): boolean {
  return lines.every((text) => ITEM.test(text));
}

/**
 * What both sides added at one place: both, ours first, under what each belongs to. Sections and items that both made stand once, with
 * what either put under them; so does text with which both begin.
 */
export function uniteLines(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  return unite(rowsOf(ours), rowsOf(theirs)).map(textOf);
}

function rowsOf(lines: readonly string[]): Rows {
  const text = lines.map((line) => `${line}\n`).join("");
  return [...eachMarkdownLine(text)].map(({ text, kind }) => {
    const margin = Math.min(text.search(/[^ \t]|$/), MAX_MARGIN);
    const level = kind === "atx" ? parseAtxHeading(text)?.level : undefined;
    return { text, depth: kind === "blank" ? GAP.depth : (level ?? TEXT + margin) };
  });
}

const textOf = ({ text }: Row) => text;
const isGap = (row: Row | undefined) => row?.depth === GAP.depth;

function unite(ours: Rows, theirs: Rows): Rows {
  const [own, other] = [framed(ours), framed(theirs)];
  const { start, end } = commonEnds(own.rows.map(textOf), other.rows.map(textOf));
  if (start + end === other.rows.length) return ours;
  if (start + end === own.rows.length) return theirs;
  const depth = [...own.rows, ...other.rows].reduce((least, row) => Math.min(least, row.depth), GAP.depth);
  const [one, two] = [partsAt(own.rows, depth), partsAt(other.rows, depth)];
  const firsts = [...one.parts, ...two.parts].map(([first = GAP]) => first.text);
  const isList = depth >= TEXT && areItems(firsts) && !firsts.some((text) => RULE.test(text));
  const ends = isList ? [] : [ours, theirs].flatMap((rows) => [rows[0], rows.at(-1)]);
  const within = [one.head, two.head, ...one.parts, ...two.parts].map((rows) => rows.at(-1));
  const gap = [...ends, ...within].some(isGap) ? [GAP] : [];
  const parts = isList || depth < TEXT ? uniteParts(one.parts, two.parts, gap) : null;
  const above = one.head.length > 0 || two.head.length === 0 ? own.before : other.before;
  const rows = parts
    ? joined(unite(one.head, two.head), parts, gap)
    : joined(own.rows, other.rows.slice(sharedStart(own.rows, start)), gap);
  return [...above, ...framed(rows).rows, ...own.behind];
}

/** The rows without the blank ones at both ends. */
function framed(rows: Rows): { before: Rows; rows: Rows; behind: Rows } {
  const first = rows.findIndex((row) => !isGap(row));
  const end = rows.findLastIndex((row) => !isGap(row)) + 1;
  if (end === 0) return { before: rows, rows: [], behind: [] };
  return { before: rows.slice(0, first), rows: rows.slice(first, end), behind: rows.slice(end) };
}

/** What begins at rows of a depth, and what goes on with something above. */
function partsAt(rows: Rows, depth: number): { head: Rows; parts: Rows[] } {
  const starts = rows.flatMap((row, at) => (row.depth === depth ? [at] : []));
  return {
    head: rows.slice(0, starts[0]),
    parts: starts.map((start, at) => rows.slice(start, starts[at + 1])),
  };
}

/** Where the last paragraph ends with which both begin; a ruler goes with what is under it. */
function sharedStart(rows: Rows, start: number): number {
  const isEnd = (row: Row, at: number) => isGap(row) && /[\p{L}\p{N}]/u.test(rows[at - 1]?.text ?? "");
  return rows.slice(0, start + 1).findLastIndex(isEnd) + 1;
}

/** Sections, or items with what is below them; numbers count on. */
function uniteParts(ours: readonly Rows[], theirs: readonly Rows[], gap: Rows): Rows {
  const nameOf = ([first = GAP]: Rows) => first.text.replace(NUMBER, "").trim();
  const twins = groupBy(theirs, nameOf);
  const own = ours.flatMap((part) => {
    const { rows, behind } = framed(part);
    const [, ...inner] = framed(twins.get(nameOf(part))?.shift() ?? []).rows;
    return [...rows.slice(0, 1), ...unite(rows.slice(1), inner), ...behind];
  });
  const left = new Set([...twins.values()].flat());
  let number = Number(NUMBER.exec(ours.at(-1)?.[0]?.text ?? "")?.[2]);
  const counted = theirs.flatMap((part) => {
    const [first = GAP, ...inner] = left.has(part) ? part : [];
    if (Number.isNaN(number) || !NUMBER.test(first.text)) return left.has(part) ? part : [];
    return [{ ...first, text: first.text.replace(NUMBER, `$1${++number}`) }, ...inner];
  });
  return joined(own, counted, gap);
}

function joined(above: Rows, below: Rows, gap: Rows): Rows {
  const isApart = above.length === 0 || below.length === 0 || isGap(above.at(-1));
  return [...above, ...(isApart ? [] : gap), ...below];
}
