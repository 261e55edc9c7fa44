import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { mergeFrontmatter } from "../markdown/frontmatter-edit.ts";
import { type Claim, type ClaimedTask, claimOf, claimUntil, isSameOwner, laterEnd } from "../notes/claim.ts";
import { describeDocument } from "../notes/document.ts";
import { setTaskStatus } from "../notes/status-edit.ts";
import { byUrgency } from "../notes/task-order.ts";
import type { Lock } from "../storage/locks.ts";
import type { Document } from "./read.ts";
import { findTask, listTasks, type WorkspaceTask } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";
import { replaceDocument } from "./write.ts";

/** How long a claim lasts, also from each write of its owner on. */
export const CLAIM_MINUTES = 240;
const MAX_REASONS = 5;

interface ClaimRequest {
  agent: string;
  /** A number or file name; the next ready task without it. */
  task?: string | undefined;
  minutes: number;
}

/**
 * Gives a task to an agent; null with the reason if none is ready. Which one is decided under the project's lock. Throws CONFLICT
 * if the task belongs to someone else or is done.
 */
export async function claimTask(
  workspace: Workspace,
  project: string,
  { agent, task, minutes }: ClaimRequest,
) {
  // The first sync of a process may take long: others must not wait for it.
  await workspace.query(() => {});
  return workspace.locked(project, async (lock) => {
    const filename = task === undefined ? null : presentTask(workspace, project, task);
    const tasks = await listTasks(workspace, project);
    if (filename === null) return takeFirst(workspace, tasks, { agent, minutes, lock });
    const chosen = tasks.find((each) => each.filename === filename);
    if (chosen === undefined) return { task: null, reason: whyNone(workspace, tasks) };
    return take(workspace, chosen, { agent, minutes, lock });
  });
}

type Taking = Pick<ClaimRequest, "agent" | "minutes"> & { lock: Lock };

/** Takes the first ready task that can be: a broken file must not keep agents from the others. */
async function takeFirst(workspace: Workspace, tasks: readonly WorkspaceTask[], taking: Taking) {
  const skipped = new Map<WorkspaceTask, string>();
  for (const task of readyFor(tasks, taking.agent)) {
    try {
      return await take(workspace, task, taking, skipped);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      skipped.set(task, error.message);
    }
  }
  return { task: null, reason: whyNone(workspace, tasks, skipped) };
}

type Skipped = ReadonlyMap<WorkspaceTask, string>;

async function take(
  workspace: Workspace,
  task: WorkspaceTask,
  { agent, minutes, lock }: Taking,
  skipped: Skipped = new Map(),
) {
  const document = workspace.read({ project: task.project, folder: "tasks", filename: task.filename });
  const { owner, status, claim } = holding(workspace, document);
  if (status === "done") throw alreadyDone(document.path);
  if (claim !== null && !isSameOwner(agent, claim.owner)) throw held(document.path, claim);
  const until = claimUntil(workspace.clock.now(), minutes);
  const fields = { owner: agent, claimed_until: until };
  const text = mergeFrontmatter(setTaskStatus(document.text, "in-progress"), fields);
  const { indexed } = await replaceDocument(workspace, document, { text, lock });
  return { task, previous: { owner, status }, until, indexed, skipped };
}

/** Gives a task of an agent back; `task` may be left out if the agent has only one. */
export function releaseTask(
  workspace: Workspace,
  project: string,
  { agent, task }: Pick<ClaimRequest, "agent" | "task">,
) {
  return workspace.locked(project, async (lock) => {
    const filename =
      task === undefined
        ? await onlyTaskOf(workspace, project, agent)
        : presentTask(workspace, project, task);
    const document = workspace.read({ project, folder: "tasks", filename });
    const { owner, status, claim } = holding(workspace, document);
    const isOwn = isSameOwner(agent, owner);
    if (claim !== null && !isOwn) throw held(document.path, claim);
    // Done ended the claim already, and the owner says who did it.
    const text = isOwn && status !== "done" ? withoutClaim(document.text, status) : document.text;
    const { path, indexed } = await replaceDocument(workspace, document, { text, lock });
    return { filename, path, facts: describeDocument(document, text), isOwn, indexed };
  });
}

/**
 * The edited text of a task with its claim in step: done ends the claim, pending gives the task back, and any other write of the
 * owner renews it. `agent` is who writes (default: the client's name); the note is for everyone but the owner.
 */
