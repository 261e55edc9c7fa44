import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { mapThree, mergeValues, type Three } from "../../markdown/merge-regions.ts";
import { keysFor } from "../field-names.ts";
import { setFields } from "../set-fields.ts";
import { changeTask, fieldIn } from "../task/edit.ts";
import { fieldLines } from "../task/field-lines.ts";
import { TASK_FIELDS, type TaskField, writtenFields } from "../task/fields.ts";
import { labelOf } from "../task/labels.ts";
import { withAlikeStatus } from "../task/status.ts";
import { type Box, type BoxSection, findBoxes, markBoxes } from "../task/task.ts";
import { mergeLists } from "./frontmatter.ts";

/** Whose facts count where the sides contradict; undefined if a person has to decide. */
type Prefer = "theirs" | undefined;

/** The texts with the status, the fields and the ticks of their merge in all three, so that only what contradicts itself differs. */
export function alikeFacts(texts: Three<string>, prefer: Prefer): Three<string> {
  const said = TASK_FIELDS.reduce(
    (all, name) => withAlikeField(all, name, prefer),
    withAlikeStatus(texts, prefer),
  );
  return withAlikeBoxes(withAlikeBoxes(said, "steps", prefer), "criteria", prefer);
}

/** Of a field that stands behind a label anywhere; if the sides contradict in different places, it stands in the frontmatter of all. */
function withAlikeField(texts: Three<string>, name: TaskField, prefer: Prefer): Three<string> {
  const places = Object.values(texts).map((text) => placeOf(text, name));
  if (!places.includes("line")) return texts;
  const says = mapThree(texts, (text) => fieldIn(text, name));
  const { base, ours, theirs } = mapThree(says, (value) => JSON.stringify(value ?? null));
  const merged = mergeValues({ base, ours, theirs }) ?? unitedTags(says) ?? (prefer && theirs);
  if (merged === undefined && new Set(places).size === 1) return texts;
  return mapThree(texts, (text) => {
    const value = fieldIn(text, name);
    if (isEmpty(value)) return text;
    if (merged !== undefined) return changeTask(text, { [name]: JSON.parse(merged) }).text;
    return setFields(changeTask(text, { [name]: null }).text, writtenFields({ [name]: value }));
  });
}

function placeOf(text: string, name: TaskField): "line" | "frontmatter" | "none" {
  const { data, bodyOffset } = parseFrontmatter(text);
  if (fieldLines(text, bodyOffset).some((line) => line.name === name)) return "line";
  return keysFor(data, name).length > 0 ? "frontmatter" : "none";
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function unitedTags({ base = [], ours, theirs }: Three<unknown>): string | undefined {
  const united = mergeLists({ base, ours, theirs });
  return united === null ? undefined : JSON.stringify(united);
}

function withAlikeBoxes(texts: Three<string>, section: BoxSection, prefer: Prefer): Three<string> {
  const boxes = mapThree(texts, (text) => boxesByText(text, section));
  const merged = new Map<string, Box>();
  for (const [text, ours] of boxes.ours) {
    const theirs = boxes.theirs.get(text);
    if (theirs === undefined) continue;
    // A box that both added is ticked if either is.
    const [base, own, other] = [boxes.base.get(text), ours, theirs].map((box) => box && stateOf(box));
    const state = mergeValues({ base: base ?? "open", ours: own, theirs: other }) ?? (prefer && other);
    if (state !== undefined) merged.set(text, state === own ? ours : theirs);
  }
  const marked = (text: string, own: ReadonlyMap<string, Box>) =>
    markBoxes(text, [...own.values()], (box) => {
      const as = merged.get(box.text) ?? box;
      return stateOf(as) === stateOf(box) ? null : as.mark;
    });
  return {
    base: marked(texts.base, boxes.base),
    ours: marked(texts.ours, boxes.ours),
    theirs: marked(texts.theirs, boxes.theirs),
  };
}

/** Among open ones, a mark is text. */
function stateOf({ isDone, isDropped }: Box): "done" | "dropped" | "open" {
  if (isDone) return "done";
  return isDropped ? "dropped" : "open";
}

/** Without boxes whose text another one has. */
function boxesByText(text: string, section: BoxSection): Map<string, Box> {
  const boxes = findBoxes(text, parseFrontmatter(text).bodyOffset, section);
  const counts = new Map<string, number>();
  for (const box of boxes) counts.set(box.text, (counts.get(box.text) ?? 0) + 1);
  return new Map(boxes.filter((box) => counts.get(box.text) === 1).map((box) => [box.text, box]));
}

/** Whether two additions do not both say a status, and another one. */
export function areApart(...additions: readonly (readonly string[])[]): boolean {
  const [own, other] = additions.map((lines) => lines.find((line) => labelOf(line, "status")));
  return own === undefined || other === undefined || own === other;
}
