import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { oneLine } from "../../markdown/embed.ts";
import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  taskKey,
} from "../../notes/document.ts";
import { fieldsOf, nameOfKey } from "../../notes/field-names.ts";
import { parseTaskNumber, projectOf } from "../../notes/names.ts";
import { MAX_TITLE_CHARS } from "../../notes/task/file.ts";
import { readStatuses, reconcileStatus } from "../../notes/task/status.ts";
import { normalizeStatus } from "../../notes/task/status-word.ts";
import { isTaskStatus } from "../../notes/task/statuses.ts";
import { type BoxSection, openBoxes, parseTask } from "../../notes/task/task.ts";
import { listTaskFiles } from "../../workspace/find/task-files.ts";
import { missingTasks } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkNotBlank, invalidStatus } from "../arguments.ts";
import { hint, hintOf } from "./params.ts";

type Fields = Record<string, unknown> | undefined;

/** Throws INVALID_ARGUMENT for a title that is empty, or too long for one: cutting it would lose text. */
export function checkTaskTitle(title: string): void {
  checkNotBlank("title", title, "Say in a few words what to do.");
  const { length } = oneLine(title);
  if (length <= MAX_TITLE_CHARS) return;
  const message = `'title' has ${length} characters, and may have ${MAX_TITLE_CHARS}. Say in a few words what to do; the rest belongs in 'objective'.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "title" } });
}

/** Fields for the frontmatter of a task, with a standard status; null removes it. Throws INVALID_STATUS. */
export function taskFields(frontmatter: NonNullable<Fields>): NonNullable<Fields> {
  return Object.fromEntries(
    Object.entries(frontmatter).map(([key, value]) => {
      if (nameOfKey(key) !== "status" || value === null) return [key, value];
      const status = typeof value === "string" ? normalizeStatus(value) : null;
      if (!isTaskStatus(status)) throw invalidStatus(value);
      return [key, status];
    }),
  );
}

/** Tasks that wait for each other. */
export function circleHint(
  circle: readonly { number: string | null; filename: string }[] | null,
): string | null {
  if (circle === null) return null;
  const [first, ...others] = circle.map(({ number, filename }) => number ?? quoteName(filename));
  const way = [first, ...others, first].join(" → ");
  return `${way}: these tasks wait for each other, so none of them can start. Remove one of these dependencies.`;
}

/** Other tasks with the number of this one, which no call finds by its number any more. */
export function numberHint(root: string, path: string): string | null {
  const number = parseTaskNumber(path);
  const key = number === null ? undefined : taskKey(path);
  if (key === undefined) return null;
  const others = listTaskFiles(root, projectOf(path)).filter((one) => one !== path && taskKey(one) === key);
  if (others.length === 0) return null;
  return `Number ${number} is also that of ${listNames(others)}: name these tasks by file, or give one of them a free number with move_doc.`;
}

/** The edited text of a task, with one status. */
export function editTask(text: string, { before, frontmatter }: { before: string; frontmatter: Fields }) {
  return reconcileStatus(text, { before, isExplicit: statusIn(frontmatter) !== null });
}

function statusIn(frontmatter: Fields): unknown {
  return fieldsOf(frontmatter ?? {})["status"] ?? null;
}

/** The fields that say which dependencies do not exist. */
export const missingResult = () => ({ missing_dependencies: z.array(z.string()).optional(), hint: hint() });

/** Those fields, and the other hints. */
export function missingOf(
  workspace: Workspace,
  { project, dependencies }: { project: string; dependencies: readonly string[] },
  ...hints: (string | null)[]
) {
  const missing = missingTasks(workspace, project, dependencies);
  if (missing.length === 0) return hintOf(...hints);
  const which = `There is no task ${listNames(missing)}.`;
  const next =
    "Until there is, this one cannot start: create it, or correct them: update_task with dependencies.";
  return { missing_dependencies: missing, ...hintOf(...hints, `${which} ${next}`) };
}

/** Fields of a task that a tool writes where its note keeps them. */
export function ownedHint(frontmatter: Fields): string | null {
  const names = Object.keys(fieldsOf(frontmatter ?? {}));
  if (names.includes("dependencies")) return "update_task sets dependencies where the task keeps them.";
  return names.includes("claimed_until") ? "claim_task takes a task." : null;
}

/** What an edit wrote in a form that is not read; null if nothing. */
export function unreadHint(after: DocumentFacts, before?: DocumentFacts): string | null {
  const added = after.unread.filter((one) => before?.unread.includes(one) !== true);
  return added.length === 0 ? null : `In the frontmatter, ${added.join("; ")}.`;
}

/** The dependencies that an edit added to a task. */
export function addedDependencies(location: DocumentLocation, text: string, before: DocumentFacts): string[] {
  const dependencies = describeDocument(location, text).task?.dependencies ?? [];
  return dependencies.filter((reference) => before.task?.dependencies.includes(reference) !== true);
}

/** What a document in `tasks/` lacks to be listed as a task; null if nothing. */
export function whatTaskLacks(text: string, { task, status, bodyOffset }: DocumentFacts): string | null {
  const lacking = [
    parseTask(text, bodyOffset).title === null && "title ('# Task: …')",
    !isTaskStatus(status) && "status ('Status: pending')",
    !task?.objective && "'## Objective'",
    task?.number == null && "number at the start of its name",
  ].filter((part) => part !== false);
  if (lacking.length === 0) return disagreement(text);
  return `As a task it has no ${lacking.join(", no ")}. Prefer create_task, which writes all of them; update_doc can add to the text.`;
}

function disagreement(text: string): string | null {
  const { frontmatter, line } = readStatuses(text);
  if (frontmatter === null || line === null || frontmatter === line) return null;
  return `Its frontmatter says ${quoteName(frontmatter)}, its Status line ${quoteName(line)}: the frontmatter counts. update_task_status sets both.`;
}

type Open = Record<BoxSection, readonly number[]>;

/** What an edit of a task's text, or a new one, leaves unticked by setting it to done. */
export function doneHint(
  location: DocumentLocation,
  { before, text }: { before: string | null; text: string },
): string | null {
  const after = describeDocument(location, text);
  const wasDone = before !== null && describeDocument(location, before).status === "done";
  if (after.task === null || after.status !== "done" || wasDone) return null;
  return openHint(openBoxes(text, after.bodyOffset));
}

/** The field for what a finished task leaves unticked; none if it is nothing. */
export function openOf({ steps, criteria }: Open) {
  const open = { steps: steps.length, criteria: criteria.length };
  return steps.length + criteria.length === 0 ? {} : { open };
}

/** What a finished task leaves unticked, as a hint for agents and people. */
export function openHint({ steps, criteria }: Open): string | null {
  const parts = [
    [steps, counted(steps.length, "open step")],
    [criteria, counted(criteria.length, "open criterion", "open criteria")],
  ] as const;
  const left = parts.filter(([numbers]) => numbers.length > 0);
  if (left.length === 0) return null;
  const what = left.map(([numbers, text]) => `${text} (${listNames(numbers.map(String))})`).join(" and ");
  return `It is done with ${what}. Tick what is met, or reopen it.`;
}
