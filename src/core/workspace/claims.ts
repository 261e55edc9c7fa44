import { readBackwards } from "../history/read-log.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { locateDocument } from "../notes/document.ts";
import { ARCHIVE } from "../notes/names.ts";
import { setFields } from "../notes/set-fields.ts";
import { claimUntil, isAssigned, isSameOwner } from "../notes/task/claim.ts";
import { inWorkOrder } from "../notes/task/order.ts";
import { setTaskStatus } from "../notes/task/status.ts";
import { endsClaim, isClosed } from "../notes/task/statuses.ts";
import { attempt } from "../storage/fs-errors.ts";
import type { Lock } from "../storage/locks.ts";
import { isAlive } from "../storage/temp-files.ts";
import { type Holding, holdingOf, withoutClaim } from "./change/claim.ts";
import { saveDocument } from "./change/documents.ts";
import {
  alreadyClosed,
  backHint,
  held,
  heldBySession,
  nameOf,
  noTask,
  type Skipped,
  whyNone,
} from "./claim-reasons.ts";
import { findTask } from "./find/task.ts";
import { type Document, readDocument } from "./read.ts";
import { listAmongTasks, listTasks, type WorkspaceTask } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

interface ClaimRequest {
  agent: string;
  /** A number or file name; the next ready task without it. */
  task?: string | undefined;
  minutes: number;
}

/**
 * Gives a task to an agent; null with the reason if none is ready. Which one is decided under the project's lock. Throws CONFLICT
 * if the task belongs to someone else or is closed.
 */
export async function claimTask(
  workspace: Workspace,
  project: string,
  { agent, task, minutes }: ClaimRequest,
) {
  // The first sync of a process may take long: others must not wait for it.
  await workspace.index.query(() => {});
  return workspace.locked(project, async (lock) => {
    const path = task === undefined ? null : presentTask(workspace, project, task);
    const { tasks, leftOut } = await listAmongTasks(workspace, project);
    if (path === null) return takeFirst(workspace, tasks, { agent, minutes, lock });
    const chosen = tasks.find((each) => each.path === path);
    if (chosen === undefined) {
      const none = leftOut.find((each) => each.path === path);
      return { task: null, reason: none ? noTask(none) : whyNone(workspace.clock, tasks) };
    }
    return take(workspace, chosen, { agent, minutes, lock });
  });
}

type Taking = Pick<ClaimRequest, "agent" | "minutes"> & { lock: Lock };

/** Takes the first ready task that can be: a broken file must not keep agents from the others. */
async function takeFirst(workspace: Workspace, tasks: readonly WorkspaceTask[], taking: Taking) {
  const skipped = new Map<WorkspaceTask, string>();
  for (const task of tasks)
    if (task.form !== undefined && task.status === "pending")
      skipped.set(task, `${quoteName(task.filename)} ${task.form}.`);
  const isOurs = (task: WorkspaceTask) => !isAssigned(task) || isSameOwner(taking.agent, task.owner);
  const ready = tasks.filter((one) => one.ready && isOurs(one));
  for (const task of inWorkOrder(ready, taking.agent)) {
    try {
      return await take(workspace, task, taking, skipped);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      skipped.set(task, error.message);
    }
  }
  return { task: null, reason: whyNone(workspace.clock, tasks, skipped) };
}

async function take(
  workspace: Workspace,
  task: WorkspaceTask,
  { agent, minutes, lock }: Taking,
  skipped: Skipped = new Map(),
) {
  const document = readDocument(workspace.root, task.path);
  const holding = holdingOf(workspace, document.facts, document.stats.mtimeMs);
  const { owner, status, claim } = holding;
  if (isClosed(status)) throw alreadyClosed(document.path, status);
  if (claim !== null && !isSameOwner(agent, claim.owner)) throw held(document.path, claim);
  if (claim !== null) await checkSession(workspace, document.path, agent);
  const until = claimUntil(workspace.clock.now(), minutes);
  const fields = { owner: agent, claimed_until: until, ...statusBefore(holding) };
  const text = setFields(setTaskStatus(document.text, "in-progress"), fields);
  const { indexed } = await saveDocument(workspace, document, { text, lock, isClaim: true });
  const { actor, claimants } = workspace.history;
  const { session } = actor();
  if (session !== undefined) claimants.set(document.path, session);
  return { task, previous: { owner, status }, until, back: backHint(document), indexed, skipped };
}

