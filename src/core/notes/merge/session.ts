import { groupBy } from "../../lib/collections.ts";
import { eachMarkdownLine, type MarkdownLine } from "../../markdown/blocks.ts";
import { trackedHeadings } from "../../markdown/headings.ts";
import { lineEnding, withLineEndings } from "../../markdown/line-endings.ts";
import { conflictOf, type Merged, mergeLines, type Show } from "../../markdown/merge-lines.ts";
import { mapThree, mergeRegions, type Three } from "../../markdown/merge-regions.ts";
import { noteTime } from "../session/notes.ts";

/** The notes of a day without the white space behind them, by keys that sort by time: the title is `0`, the note under it `1`. */
type Notes = ReadonlyMap<string, readonly string[]>;

/** Merges the session notes of a day: those that one side added stay, in the order of their times. */
export function mergeSession(texts: Three<string>, show: Show): Merged {
  const like = texts.ours || texts.theirs;
  const ending = lineEnding(like);
  const notes = mapThree(texts, (text) => notesOf(withLineEndings(text, ending)));
  const merged = keysInOrder(notes).flatMap((key) => {
    const ofKey = mapThree(notes, (all) => all.get(key) ?? []);
    return mergeTime(ofKey, show, ending);
  });
  const written = merged.filter(({ text }) => text !== "").map(({ text }) => text);
  return {
    text: written.join(ending + ending) + like.slice(like.trimEnd().length),
    conflicts: merged.reduce((sum, { conflicts }) => sum + conflicts, 0),
  };
}

function notesOf(text: string): Notes {
  const starts = [{ key: "0", start: 0 }];
  for (const title of trackedHeadings(text)) {
    starts.push({ key: "1", start: title.end });
    break;
  }
  let before: MarkdownLine | undefined;
  for (const line of eachMarkdownLine(text)) {
    const time = noteTime(before, line);
    if (time !== null && before !== undefined) starts.push({ key: `2 ${time}`, start: before.start });
    before = line;
  }
  const notes = starts.flatMap(({ key, start }, at) => {
    const note = text.slice(start, starts[at + 1]?.start);
    const written = note.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
    return written === "" ? [] : [{ key, written }];
  });
  const byKey = groupBy(notes, ({ key }) => key);
  return new Map([...byKey].map(([key, all]) => [key, all.map(({ written }) => written)]));
}

/** The keys of ours; those of the others come before the first one that is later. */
function keysInOrder({ base, ours, theirs }: Three<Notes>): string[] {
  const others = [...new Set([...theirs.keys(), ...base.keys()])].filter((key) => !ours.has(key)).sort();
  const keys: string[] = [];
  let next = 0;
  for (const key of ours.keys()) {
    for (let other = others[next]; other !== undefined && other < key; other = others[++next])
      keys.push(other);
    keys.push(key);
  }
  return [...keys, ...others.slice(next)];
}

/** The notes of one time: those of both sides if both wrote some, none for one that a side removed. */
function mergeTime(notes: Three<readonly string[]>, show: Show, ending: string): Merged[] {
  const plain = (text: string): Merged => ({ text, conflicts: 0 });
  return mergeRegions(notes, (note) => note).flatMap((region) => {
    if ("merged" in region) return region.merged.map(plain);
    const { base, ours, theirs } = region.conflict;
    if (base.length === 0) return unite(ours, theirs, ending).map(plain);
    const most = Math.max(base.length, ours.length, theirs.length);
    const rows = Array.from({ length: most }, (_, at) => mapThree(region.conflict, (all) => all[at]));
    return rows.flatMap((row) => mergeNote(row, show, ending));
  });
}

/** Each note that both sides added once, ours first, and a note that one side has with others under it as it is there. */
function unite(ours: readonly string[], theirs: readonly string[], ending: string): readonly string[] {
  const gap = ending + ending;
  const [own, known] = [ours.join(gap), new Set(ours)];
  if (own !== "" && theirs[0]?.startsWith(`${own}${gap}---${ending}`)) return theirs;
  const ruled = theirs.filter((note) => !known.has(note)).map((note) => underRuler(note, ending));
  return [...ours, ...ruled.filter((note) => !own.endsWith(gap + note))];
}

function mergeNote({ base, ours, theirs }: Three<string | undefined>, show: Show, ending: string): Merged[] {
  const kept = (text: string | undefined) => (text === undefined ? [] : [{ text, conflicts: 0 }]);
  if (ours === theirs || theirs === base) return kept(ours);
  if (ours === base) return kept(theirs);
  if (base === undefined) return [...kept(ours), ...kept(theirs && underRuler(theirs, ending))];
  const lines = mapThree({ base, ours, theirs }, (text) => (text === undefined ? "" : text + ending));
  const { text, conflicts } =
    ours === undefined || theirs === undefined
      ? conflictOf(lines, show)
      : mergeLines(lines, { show, mayUnite: () => true });
  return [{ text: text.trimEnd(), conflicts }];
}

/** The first note of a day has no ruler. */
function underRuler(note: string, ending: string): string {
  return note.startsWith("---") ? note : `---${ending}${note}`;
}
