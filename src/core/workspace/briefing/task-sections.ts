import { escapeLine } from "../../lib/escape.ts";
import { quoteBlock, quoteInline, quotePath } from "../../notes/quote.ts";
import { shorten } from "../../notes/short-text.ts";
import { claimOf, endOf, isBack } from "../../notes/task/claim.ts";
import { saidFields } from "../../notes/task/fields.ts";
import { lastNote, lastNoteLines } from "../../notes/task/note-line.ts";
import { inWorkOrder } from "../../notes/task/order.ts";
import {
  isClosed,
  isTaskStatus,
  shownStatuses,
  type TaskStatus,
  WORK_ORDER,
} from "../../notes/task/statuses.ts";
import { findBoxes, isToDo } from "../../notes/task/task.ts";
import type { WorkspaceTask } from "../tasks.ts";
import { BY_STATUS } from "./by-status.ts";
import { type Facts, referencedTasks } from "./facts.ts";
import type { Section } from "./fit.ts";
import { claimTime, heldBy, listHint, quoteDocument, quoteText, taskLabel } from "./texts.ts";

const MAX_BRIEF = 20;
const MAX_OTHER = 10;
// Each is read from disk; later tasks show only their objective.
const MAX_FULL = 10;
const MAX_OBJECTIVE_CHARS = 500;
const MAX_STEPS = 8;
const MAX_STEP_CHARS = 160;
/** Room for its name and the reason. */
const LEAST_BLOCKED = 500;
const MAX_REASON_CHARS = 300;
const SHOWN = "(see Task Details)";

/** The statuses with a section before that of pending. */
function activeStatuses({ tasks }: Facts): TaskStatus[] {
  const shown = shownStatuses(tasks);
  return WORK_ORDER.filter((status) => status !== "pending" && shown.includes(status));
}

/** The tasks at work with objective and progress. */
export function activeSections(facts: Facts): Section[] {
  return activeStatuses(facts).flatMap((status) =>
    section(facts, { status, limit: MAX_BRIEF }, (task) => withObjective(facts, task)),
  );
}

/** The tasks at work with their texts of up to `most` characters, except those in `shown`. */
export function workSections(facts: Facts, shown: readonly WorkspaceTask[], most: number): Section[] {
  return activeStatuses(facts).flatMap((status) =>
    section(facts, { status, limit: MAX_BRIEF }, (task, at) => {
      if (shown.includes(task)) return `### ${taskLabel(task)}\n\n${SHOWN}`;
      return at < MAX_FULL ? fullTask(facts, task, most) : withObjective(facts, task);
    }),
  );
}

/** The pending tasks, ready ones first. */
export function pendingSection(facts: Facts, limit: number, shown: readonly WorkspaceTask[] = []): Section[] {
  const render = (task: WorkspaceTask, at: number) => {
    const facets = [readiness(facts, task), ...saidFields(task, facts.today)].join(", ");
    return `${at + 1}. ${taskLabel(task)} (${facets})\n${shown.includes(task) ? SHOWN : objective(task)}`;
  };
  return section(facts, { status: "pending", limit }, render);
}

function section(
  facts: Facts,
  { status, limit }: { status: TaskStatus; limit: number },
  render: (task: WorkspaceTask, at: number) => string,
): Section[] {
  const { section } = BY_STATUS[status];
  if (section === null) return [];
  const rest = listHint(facts.project, status);
  const tasks = withStatus(facts, status);
  const items = tasks.slice(0, limit).map(render);
  if (items.length < tasks.length) items.push(`And ${tasks.length - items.length} more. ${rest}`);
  const least = status === "blocked" ? { least: LEAST_BLOCKED } : {};
  return [{ ...section, ...least, body: items.join("\n\n"), rest }];
}

/** Tasks without a standard status, which no other section lists. */
export function otherSection({ project, tasks }: Facts): Section[] {
  const other = tasks.filter(({ status }) => !isTaskStatus(status));
  if (other.length === 0) return [];
  const lines = other.slice(0, MAX_OTHER).map((task) => {
    const status = task.status === null ? "no status" : `status ${quoteInline(task.status)}`;
    return `- ${taskLabel(task)} (${status})`;
  });
  const rest = `List all tasks with list_tasks: project ${quotePath(project)}.`;
  if (other.length > MAX_OTHER) lines.push("", `And ${other.length - MAX_OTHER} more. ${rest}`);
  return [{ title: "Tasks with Another Status", body: lines.join("\n"), rank: 1, rest }];
}

/** Heading, progress and dependencies of a task. */
function briefTask(facts: Facts, task: WorkspaceTask): string {
  const { progress, dependencies, owner } = task;
  const lines = [`### ${taskLabel(task)}`, "", `**File:** ${quotePath(task.path)}`];
  lines.push(progress.total === 0 ? "**Progress:** no steps" : `**Progress:** ${steps(task)}`);
  if (owner !== null) lines.push(`**Owner:** ${quoteInline(owner)}${claimNote(facts, task)}`);
  const urgent = saidFields(task, facts.today);
  if (urgent.length > 0) lines.push(`**Urgency:** ${urgent.join(", ")}`);
  const named = dependencies.slice(0, MAX_BRIEF).map((reference) => dependency(facts, reference));
  if (named.length > 0) lines.push(`**Depends on:** ${named.join(", ")}`);
  return lines.join("\n");
}

