import { BOX } from "../../../core/markdown/box.ts";
import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { mergeNotes } from "../../../core/notes/merge/merge.ts";
import { baseName, projectOf, taskName } from "../../../core/notes/names.ts";
import { MAX_PICTURE_BYTES } from "../../../core/notes/pictures.ts";
import { repositoryFile } from "../../../core/notes/repository-path.ts";
import { isSessionPath } from "../../../core/notes/session/file.ts";
import { findBoxes } from "../../../core/notes/task/task.ts";
import { writerOf } from "../../activity/groups.ts";
import type { Page } from "../../activity/model.ts";
import { activity } from "../../activity/store.ts";
import { shownName } from "../../activity/who.tsx";
import { change, changing, isOwn } from "../../changes.ts";
import { say, words } from "../../language.ts";
import type { Checkbox } from "../../markdown/markdown.tsx";
import { ToolError } from "../../mcp-client.ts";
import type { Task } from "../../model.ts";
import { navigate } from "../../route.ts";
import { can, state } from "../../state.ts";
import { nameAt } from "../../task-list.ts";
import { type Draft, keepDraft } from "./draft.ts";
import type { Doc } from "./model.ts";
import { readDocument } from "./read.ts";
import { applyTyped, markerSize, mergedLines, typedText } from "./text.ts";

/** Whether this person may change a document here: a repository's files change in the repository. */
export function canWrite(path: string, tool = "update_doc"): boolean {
  return can(tool) && repositoryFile(path) === undefined;
}

/** True if a write was refused because the document is another one by now. */
export function isConflict(error: unknown): error is ToolError {
  return error instanceof ToolError && error.code === "CONFLICT" && typeof error.details["hash"] === "string";
}

/** Gives the file this text, byte for byte. Throws CONFLICT if it is no longer the version `doc`. */
export async function writeText(doc: Doc, text: string): Promise<void> {
  if (text === doc.content) return;
  const { project, path, hash } = doc;
  const args = { path, content: text, exact: true, expected_hash: hash };
  await change(project, "update_doc", args, say(words.document.saved, { name: nameOf(path) }));
}

/** What people call a document. */
const nameOf = (path: string) => nameAt(state.get().tasks, path);

/**
 * Saves what someone typed, merged with what others wrote since they began. Undefined if it is saved; else both changed the same
 * lines, and the draft has both versions of these between markers.
 */
export async function saveDraft(draft: Draft, seen: Doc): Promise<Draft | undefined> {
  const { path } = seen;
  const ours = applyTyped(draft.base, draft.text);
  const names = { ours: words.document.you, theirs: nameOfLast(path) };
  for (let doc = seen; ; doc = await readDocument(path)) {
    const theirs = doc.content;
    const show = { ...names, size: markerSize([ours, theirs]) };
    const merged = mergeNotes({ base: draft.base, ours, theirs }, { isSession: isSessionPath(path), show });
    if (merged.conflicts > 0) {
      const text = typedText(merged.text);
      return { text, base: theirs, merged: mergedLines(draft.base, theirs, text) };
    }
    try {
      await writeText(doc, merged.text);
      return undefined;
    } catch (error) {
      // Another write was first.
      if (!isConflict(error)) throw error;
    }
  }
}

/** Who else changed a document last. */
export function nameOfLast(path: string): string {
  const last = activity.get().entries?.find((entry) => entry.path === path && !isOwn(entry.change));
  return last === undefined ? words.document.someone : shownName(writerOf(last));
}

/**
 * Changes one character of a text that someone sees: as a step or criterion of a task, or in the text. What changed elsewhere
 * since they saw it does not disturb.
 */
export async function writeTick(
  seen: Pick<Doc, "path" | "content">,
  { at: seenAt, isDone }: Checkbox,
  task: Task | undefined,
): Promise<void> {
  const doc = await readDocument(seen.path);
  const { content, project, path } = doc;
  const at = placeNow(seenAt, seen.content, content);
  if (at === undefined) throw new ToolError({ code: "CONFLICT", message: words.document.tickConflict });
  const box = task?.path === path && can("update_task") ? boxAt(content, at) : undefined;
  if (task !== undefined && box !== undefined) {
    const said = isDone ? words.document.ticked : words.document.unticked;
    const args = {
      project,
      task: task.filename,
      [`${isDone ? "done" : "open"}_${box.section}`]: [box.number],
    };
    return change(project, "update_task", args, say(said, { name: taskName(task) }));
  }
  await writeText(doc, content.slice(0, at) + (isDone ? "x" : " ") + content.slice(at + 1));
}

/** The step or criterion whose mark stands there. */
function boxAt(content: string, at: number) {
  const { bodyOffset } = parseFrontmatter(content);
  for (const section of ["steps", "criteria"] as const) {
    const box = findBoxes(content, bodyOffset, section).find(({ markAt }) => markAt === at);
    if (box !== undefined) return { section, number: box.number };
  }
  return undefined;
}

const BOX_LINES = new RegExp(`^(.*?)${BOX}(.*)$`, "gmu");

/** The place of a mark in a text that is another one by now; undefined if the lines with boxes are no longer the same. */
function placeNow(at: number, seen: string, now: string): number | undefined {
  const [before = [], after = []] = [seen, now].map((text) =>
    [...text.matchAll(BOX_LINES)].map(({ index, 1: start = "", 2: rest = "" }) => ({
      at: index + start.length + 1,
      line: start + rest,
    })),
  );
  const isSame = before.length === after.length && before.every(({ line }, n) => line === after[n]?.line);
  return isSame ? after[before.findIndex((box) => box.at === at)]?.at : undefined;
}

/** Gives a file the text it had before a change; what others wrote since the person saw the file is merged with that as in the editor. */
export async function restore(path: string, before: Page, seen: Doc | undefined): Promise<void> {
  const args = { path, change: before.versions[0]?.change, ...(seen && { expected_hash: seen.hash }) };
  const said = say(words.document.restored, { path: nameOf(path) });
  const merge = async (error: unknown) => {
    if (!isConflict(error) || seen === undefined || before.next_offset !== undefined) throw error;
    const open = await saveDraft({ base: seen.content, text: typedText(before.content ?? "") }, seen);
    if (open === undefined) return;
    keepDraft(path, open);
    navigate("document", { path, show: "edit" });
  };
  await change(projectOf(path), "restore_doc", args, said).catch(merge);
}

/** Saves a picture in the assets of a document's project, and returns what shows it in the document. Throws what cannot be saved. */
export async function addPicture(path: string, picture: File): Promise<string> {
  if (picture.size > MAX_PICTURE_BYTES || !picture.type.startsWith("image/"))
    throw new Error(words.document.noPicture);
  const [project = "", ...inner] = path.split("/");
  const { addPicture: add, done } = changing();
  const saved = await add(project, picture);
  done(say(words.document.saved, { name: saved }));
  const target = "../".repeat(inner.length - 1) + saved.slice(project.length + 1);
  return `![${baseName(saved).replace(/\.[^.]+$/, "")}](${target})`;
}
