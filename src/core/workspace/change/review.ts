import { UserError } from "../../lib/errors.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { fieldsOf } from "../../notes/field-names.ts";
import { fieldText } from "../../notes/task/field-kinds.ts";
import { readIfThere } from "../read.ts";

/** Whether a project wants a person to look before a task is done: `review: required` in the frontmatter of its status.md. */
export function asksReview(root: string, project: string): boolean {
  const settings = readIfThere(root, { project, folder: "", filename: "status.md" });
  return (
    settings !== undefined &&
    fieldText(fieldsOf(parseFrontmatter(settings.text).data)["review"]) === "required"
  );
}

export function reviewNote(status: string | null): string {
  return `This project asks for a review: the task is ${status} once a person approves it.`;
}

/** For bytes that must be written as they are. */
export function notReviewed(path: string, status: string | null): UserError {
  const message = `${reviewNote(status)} Write the status review instead of ${status}.`;
  return new UserError("INVALID_STATUS", message, { details: { path } });
}