function claimNote({ now }: Facts, task: WorkspaceTask): string {
  const until = endOf(task);
  if (until === undefined || isClosed(task.status)) return "";
  return `, ${claimOf(task, now) === null ? "whose claim ran out" : "claimed until"} ${claimTime(until)}`;
}

/** A task with its text; with its objective and open steps, if the text is longer than `most`. */
export function fullTask(facts: Facts, task: WorkspaceTask, most: number): string {
  const document = facts.read(task.path);
  if (document === null || document.text.length - document.facts.bodyOffset <= most)
    return `${briefTask(facts, task)}\n${quoteDocument(facts, task.path)}`;
  const open = findBoxes(document.text, document.facts.bodyOffset, "steps")
    .filter(isToDo)
    .map(({ number, text }) => `${number}. ${shorten(escapeLine(text), MAX_STEP_CHARS)}`);
  const more = open.length > MAX_STEPS ? [`… and ${open.length - MAX_STEPS} more`] : [];
  const lines =
    open.length === 0
      ? []
      : [`**Open steps:**\n${quoteBlock([...open.slice(0, MAX_STEPS), ...more].join("\n"))}`];
  return [
    withObjective(facts, task),
    ...lines,
    `Read the rest with read_doc: path ${quotePath(task.path)}.`,
  ].join("\n");
}

/** `3/7 steps completed` */
export function steps({ progress }: WorkspaceTask): string {
  return `${progress.done}/${progress.total} steps completed`;
}

/** In work order; done ones by file name. */
export function withStatus({ tasksByStatus }: Facts, status: string): WorkspaceTask[] {
  const own = tasksByStatus().get(status) ?? [];
  return isClosed(status) ? [...own] : inWorkOrder(own);
}

function withObjective(facts: Facts, task: WorkspaceTask): string {
  const brief = briefTask(facts, task).replace("\n\n", `\n\n${reason(facts, task)}`);
  return [brief, objective(task), ...wordsTo(facts, task)].join("\n");
}

/** The newest note on a blocked task, else what its text says. */
function reason({ read, readSession }: Facts, { status, path }: WorkspaceTask): string {
  const text = status === "blocked" ? read(path)?.text : undefined;
  const said = text && (lastNote(text) ?? readSession(path)?.blocked);
  return said ? `**Reason, as its text says:**\n${quoteText(said, MAX_REASON_CHARS)}\n` : "";
}

/** What others wrote last to the one who works on a task, or whose task came back; of a blocked one, the reason stands there. */
function wordsTo(facts: Facts, task: WorkspaceTask): string[] {
  const { status, owner } = task;
  const isTold = isBack(task) ? status !== "blocked" : status === "in-progress" && owner !== null;
  return isTold ? lastWords(facts, task) : [];
}

/** Tasks that were handed in and are open again, with what was written to them since; only the names of those that stand elsewhere. */
export function backSection(facts: Facts, shown: readonly WorkspaceTask[] = []): Section[] {
  const back = facts.tasks.filter(isBack);
  const active: readonly unknown[] = activeStatuses(facts);
  const items = back.slice(0, MAX_BRIEF).map((task) => {
    const isShown = shown.includes(task) || active.includes(task.status);
    const label = `- ${taskLabel(task)} (since ${task.returned})`;
    return [label, ...(isShown ? [] : lastWords(facts, task))].join("\n");
  });
  const rest = listHint(facts.project, "pending");
  return back.length === 0 ? [] : [{ title: "Came Back", body: items.join("\n\n"), rank: 9, rest }];
}

function lastWords(facts: Facts, task: WorkspaceTask): string[] {
  return lastNoteLines(facts.read(task.path)?.text ?? "", task).map(
    ({ day, writer, note }) => `**${quoteInline(writer)}, ${day}:**\n${quoteText(note, MAX_OBJECTIVE_CHARS)}`,
  );
}

function objective(task: WorkspaceTask): string {
  return task.objective === null || task.objective === ""
    ? "(no objective given)"
    : `**Objective:**\n${quoteText(task.objective, MAX_OBJECTIVE_CHARS)}`;
}

function readiness(facts: Facts, task: WorkspaceTask): string {
  const { ready, open_dependencies } = task;
  if (ready) return "ready";
  const claim = claimOf(task, facts.now);
  if (claim !== null) return `held by ${heldBy(claim)}`;
  const open = open_dependencies.slice(0, MAX_BRIEF).map((reference) => dependency(facts, reference));
  return `waits for ${open.join(", ")}`;
}

/** `003 (done)`, or a note that there is no such task. */
export function dependency(facts: Facts, reference: string): string {
  const [task, second] = referencedTasks(facts, reference);
  if (task === undefined) return `${quoteInline(reference)} (no such task)`;
  const name = second === undefined ? (task.number ?? quotePath(task.filename)) : quoteInline(reference);
  const status = isTaskStatus(task.status) ? task.status : "status unclear";
  return `${name} (${status}${task.archived ? ", archived" : ""})`;
}
