import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import type { DocumentLocation } from "../../notes/document.ts";
import { fieldsOf } from "../../notes/field-names.ts";
import { fieldText } from "../../notes/task/field-kinds.ts";
import { readIfThere } from "../read.ts";
import type { Workspace } from "../workspace.ts";

/** Whether a project wants a person to look before a task is done: `review: required` in the frontmatter of its status.md. */
export function asksReview(root: string, project: string): boolean {
  const settings = readIfThere(root, { project, folder: "", filename: SETTINGS });
  return settings !== undefined && requiresReview(settings.text);
}

const SETTINGS = "status.md";

/** Throws CONFLICT if an agent ends the reviews of a project: with what it leaves of its status.md. */
export function checkReviewStays(
  { history }: Pick<Workspace, "history">,
  location: DocumentLocation | null,
  { before, after }: { before: string | undefined; after: { text: string } | null },
): void {
  if (before === undefined || location?.folder !== "" || location.filename.toLowerCase() !== SETTINGS) return;
  if (history.actor().isPerson || !requiresReview(before) || (after && requiresReview(after.text))) return;
  const { project } = location;
  const message = `Only a person ends the reviews of project ${quoteName(project)}: keep status.md with review: required.`;
  throw new UserError("CONFLICT", message, { details: { project } });
}

function requiresReview(text: string): boolean {
  return fieldText(fieldsOf(parseFrontmatter(text).data)["review"]) === "required";
}

export function reviewNote(status: string | null): string {
  return `This project asks for a review: the task is ${status} once a person approves it.`;
}

/** For bytes that must be written as they are. */
export function notReviewed(path: string, status: string | null): UserError {
  const message = `${reviewNote(status)} Write the status review instead of ${status}.`;
  return new UserError("INVALID_STATUS", message, { details: { path } });
}