export function keepClaim(
  workspace: Workspace,
  before: Document,
  { text, agent = workspace.history.client }: { text: string; agent?: string | undefined },
): { text: string; note: string | null } {
  const { owner, claim, until } = holding(workspace, before);
  const { task, status, owner: newOwner } = describeDocument(before, text);
  if (task === null || owner === null) return { text, note: null };
  const isOwn = isSameOwner(agent, owner);
  const note = claim === null || isOwn ? null : foreign(claim);
  if (until === undefined || task.claimed_until !== until) return { text, note };
  if (newOwner !== owner || status === "done")
    return { text: mergeFrontmatter(text, { claimed_until: null }), note };
  if (status === "pending" && before.facts.status !== "pending")
    return { text: withoutClaim(text, status), note };
  if (!isOwn) return { text, note };
  const renewed = laterEnd(claimUntil(workspace.clock.now(), CLAIM_MINUTES), until);
  return { text: mergeFrontmatter(text, { claimed_until: renewed }), note };
}

function withoutClaim(text: string, status: string | null): string {
  const freed = mergeFrontmatter(text, { owner: null, claimed_until: null });
  return status === "in-progress" ? setTaskStatus(freed, "pending") : freed;
}

function holding({ clock }: Workspace, { facts }: Document) {
  const { owner, status, task } = facts;
  const until = task?.claimed_until;
  return {
    owner,
    status,
    until,
    claim: claimOf({ owner, status, claimed_until: until }, clock.now().getTime()),
  };
}

/** The ready tasks that are not assigned to someone else. */
function readyFor(tasks: readonly WorkspaceTask[], agent: string): WorkspaceTask[] {
  return byUrgency(tasks.filter((task) => task.ready && !isAssigned(task, agent)));
}

/** An owner without a claim was named by someone, not left by an agent. */
function isAssigned({ owner, claimed_until: until }: ClaimedTask, agent: string): boolean {
  return owner !== null && until === undefined && !isSameOwner(agent, owner);
}

/** Throws INVALID_ARGUMENT for an archived task. */
function presentTask({ root }: Workspace, project: string, task: string): string {
  const { folder, filename } = findTask(root, project, task);
  if (folder === "tasks") return filename;
  const message = `${quoteName(`${folder}/${filename}`)} is archived. To work on it, restore it first: archive_tasks with restore.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { project, task: escapeName(task) } });
}

async function onlyTaskOf(workspace: Workspace, project: string, agent: string): Promise<string> {
  const own = (await listTasks(workspace, project)).filter(
    ({ owner, status, claimed_until: until }) =>
      isSameOwner(agent, owner) && status !== "done" && (until !== undefined || status === "in-progress"),
  );
  const [first] = own;
  if (first !== undefined && own.length === 1) return first.filename;
  const message =
    first === undefined
      ? `${quoteName(agent)} holds no task in project ${quoteName(project)}: there is nothing to release.`
      : `${quoteName(agent)} holds ${own.map(nameOf).join(", ")}. Name one in 'task'.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { project, suggestions: own.map(nameOf) } });
}

/** What each open task waits for, the most urgent first; `skipped` says why ready ones cannot be claimed. */
function whyNone(
  { clock }: Workspace,
  tasks: readonly WorkspaceTask[],
  skipped: Skipped = new Map(),
): string {
  const open = byUrgency(tasks.filter(({ status }) => status !== "done"));
  if (tasks.length === 0) return "The project has no tasks: create_task adds one.";
  if (open.length === 0) return "All tasks are done: create_task adds one.";
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
  if (task.ready && task.owner !== null)
    return `is assigned to ${quoteName(task.owner)}: name it in 'task' to take it`;
  if (task.status === "in-progress") return "is in progress without an owner: name it in 'task' to take it";
  return task.status === "blocked" ? "is blocked" : "has no known status";
}

/** `problem` is the message of an error. */
export function cannotClaim(task: WorkspaceTask, problem: string): string {
  return `${nameOf(task)} cannot be claimed: ${problem.replace(/\.$/, "")}`;
}

function nameOf({ number, filename }: WorkspaceTask): string {
  return number ?? quoteName(filename);
}

function holder({ owner, until }: Claim): string {
  return `${quoteName(owner)} ${until === null ? "without an end" : `until ${until}`}`;
}

function held(path: string, claim: Claim): UserError {
  const free = claim.until === null ? " To free it, they or the user set it to pending." : "";
  const message = `${quoteName(path)} is held by ${holder(claim)}. Call claim_task without 'task' to take another one.${free}`;
  return new UserError("CONFLICT", message, {
    details: { path, owner: claim.owner, claimed_until: claim.until },
  });
}

function alreadyDone(path: string): UserError {
  const message = `${quoteName(path)} is done. Call claim_task without 'task' to take another one, or update_task_status to reopen it.`;
  return new UserError("CONFLICT", message, { details: { path } });
}

function foreign(claim: Claim): string {
  return `The task is held by ${holder(claim)}. If that is you, give that name as 'agent'; else your claim ran out or was never made: agree with them, or take another task with claim_task.`;
}
