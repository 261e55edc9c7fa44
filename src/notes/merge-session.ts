import { eachMarkdownLine, type MarkdownLine } from "../markdown/blocks.ts";
import { findHeadings } from "../markdown/headings.ts";
import { lineEnding, withLineEndings } from "../markdown/line-endings.ts";
import { conflictOf, type Markers, type Merged, mergeLines } from "../markdown/merge-lines.ts";
import { mapThree, type Three } from "../markdown/merge-regions.ts";
import { noteTime } from "./session-notes.ts";

/** The notes of a day without the white space behind them, by keys that sort by time: the title is `0`, the note under it `1`. */
type Notes = ReadonlyMap<string, string>;

/** Merges the session notes of a day: those that one side added stay, in the order of their times. */
export function mergeSession(texts: Three<string>, markers: Markers): Merged {
  const ending = lineEnding(texts.ours || texts.theirs);
  const notes = mapThree(texts, (text) => notesOf(withLineEndings(text, ending)));
  const merged = keysInOrder(notes).flatMap((key) => {
    const [base, ours, theirs] = [notes.base, notes.ours, notes.theirs].map((all) => all.get(key));
    return mergeNote({ base, ours, theirs }, markers, ending);
  });
  const end = /\s*$/.exec(texts.ours || texts.theirs)?.[0] ?? "";
  return {
    text: merged.map(({ text }) => text).join(ending + ending) + end,
    conflicts: merged.reduce((sum, { conflicts }) => sum + conflicts, 0),
  };
}

function notesOf(text: string): Notes {
  const starts = [{ key: "0", start: 0 }];
  const title = findHeadings(text, 0)[0];
  if (title !== undefined) starts.push({ key: "1", start: title.end });
  const seen = new Map<string, number>();
  let before: MarkdownLine | undefined;
  for (const line of eachMarkdownLine(text)) {
    const time = noteTime(before, line);
    if (time !== null && before !== undefined) {
      seen.set(time, (seen.get(time) ?? 0) + 1);
      starts.push({ key: `2 ${time} ${seen.get(time)}`, start: before.start });
    }
    before = line;
  }
  const notes = starts.map(({ key, start }, at) => {
    const note = text.slice(start, starts[at + 1]?.start);
    return [key, note.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd()] as const;
  });
  return new Map(notes.filter(([, note]) => note !== ""));
}

/** The keys of ours; those of the others come before the first one that is later. */
function keysInOrder({ base, ours, theirs }: Three<Notes>): string[] {
  const keys = [...ours.keys()];
  for (const key of [...theirs.keys(), ...base.keys()]) {
    if (keys.includes(key)) continue;
    const later = keys.findIndex((other) => other > key);
    keys.splice(later === -1 ? keys.length : later, 0, key);
  }
  return keys;
}

/** None for a note that one side removed; two if both sides wrote one at the same time. */
function mergeNote(
  { base, ours, theirs }: Three<string | undefined>,
  markers: Markers,
  ending: string,
): Merged[] {
  const kept = (text: string | undefined) => (text === undefined ? [] : [{ text, conflicts: 0 }]);
  if (ours === theirs || theirs === base) return kept(ours);
  if (ours === base) return kept(theirs);
  if (base === undefined) return [...kept(ours), ...kept(underRuler(theirs ?? "", ending))];
  const lines = mapThree({ base, ours, theirs }, (text) => (text === undefined ? "" : text + ending));
  const { text, conflicts } =
    ours === undefined || theirs === undefined ? conflictOf(lines, markers) : mergeLines(lines, { markers });
  return [{ text: text.trimEnd(), conflicts }];
}

/** The first note of a day has no ruler. */
function underRuler(note: string, ending: string): string {
  return note.startsWith("---") ? note : `---${ending}${note}`;
}
