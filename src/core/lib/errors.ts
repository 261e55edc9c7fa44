import { escapeInvisible } from "./escape.ts";

export const ERROR_CODES = [
  "PROJECT_NOT_FOUND",
  "PROJECT_EXISTS",
  "FILE_NOT_FOUND",
  "FILE_EXISTS",
  "INVALID_FOLDER",
  "INVALID_PATH",
  "INVALID_STATUS",
  "INVALID_QUERY",
  "INVALID_ARGUMENT",
  "CONFLICT",
  "READ_ONLY",
  "INDEX_ERROR",
  "FILESYSTEM_ERROR",
  // The vault tools have codes of their own.
  "invalid_parameter",
  "invalid_path",
  "out_of_scope",
  "not_found",
  "forbidden",
  "conflict",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What to do next, in terms of tools, for agents; every other reader has a wording of each. */
export const NEXT_STEPS = {
  "create-project": "Create one with init_project or, on the command line, `vibe-mcp init my-project`.",
  "choose-project": "list_projects shows them all; init_project creates a new one.",
  "list-projects":
    "Use names as list_projects shows them: no '..', no hidden or absolute names, no links that lead out.",
  "list-documents": "Call list_projects with this project, or search, to see what exists.",
  "read-file": "vault_read reads it.",
  "list-tasks": "Call list_tasks to see its tasks.",
  "edit-text": "Change the text with update_doc.",
  "resolve-conflict":
    "Read it with read_doc, then send the whole text with frontmatter and without the markers to update_doc.",
  "correct-frontmatter": "Send the whole content with a corrected frontmatter block to update_doc.",
  "change-existing": "Use update_doc to change it, or choose another name.",
  "read-again": "Read it again with read_doc, then repeat the change with its hash.",
  "read-plan-again": "Read it again with get_plan, then repeat the change with its hash.",
  "restore-task": "To work on it, restore it first: archive_tasks with restore.",
  "claim-another": "Call claim_task without 'task' to take another one.",
  "claim-or-reopen":
    "Call claim_task without 'task' to take another one, or update_task_status to reopen it.",
  "restore-anyway":
    "Look at the diff. To replace it anyway, call restore_doc with its present hash as expected_hash.",
};

export type NextStep = keyof typeof NEXT_STEPS;

interface Options {
  details?: Record<string, unknown>;
  cause?: unknown;
  /** About the project in `details`. */
  next?: NextStep;
}

/** A file is not what it was when it was read. */
export function changedMeanwhile(shown: string, advice: string, details = {}): UserError {
  return new UserError("CONFLICT", `${shown} was changed by another program. ${advice}`, { details });
}

/** An expected failure; its message, shown to the client, says what is wrong and what to do next. */
export class UserError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  /** The message without the sentence for `next`. */
  readonly problem: string;
  readonly next: NextStep | undefined;

  constructor(code: ErrorCode, problem: string, { details = {}, cause, next }: Options = {}) {
    const shown = escapeInvisible(problem);
    super(next === undefined ? shown : `${shown} ${NEXT_STEPS[next]}`, { cause });
    this.name = "UserError";
    this.code = code;
    this.details = details;
    this.problem = shown;
    this.next = next;
  }
}
