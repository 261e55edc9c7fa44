import type { Checkbox } from "../../markdown/markdown.tsx";
import { ToolError } from "../../mcp-client.ts";
import type { Task } from "../../model.ts";
import { projectOf } from "../../model.ts";
import { call, can } from "../../state.ts";
import { refresh } from "../../tasks.ts";
import type { Doc } from "./model.ts";
import { readDocument } from "./read.ts";
import { stepPlaces } from "./steps.ts";
import { isKeptByUpdate } from "./text.ts";
import { words } from "./words.ts";

/** Whether this person may change the text of documents. */
export function canWrite(): boolean {
  return can("update_doc");
}

/** True if a write was refused because the document is another one by now. */
export function isConflict(error: unknown): boolean {
  return error instanceof ToolError && error.code === "CONFLICT" && typeof error.details["hash"] === "string";
}

/** Gives the file this text, byte for byte. Throws CONFLICT if it is no longer the version `doc`. */
export async function writeText(doc: Doc, text: string): Promise<void> {
  if (text === doc.content) return;
  const { project, folder, filename, hash } = doc;
  if (isKeptByUpdate(doc.content, text) || !can("vault_replace"))
    await call("update_doc", { project, folder, filename, content: text, expected_hash: hash });
  else await replaceWhole(doc, text);
  await refresh(project);
}

/** What update_doc would adapt, such as mixed line endings, or keep, such as the frontmatter. */
async function replaceWhole({ path, content, hash }: Doc, text: string): Promise<void> {
  const now = await readDocument(path);
  const args = { path, find: content, replace: text };
  const isSame =
    now.hash === hash && (await call<{ replacements: number }>("vault_replace", args)).replacements > 0;
  if (isSame) return;
  throw new ToolError({ code: "CONFLICT", message: path, details: { hash: now.hash } });
}

export async function writeFields(doc: Doc, frontmatter: Record<string, unknown>): Promise<void> {
  const { project, folder, filename } = doc;
  await call("update_doc", { project, folder, filename, frontmatter });
  await refresh(project);
}

/**
 * Changes one character of a text that someone sees: as a step of a task, which an agent's change elsewhere does not disturb, or in
 * the text.
 */
export async function writeTick(
  seen: Pick<Doc, "path" | "content">,
  { at, isDone }: Checkbox,
  task: Task | undefined,
): Promise<void> {
  const doc = await readDocument(seen.path);
  const { content, project, path } = doc;
  if (withoutMarks(content) !== withoutMarks(seen.content))
    throw new ToolError({ code: "CONFLICT", message: words.tickConflict });
  const steps = stepPlaces(content);
  const number = steps.indexOf(at) + 1;
  const isStep = number > 0 && task?.path === path && task.progress.total === steps.length;
  if (isStep && can("update_task")) {
    const args = { project, task: task.filename };
    await call("update_task", { ...args, [isDone ? "done_steps" : "open_steps"]: [number] });
    return refresh(project);
  }
  await writeText(doc, content.slice(0, at) + (isDone ? "x" : " ") + content.slice(at + 1));
}

const withoutMarks = (text: string) => text.replace(/\[[ xX]\]/g, "[ ]");

export async function restore(path: string, version: string, hash: string | undefined): Promise<void> {
  await call("restore_doc", { path, version, ...(hash !== undefined && { expected_hash: hash }) });
  await refresh(projectOf(path));
}
