import type { Clock } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { listNames, quoteName } from "../lib/escape.ts";
import { isDated } from "../notes/names.ts";
import { type Claim, claimOf, isBack } from "../notes/task/claim.ts";
import type { LeftOut } from "../notes/task/left-out.ts";
import { lastNoteLines } from "../notes/task/note-line.ts";
import { byUrgency } from "../notes/task/order.ts";
import { isClosed, isTaskStatus } from "../notes/task/statuses.ts";
import type { Document } from "./read.ts";
import type { WorkspaceTask } from "./tasks.ts";

const MAX_REASONS = 5;
const MAX_NOTE_CHARS = 500;

/** Ready tasks that cannot be claimed, with the reasons. */
export type Skipped = ReadonlyMap<WorkspaceTask, string>;

/** What each open task waits for, the most urgent first; `skipped` says why ready ones cannot be claimed. */
export function whyNone(clock: Clock, tasks: readonly WorkspaceTask[], skipped: Skipped = new Map()): string {
  const open = byUrgency(tasks.filter(({ status }) => !isClosed(status)));
  if (tasks.length === 0) return "The project has no tasks: create one.";
  if (open.length === 0) return "All tasks are done or cancelled: create another one.";
  const now = clock.now().getTime();
  // What a person must repair comes first.
  open.sort((a, b) => Number(skipped.has(b)) - Number(skipped.has(a)));
  const reasons = open.slice(0, MAX_REASONS).map((task) => {
    const problem = skipped.get(task);
    return problem === undefined ? `${nameOf(task)} ${obstacle(task, now)}` : cannotClaim(task, problem);
  });
  const more = open.length > MAX_REASONS ? `; and ${open.length - MAX_REASONS} more` : "";
  return `No task is ready: ${reasons.join("; ")}${more}.`;
}

function obstacle(task: WorkspaceTask, now: number): string {
  const claim = claimOf(task, now);
  if (claim !== null) return `is held by ${holder(claim)}`;
  if (task.open_dependencies.length > 0) return `waits for ${listNames(task.open_dependencies, MAX_REASONS)}`;
  const isStarted = task.status === "in-progress";
  if (isStarted && task.claimed_from !== undefined)
    return `was ${quoteName(task.claimed_from)} before a claim that ran out: name it to take it`;
  if ((isStarted || task.ready) && task.owner !== null)
    return `is assigned to ${quoteName(task.owner)}: name it to take it`;
  if (isStarted) return "is in progress without an owner: name it to take it";
  if (isDated(task.filename) && task.status === "pending") return "is named by a day: name it to take it";
  if (task.form !== undefined) return task.form;
  if (task.status === "blocked") return "is blocked";
  return isTaskStatus(task.status) ? `has the status ${task.status}` : "has no known status";
}

export function noTask({ path, reason }: LeftOut): string {
  return `${quoteName(path)} is no task: ${reason}.`;
}

/** `problem` is the message of an error. */
export function cannotClaim(task: WorkspaceTask, problem: string): string {
  return `${nameOf(task)} cannot be claimed: ${problem.replace(/\.$/, "")}`;
}

export function nameOf({ number, filename }: WorkspaceTask): string {
  return number ?? quoteName(filename);
}

function holder({ owner, until }: Claim): string {
  return `${quoteName(owner)} until ${until}`;
}

export function held(path: string, claim: Claim): UserError {
  const message = `${quoteName(path)} is held by ${holder(claim)}.`;
  const details = { path, owner: claim.owner, claimed_until: claim.until };
  return new UserError("CONFLICT", message, { details, next: "claim-another" });
}

export function heldBySession(path: string, { owner, since }: { owner: string; since: string }): UserError {
  const message = `${quoteName(path)} is held by another session of the name ${quoteName(owner)}, since ${since.slice(0, 16)}Z. Claim it again to take it over.`;
  return new UserError("CONFLICT", message, { details: { path, owner, since }, next: "claim-another" });
}

export function claimedElsewhere(path: string, owner: string): UserError {
  const message = `${quoteName(path)} was claimed on another machine first, by an agent that is called ${quoteName(owner)}, too. Give your agents different names.`;
  return new UserError("CONFLICT", message, { details: { path, owner }, next: "claim-another" });
}

export function stillHeld(path: string, claim: Claim, reason: string): UserError {
  const message = `${quoteName(path)} is held by ${holder(claim)}, ${reason}. If that is you, give that name as agent; else leave a note, take another task, or ask the user, who may change it.`;
  const details = { path, owner: claim.owner, claimed_until: claim.until };
  return new UserError("CONFLICT", message, { details });
}

/** That a task came back, with what was written to it since; null for any other. */
export function backHint({ text, facts: { status, owner, task } }: Document): string | null {
  const claimed = { status, owner, ...task };
  if (!isBack(claimed)) return null;
  const lines = lastNoteLines(text, claimed).map(({ writer, note }) =>
    quoteName(`${writer}: ${note}`, MAX_NOTE_CHARS),
  );
  const words = lines.length === 0 ? "" : ` Under Notes since then, quoted: ${lines.join(", ")}.`;
  return `It came back on ${claimed.returned}.${words}`;
}

export function alreadyClosed(path: string, status: string | null): UserError {
  const message = `${quoteName(path)} is ${status}.`;
  return new UserError("CONFLICT", message, { details: { path }, next: "claim-or-reopen" });
}

export function foreign(claim: Claim): string {
  return `The task is held by ${holder(claim)}. If that is you, give that name as agent; else your claim ran out or was never made: agree with them, or take another task.`;
}
