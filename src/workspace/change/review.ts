import { UserError } from "../../lib/errors.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { type DocumentLocation, describeDocument, documentPath } from "../../notes/document.ts";
import { setTaskStatus } from "../../notes/status-edit.ts";
import { readIfThere } from "../read.ts";
import type { Workspace } from "../workspace.ts";

type Served = Pick<Workspace, "root" | "history">;

/** Whether a project wants a person to look before a task is done: `review: required` in the frontmatter of its status.md. */
export function asksReview(root: string, project: string): boolean {
  const settings = readIfThere(root, { project, folder: "", filename: "status.md" });
  return settings !== undefined && parseFrontmatter(settings.text).data["review"] === "required";
}

export const REVIEW_NOTE = "This project asks for a review: the task is done once a person approves it.";

/** What an agent may make of a task: where a project asks for a review, done becomes review, and the note says so. */
export function keepReview(
  served: Served,
  location: DocumentLocation,
  { before, text }: { before: string | null; text: string },
): { text: string; note: string | null } {
  return isGated(served, location, { before, text })
    ? { text: setTaskStatus(text, "review"), note: REVIEW_NOTE }
    : { text, note: null };
}

/** The same for bytes that must be written as they are. Throws INVALID_STATUS. */
export function checkReview(
  served: Served,
  location: DocumentLocation,
  texts: { before: string | null; text: string },
): void {
  if (!isGated(served, location, texts)) return;
  const message = `${REVIEW_NOTE} Write the status review instead of done.`;
  throw new UserError("INVALID_STATUS", message, { details: { path: documentPath(location) } });
}

function isGated(
  { root, history }: Served,
  location: DocumentLocation,
  { before, text }: { before: string | null; text: string },
): boolean {
  const isDone = (one: string) => {
    const { task, status } = describeDocument(location, one);
    return task !== null && status === "done";
  };
  if (history.isPerson || !isDone(text) || (before !== null && isDone(before))) return false;
  return asksReview(root, location.project);
}
