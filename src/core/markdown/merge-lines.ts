import { BOX } from "./box.ts";
import { type LineEnding, lineEnding } from "./line-endings.ts";
import { eachLine } from "./lines.ts";
import { commonEnds, mapThree, mergeRegions, type Region, type Three } from "./merge-regions.ts";
import { areItems, uniteLines } from "./unite-lines.ts";

/** A blank line, or an item to fill in. */
const EMPTY = /^(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[ \])?)?$/;

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

/** How a contradiction is written: between markers, as what one side has, or with the lines of both and the facts of theirs. */
export type Show = Markers | "ours" | "theirs" | "both";

type Lines = readonly string[];

interface Part {
  text: string;
  /** Empty behind the last line of a text. */
  ending: string;
}

/** Whether what both sides added at one place may stand together. */
type MayUnite = (ours: Lines, theirs: Lines) => boolean;

/**
 * Merges two changes of one text by line; a conflict stands in the text as `show` says. Line endings and the end of the last
 * line are those of ours. Where both sides `mayUnite`, what they added at one place stays, ours first.
 */
export function mergeLines(
  texts: Three<string>,
  { show = MARKERS, mayUnite = () => false }: { show?: Show; mayUnite?: MayUnite } = {},
): Merged {
  const alone = onlyChange(texts);
  if (alone !== null) return alone;
  const { ours, theirs } = texts;
  const ending = lineEnding(ours.includes("\n") ? ours : theirs);
  const regions = mergeRegions(mapThree(texts, partsOf), ({ text }) => keyOf(text)).flatMap((region) =>
    settled(region, mayUnite, ending),
  );
  const written = regions.flatMap((region) => rendered(region, show, ending));
  const conflicts = regions.filter((region) => "conflict" in region).length;
  return { text: joined(written, ending, ours === "" ? theirs : ours), conflicts };
}

/** The text that only one side changed, or both alike. */
export function onlyChange({ base, ours, theirs }: Three<string>): Merged | null {
  if (theirs === base || theirs === ours) return { text: ours, conflicts: 0 };
  return ours === base ? { text: theirs, conflicts: 0 } : null;
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
function keyOf(text: string): string {
  return text.replace(NUMBERED_BOX, "$11$2");
}

function settled(region: Region<Part>, mayUnite: MayUnite, ending: LineEnding): Region<Part>[] {
  if ("merged" in region) return [region];
  const lines = mapThree(region.conflict, (parts) => parts.map(({ text }) => text));
  const { base, ours, theirs } = lines;
  const { start, end } = commonEnds(ours.map(keyOf), theirs.map(keyOf));
  const isMore = start + end === Math.min(ours.length, theirs.length);
  const isAddition = isMore || mayUnite(ours, theirs);
  const isNew = isAddition && base.every((line) => EMPTY.test(line.trim()));
  const merged = isNew ? uniteLines(ours, theirs) : itemByItem(lines, isAddition);
  if (merged !== null) return [{ merged: merged.map((text) => ({ text, ending })) }];
  const conflict = mapThree(region.conflict, (parts) => parts.slice(start, parts.length - end));
  const { ours: own } = region.conflict;
  return [{ merged: own.slice(0, start) }, { conflict }, { merged: own.slice(own.length - end) }];
}

/** Neighbouring items that one side each changed are no conflict; what both added behind them stays. */
function itemByItem({ base, ours, theirs }: Three<Lines>, isAddition: boolean): Lines | null {
  const fits = ({ length }: Lines) => length === base.length || (isAddition && length > base.length);
  if (!fits(ours) || !fits(theirs) || ![base, ours, theirs].every(areItems)) return null;
  const merged = base.flatMap((line, at) => {
    const [own = line, other = line] = [ours[at], theirs[at]];
    const [before, here, there] = [line, own, other].map(keyOf);
    if (there === before || there === here) return [own];
    return here === before ? [other] : [];
  });
  const added = uniteLines(ours.slice(base.length), theirs.slice(base.length));
  return merged.length === base.length ? [...merged, ...added] : null;
}

function rendered(region: Region<Part>, show: Show, ending: LineEnding): Part[] {
  if ("merged" in region) return [...region.merged];
  const { conflict } = region;
  if (show === "both") return [...conflict.ours, ...conflict.theirs];
  if (typeof show === "string") return [...conflict[show]];
  const { size, ours, theirs } = show;
  const mark = (sign: string, label: string) => ({ text: `${sign.repeat(size)}${label}`, ending });
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
