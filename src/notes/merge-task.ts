import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { mapThree, type Three } from "../markdown/merge-regions.ts";
import { readStatuses, setTaskStatus } from "./status-edit.ts";
import { type Box, type BoxSection, findBoxes } from "./task.ts";

/** The texts with the status and the ticks of their merge in all three, so that only what contradicts itself differs. */
export function alikeFacts(texts: Three<string>): Three<string> {
  return withAlikeBoxes(withAlikeBoxes(withAlikeStatus(texts), "steps"), "criteria");
}

/** What one side made of a value, if the other left it or made it the same; undefined for a contradiction. */
function mergeValues<T>({ base, ours, theirs }: Three<T>): T | undefined {
  if (ours === base) return theirs;
  return theirs === base || theirs === ours ? ours : undefined;
}

function withAlikeStatus(texts: Three<string>): Three<string> {
  const statuses = mapThree(texts, readStatuses);
  const { base } = statuses;
  const changed = mapThree(statuses, ({ frontmatter, line }) =>
    frontmatter !== null && frontmatter !== base.frontmatter ? frontmatter : (line ?? frontmatter),
  );
  const status = mergeValues(changed);
  if (status == null || Object.values(changed).includes(null)) return texts;
  return mapThree(texts, (text) => {
    const { frontmatter, line } = readStatuses(text);
    return (frontmatter ?? status) === status && (line ?? status) === status
      ? text
      : setTaskStatus(text, status);
  });
}

function withAlikeBoxes(texts: Three<string>, section: BoxSection): Three<string> {
  const boxes = mapThree(texts, (text) => boxesByText(text, section));
  const isDone = new Map<string, boolean>();
  for (const [text, ours] of boxes.ours) {
    const theirs = boxes.theirs.get(text);
    if (theirs === undefined) continue;
    // A box that both added is ticked if either is.
    const base = boxes.base.get(text)?.isDone ?? false;
    const merged = mergeValues({ base, ours: ours.isDone, theirs: theirs.isDone });
    if (merged !== undefined) isDone.set(text, merged);
  }
  const marked = (text: string, all: ReadonlyMap<string, Box>) => {
    let result = text;
    for (const [name, { markAt, isDone: was }] of all) {
      const is = isDone.get(name) ?? was;
      if (is !== was) result = `${result.slice(0, markAt)}${is ? "x" : " "}${result.slice(markAt + 1)}`;
    }
    return result;
  };
  return {
    base: marked(texts.base, boxes.base),
    ours: marked(texts.ours, boxes.ours),
    theirs: marked(texts.theirs, boxes.theirs),
  };
}

/** Without boxes whose text another one has. */
function boxesByText(text: string, section: BoxSection): Map<string, Box> {
  const boxes = findBoxes(text, parseFrontmatter(text).bodyOffset, section);
  const counts = new Map<string, number>();
  for (const box of boxes) counts.set(box.text, (counts.get(box.text) ?? 0) + 1);
  return new Map(boxes.filter((box) => counts.get(box.text) === 1).map((box) => [box.text, box]));
}

const BOX = /^([ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+\[[ xX]\][ \t]+)(.*)$/;

/** Boxes that both sides added at one place stay, ours first, with their numbers counted on; null if they share one. */
export function uniteBoxes(ours: readonly string[], theirs: readonly string[]): string[] | null {
  const [own, other] = [ours, theirs].map((lines) => lines.map((line) => BOX.exec(line)));
  if (own === undefined || other === undefined || [...own, ...other].includes(null)) return null;
  const texts = [...own, ...other].map((box) => box?.[6]);
  if (new Set(texts).size < texts.length) return null;
  let number = Number(own.at(-1)?.[3]);
  const counted = other.map((box, at) => {
    const [, margin, bullet, digits, dot, mark, text] = box ?? [];
    if (bullet !== undefined || digits === undefined || Number.isNaN(number)) return theirs[at] ?? "";
    number++;
    return `${margin}${number}${dot}${mark}${text}`;
  });
  return [...ours, ...counted];
}