/** Throws CONFLICT, once for each claim, if another session of this name made it and still lives on this machine. */
async function checkSession({ root, history }: Workspace, path: string, agent: string): Promise<void> {
  const { session } = history.actor();
  if (session === undefined) return;
  const made = await lastClaim(root, path);
  if (made === undefined || session.told.has(made.id)) return;
  const holder = history.claimants.get(path) ?? session;
  const isOther = made.pid === process.pid ? holder !== session && !holder.isOver : isAlive(made.pid);
  if (!isOther) return;
  session.told.add(made.id);
  throw heldBySession(path, { owner: agent, since: made.time });
}

async function lastClaim(root: string, path: string) {
  for await (const operation of readBackwards(root))
    if (operation.tool === "claim_task" && operation.changes.some((change) => change.path === path))
      return operation;
  return undefined;
}

/** Whether a task is an agent's now. */
export function holdsTask(workspace: Workspace, path: string, agent: string): boolean {
  const document = attempt(() => readDocument(workspace.root, path));
  return document !== undefined && isSameOwner(agent, document.facts.owner);
}

/** Gives a task of an agent back; `task` may be left out if the agent has only one. */
export function releaseTask(
  workspace: Workspace,
  project: string,
  { agent, task }: Pick<ClaimRequest, "agent" | "task">,
) {
  return workspace.locked(project, async (lock) => {
    const document = await ownTask(workspace, project, { agent, task });
    const { filename } = document;
    const { owner, status, claim, from } = holdingOf(workspace, document.facts, document.stats.mtimeMs);
    const isOwn = isSameOwner(agent, owner);
    if (claim !== null && !isOwn) throw held(document.path, claim);
    // A closed task ended the claim already, and the owner says who did it.
    const text = isOwn && !endsClaim(status) ? withoutClaim(document.text, status, from) : document.text;
    const { path, facts, indexed } = await saveDocument(workspace, document, {
      text,
      lock,
      isClaim: true,
    });
    return { filename, path, facts, isOwn, indexed };
  });
}

/** Hands a task of an agent in for a review, which ends the claim; `task` may be left out if the agent has only one. */
export function finishTask(
  workspace: Workspace,
  project: string,
  { agent, task }: Pick<ClaimRequest, "agent" | "task">,
) {
  return workspace.locked(project, async (lock) => {
    const document = await ownTask(workspace, project, { agent, task });
    const { owner, status, claim } = holdingOf(workspace, document.facts, document.stats.mtimeMs);
    if (claim !== null && !isSameOwner(agent, owner)) throw held(document.path, claim);
    if (isClosed(status)) throw alreadyClosed(document.path, status);
    const text = setTaskStatus(document.text, "review");
    const { path, facts, indexed } = await saveDocument(workspace, document, { text, lock, agent });
    return { filename: document.filename, path, facts, indexed };
  });
}

async function ownTask(
  workspace: Workspace,
  project: string,
  { agent, task }: Pick<ClaimRequest, "agent" | "task">,
): Promise<Document> {
  const path =
    task === undefined ? await onlyTaskOf(workspace, project, agent) : presentTask(workspace, project, task);
  return readDocument(workspace.root, path);
}

/** The field that remembers a status other than pending; the next claim of a task keeps that of the last. */
function statusBefore({ status, until }: Holding): { claimed_from?: string | null } {
  if (status === "in-progress" && until !== undefined) return {};
  return { claimed_from: status === "pending" ? null : status };
}

/** Throws INVALID_ARGUMENT for an archived task. */
function presentTask({ root }: Workspace, project: string, task: string): string {
  const path = findTask(root, project, task);
  if (locateDocument(path)?.folder !== ARCHIVE) return path;
  const message = `${quoteName(path.slice(project.length + 1))} is archived.`;
  const details = { project, task: escapeName(task) };
  throw new UserError("INVALID_ARGUMENT", message, { details, next: "restore-task" });
}

async function onlyTaskOf(workspace: Workspace, project: string, agent: string): Promise<string> {
  const own = (await listTasks(workspace, project)).filter(
    ({ owner, status, claimed_until: until }) =>
      isSameOwner(agent, owner) && !isClosed(status) && (until !== undefined || status === "in-progress"),
  );
  const [first] = own;
  if (first !== undefined && own.length === 1) return first.path;
  const message =
    first === undefined
      ? `${quoteName(agent)} holds no task in project ${quoteName(project)}: there is nothing to give back.`
      : `${quoteName(agent)} holds ${own.map(nameOf).join(", ")}. Name one of them.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { project, suggestions: own.map(nameOf) } });
}
