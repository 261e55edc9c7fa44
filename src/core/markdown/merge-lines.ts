import { BOX } from "./box.ts";
import { type LineEnding, lineEnding } from "./line-endings.ts";
import { eachLine } from "./lines.ts";
import { mapThree, mergeRegions, type Region, type Three } from "./merge-regions.ts";

export interface Merged {
  text: string;
  /** How many parts both sides changed in different ways. */
  conflicts: number;
}

/** How git marks a conflict. */
export interface Markers {
  size: number;
  ours: string;
  theirs: string;
}

export const MARKERS: Markers = { size: 7, ours: "ours", theirs: "theirs" };

/** How a contradiction is written: between markers, or as what one side has. */
export type Show = Markers | "ours" | "theirs";

interface Part {
  text: string;
  /** Empty behind the last line of a text. */
  ending: string;
}

/** Lines that both sides added at the same place, in the order of the result; null if a person has to decide. */
type Unite = (ours: readonly string[], theirs: readonly string[]) => readonly string[] | null;

/**
 * Merges two changes of one text by line; a conflict stands in the text as `show` says. Line endings and the end of the last
 * line are those of ours.
 */
export function mergeLines(
  texts: Three<string>,
  { show = MARKERS, unite }: { show?: Show; unite?: Unite } = {},
): Merged {
  const { base, ours, theirs } = texts;
  if (theirs === base || theirs === ours) return { text: ours, conflicts: 0 };
  if (ours === base) return { text: theirs, conflicts: 0 };
  const ending = lineEnding(ours.includes("\n") ? ours : theirs);
  const regions = mergeRegions(mapThree(texts, partsOf), lineKey).map((region) =>
    united(region, unite, ending),
  );
  const written = regions.flatMap((region) => rendered(region, show, ending));
  const conflicts = regions.filter((region) => "conflict" in region).length;
  return { text: joined(written, ending, ours === "" ? theirs : ours), conflicts };
}

/** The two texts of whole lines as a conflict. */
export function conflictOf({ ours, theirs }: Three<string>, show: Show): Merged {
  const ending = lineEnding(ours + theirs);
  const conflict = mapThree({ base: "", ours, theirs }, partsOf);
  return { text: joined(rendered({ conflict }, show, ending), ending, ours || theirs), conflicts: 1 };
}

function partsOf(text: string): Part[] {
  return [...eachLine(text)].map((line) => ({ text: line.text, ending: text.slice(line.end, line.next) }));
}

const NUMBERED_BOX = new RegExp(`^([ \\t]{0,40})\\d{1,9}([.)][ \\t]+${BOX})`, "u");

/** A box in a numbered list is the same whatever its number. */
function lineKey({ text }: Part): string {
  return text.replace(NUMBERED_BOX, "$11$2");
}

function united(region: Region<Part>, unite: Unite | undefined, ending: LineEnding): Region<Part> {
  if ("merged" in region) return region;
  const { base, ours, theirs } = region.conflict;
  if (base.length > 0) return itemByItem(region.conflict) ?? region;
  // Both sides added what is cut off already; one added more.
  if (ours.length === 0 || theirs.length === 0) return { merged: [...ours, ...theirs] };
  if (unite === undefined) return region;
  const textOf = ({ text }: Part) => text;
  const lines = unite(ours.map(textOf), theirs.map(textOf));
  return lines === null ? region : { merged: lines.map((text) => ({ text, ending })) };
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)]|\|)(?:[ \t]|$)/;

/** Items of a list or rows of a table stand for themselves: neighbours that one side each changed are no conflict. */
function itemByItem({ base, ours, theirs }: Three<readonly Part[]>): Region<Part> | undefined {
  const isList = [base, ours, theirs].every(
    (parts) => parts.length === base.length && parts.every(({ text }) => ITEM.test(text)),
  );
  if (!isList) return undefined;
  const merged = base.flatMap((part, at) => {
    const [own, other] = [ours[at] ?? part, theirs[at] ?? part];
    if (lineKey(other) === lineKey(part) || lineKey(other) === lineKey(own)) return [own];
    return lineKey(own) === lineKey(part) ? [other] : [];
  });
  return merged.length === base.length ? { merged } : undefined;
}

function rendered(region: Region<Part>, show: Show, ending: LineEnding): Part[] {
  if ("merged" in region) return [...region.merged];
  if (typeof show === "string") return [...region.conflict[show]];
  const { size, ours, theirs } = show;
  const mark = (sign: string, label: string) => ({ text: `${sign.repeat(size)}${label}`, ending });
  const { conflict } = region;
  return [
    mark("<", ` ${ours}`),
    ...conflict.ours,
    mark("=", ""),
    ...conflict.theirs,
    mark(">", ` ${theirs}`),
  ];
}

/** With `ending` where the lines had one of another text, or none; the last line ends as that of `like` does. */
function joined(parts: readonly Part[], ending: LineEnding, like: string): string {
  const endings = new Set([...eachLine(like)].map(({ end, next }) => like.slice(end, next)));
  const ended = parts.map(
    (part) => part.text + (part.ending !== "" && endings.has(part.ending) ? part.ending : ending),
  );
  const text = ended.join("");
  return like === "" || like.endsWith("\n") ? text : text.replace(/\r?\n$/, "");
}
