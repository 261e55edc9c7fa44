import { UserError } from "../lib/errors.ts";
import { withoutMark } from "../lib/text.ts";
import { eachMarkdownLine } from "./blocks.ts";
import { parseFrontmatter } from "./frontmatter.ts";
import { eachLine, type Line } from "./lines.ts";

/** A conflict that a merge left in a text: its lines, from 1, with those of the markers. */
export interface Conflict {
  first: number;
  last: number;
}

const MAX_NAMED = 20;

/** One side of a conflict: what git calls it, and its lines with their ends. */
export interface Side {
  label: string;
  text: string;
}

/** A conflict with both sides; it takes up `[start, end)` of the text. */
export interface SidedConflict extends Conflict {
  start: number;
  end: number;
  ours: Side;
  theirs: Side;
}

/** Its marker lines, as numbers of lines from 0. */
interface Marked {
  start: number;
  /** Where its part of ours ends. */
  middle: number;
  /** Where its part of theirs begins: between them there may be the base. */
  theirs: number;
  end: number;
}

/**
 * The conflicts in a text, as git marks them: lines of seven or more `<`, `=` and `>`, as many of each, in this order. Those that
 * stand as a whole in one block of code are what a note shows, and no conflicts.
 */
export function findConflicts(text: string): Conflict[] {
  if (!text.includes("<<<<<<<")) return [];
  return openConflicts([...eachLine(text)]).map(namedLines);
}

/** The conflicts in a text, with their sides. */
export function conflictSides(text: string): SidedConflict[] {
  if (!text.includes("<<<<<<<")) return [];
  const lines = [...eachLine(text)];
  const labelOf = (at: number) => lines[at]?.text.replace(/^[<>]+/, "").trim() ?? "";
  const between = (first: number, last: number) => text.slice(lines[first]?.next, lines[last]?.start);
  return openConflicts(lines).map((one) => ({
    ...namedLines(one),
    start: lines[one.start]?.start ?? 0,
    end: lines[one.end]?.next ?? text.length,
    ours: { label: labelOf(one.start), text: between(one.start, one.middle) },
    theirs: { label: labelOf(one.end), text: between(one.theirs, one.end) },
  }));
}

function namedLines({ start, end }: Marked): Conflict {
  return { first: start + 1, last: end + 1 };
}

function openConflicts(lines: readonly Line[]): Marked[] {
  const marked = markedIn(lines);
  const code = marked.length === 0 ? [] : codeLines(lines, marked);
  const isShown = ({ start, middle, end }: Marked) => {
    for (let at = start; at < middle; at++) if (!code[at]) return false;
    return code[end] === true;
  };
  return marked.filter((one) => !isShown(one));
}

/** The first conflicts in a text: whoever resolves them meets the others then. */
export function firstConflicts(text: string): Conflict[] {
  return findConflicts(text).slice(0, MAX_NAMED);
}

/** A conflict that an edit changes without resolving it: its lines before; undefined if there is none. */
export function editedConflict(before: string, after: string): Conflict | undefined {
  const conflicts = findConflicts(before);
  if (conflicts.length === 0) return undefined;
  const textsOf = (text: string, found: readonly Conflict[]) => {
    const lines = [...eachLine(text)];
    return found.map(({ first, last }) => text.slice(lines[first - 1]?.start, lines[last - 1]?.end));
  };
  const known = textsOf(before, conflicts);
  const left = new Set(textsOf(after, findConflicts(after)));
  const present = new Set(known);
  if ([...left].every((text) => present.has(text))) return undefined;
  return conflicts.find((_, at) => !left.has(known[at] ?? ""));
}

/** The conflict that begins in what is meant as frontmatter, if any. */
export function frontmatterConflict(text: string): Conflict | undefined {
  const [conflict] = findConflicts(text);
  if (conflict === undefined) return undefined;
  const lines = [...eachLine(withoutMark(text))].map((line) => line.text.trimEnd());
  const [opening, ...above] = conflict.first === 1 ? lines.slice(1, 2) : lines.slice(0, conflict.first - 1);
  return opening === "---" && !above.includes("---") ? conflict : undefined;
}

/** The error of a change that would leave it there. */
export function unresolved({ first, last }: Conflict, details: Record<string, unknown> = {}): UserError {
  const message = `A merge left both sides in lines ${first} to ${last} of this document, between markers of git.`;
  return new UserError("CONFLICT", message, {
    details: { ...details, conflicts: [{ first, last }] },
    next: "resolve-conflict",
  });
}

/** Git marks the conflicts of a base in another size, so they stand inside. */
function markedIn(lines: readonly Line[]): Marked[] {
  const open = new Map<number, { start: number; ours?: number; middle?: number }>();
  const found: Marked[] = [];
  for (const [at, { text }] of lines.entries()) {
    const { sign, size } = markerOf(text);
    const one = open.get(size);
    if (sign === "<") open.set(size, { start: at });
    else if (sign === "|" && one?.middle === undefined) Object.assign(one ?? {}, { ours: at });
    else if (sign === "=" && one !== undefined) one.middle ??= at;
    else if (sign === ">" && one?.middle !== undefined) {
      const { start, middle, ours = middle } = one;
      addOuter(found, { start, middle: ours, theirs: middle, end: at });
      open.delete(size);
    }
  }
  return found;
}

/** Adds a conflict in place of those inside it; they stand in the order of their starts. */
function addOuter(found: Marked[], outer: Marked): void {
  while ((found.at(-1)?.start ?? -1) > outer.start) found.pop();
  found.push(outer);
}

function markerOf(line: string): { sign: string; size: number } {
  const sign = line[0] ?? "";
  const size = /^(?:<{7,}|\|{7,}|={7,}|>{7,})(?=$| )/.exec(line)?.[0].length ?? 0;
  return size === 0 || (sign === "=" && line.length > size) ? { sign: "", size: 0 } : { sign, size };
}

/** Whether a line is code in the text with ours alone: a fence that both sides have would close what it opens. */
function codeLines(lines: readonly Line[], marked: readonly Marked[]): boolean[] {
  const isOther = new Set<number>();
  for (const { middle, end } of marked) for (let at = middle; at < end; at++) isOther.add(at);
  const isMarker = new Set(marked.flatMap(({ start, end }) => [start, end]));
  const kept = lines.flatMap((line, at) => (isOther.has(at) ? [] : [{ line, at }]));
  // A marker would be no YAML, and the last one a quote in seven quotes.
  const ours = kept.map(({ line, at }) => (isMarker.has(at) ? "#" : line.text)).join("\n");
  const { bodyOffset } = parseFrontmatter(ours);
  const code: boolean[] = [];
  let index = ours.slice(0, bodyOffset).split("\n").length - 1;
  for (const { region } of eachMarkdownLine(ours, bodyOffset)) {
    const at = kept[index++]?.at;
    if (at !== undefined) code[at] = region === "code";
  }
  return code;
}
