import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { mergeFrontmatter } from "../markdown/frontmatter-edit.ts";
import { agentName, claimOf, claimUntil, isAssigned, isSameOwner, laterEnd } from "../notes/claim.ts";
import { type DocumentFacts, describeDocument } from "../notes/document.ts";
import { setTaskStatus } from "../notes/status-edit.ts";
import { factsOf, isTaskStatus } from "../notes/statuses.ts";
import { byUrgency } from "../notes/task-order.ts";
import type { Lock } from "../storage/locks.ts";
import { replaceDocument } from "./change/documents.ts";
import { alreadyDone, foreign, givenAway, held, nameOf, type Skipped, whyNone } from "./claim-reasons.ts";
import { type Document, readDocument, readIfThere } from "./read.ts";
import { findTask, listTasks, type WorkspaceTask } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

/** How long a claim lasts, also from each write of its owner on. */
export const CLAIM_MINUTES = 240;

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
  await workspace.index.query(() => {});
  return workspace.locked(project, async (lock) => {
    const filename = task === undefined ? null : presentTask(workspace, project, task);
    const tasks = await listTasks(workspace, project);
    if (filename === null) return takeFirst(workspace, tasks, { agent, minutes, lock });
    const chosen = tasks.find((each) => each.filename === filename);
    if (chosen === undefined) return { task: null, reason: whyNone(workspace.clock, tasks) };
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
  return { task: null, reason: whyNone(workspace.clock, tasks, skipped) };
}

async function take(
  workspace: Workspace,
  task: WorkspaceTask,
  { agent, minutes, lock }: Taking,
  skipped: Skipped = new Map(),
) {
  const document = readDocument(workspace.root, {
    project: task.project,
    folder: "tasks",
    filename: task.filename,
  });
  const holding = holdingOf(workspace, document);
  const { owner, status, claim } = holding;
  if (status === "done") throw alreadyDone(document.path);
  if (claim !== null && !isSameOwner(agent, claim.owner)) throw held(document.path, claim);
  const until = claimUntil(workspace.clock.now(), minutes);
  const fields = { owner: agent, claimed_until: until, ...statusBefore(holding) };
  const text = mergeFrontmatter(setTaskStatus(document.text, "in-progress"), fields);
  const { indexed } = await replaceDocument(workspace, document, { text, lock });
  return { task, previous: { owner, status }, until, indexed, skipped };
}

/** Whether a task is an agent's now. */
export function holdsTask(workspace: Workspace, project: string, filename: string, agent: string): boolean {
  const document = readIfThere(workspace.root, { project, folder: "tasks", filename });
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
    const { owner, status, claim, from } = holdingOf(workspace, document);
    const isOwn = isSameOwner(agent, owner);
    if (claim !== null && !isOwn) throw held(document.path, claim);
    // Done ended the claim already, and the owner says who did it.
    const text = isOwn && !endsClaim(status) ? withoutClaim(document.text, status, from) : document.text;
    const { path, indexed } = await replaceDocument(workspace, document, { text, lock });
    return { filename, path, facts: describeDocument(document, text), isOwn, indexed };
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
    const { owner, status, claim } = holdingOf(workspace, document);
    if (claim !== null && !isSameOwner(agent, owner)) throw held(document.path, claim);
    if (status === "done") throw alreadyDone(document.path);
    const { text } = keepClaim(workspace, document, { text: setTaskStatus(document.text, "review"), agent });
    const { path, indexed } = await replaceDocument(workspace, document, { text, lock });
    return { filename: document.filename, path, facts: describeDocument(document, text), indexed };
  });
}

async function ownTask(
  workspace: Workspace,
  project: string,
  { agent, task }: Pick<ClaimRequest, "agent" | "task">,
): Promise<Document> {
  const filename =
    task === undefined ? await onlyTaskOf(workspace, project, agent) : presentTask(workspace, project, task);
  return readDocument(workspace.root, { project, folder: "tasks", filename });
}

/**
 * The edited text of a task with its claim in step: done ends the claim, pending gives the task back, and any other write of the
 * owner renews it. `agent` is who writes (default: the client's name); the note is for other agents. Throws CONFLICT if an agent
 * gives away a task that another one holds.
 */
export function keepClaim(
  workspace: Workspace,
  before: Document,
  { text, agent: named }: { text: string; agent?: string | undefined },
): { text: string; note: string | null } {
  const agent = named === undefined ? workspace.history.client : agentName(named);
  const holding = holdingOf(workspace, before);
  const { owner } = holding;
  const after = describeDocument(before, text);
  if (after.task === null || owner === null) return { text, note: null };
  const isOwn = isSameOwner(agent, owner);
  // A person decides, and an owner without an end may be one.
  const isForeign = !isOwn && !workspace.history.isPerson && holding.until !== undefined;
  const claim = isForeign ? holding.claim : null;
  if (claim !== null && after.owner !== owner) throw givenAway(before.path, claim);
  const edited =
    after.task.claimed_until === holding.until ? inStep(workspace, text, { holding, after, isOwn }) : text;
  return { text: edited, note: claim === null ? null : foreign(claim) };
}

interface Step {
  holding: Holding;
  after: DocumentFacts;
  isOwn: boolean;
}

function inStep({ clock }: Workspace, text: string, { holding, after, isOwn }: Step): string {
  const { owner, until } = holding;
  if (until === undefined) return text;
  if (after.owner !== owner || endsClaim(after.status)) return mergeFrontmatter(text, ENDED);
  const isChanged = after.status !== holding.status;
  if (isChanged && after.status === "pending") return withoutClaim(text, after.status);
  const renewed = laterEnd(claimUntil(clock.now(), CLAIM_MINUTES), until);
  const fields = { ...(isOwn && { claimed_until: renewed }), ...(isChanged && { claimed_from: null }) };
  return mergeFrontmatter(text, fields);
}

function endsClaim(status: string | null): boolean {
  return isTaskStatus(status) && factsOf(status).endsClaim;
}

const ENDED = { claimed_until: null, claimed_from: null };

/** A task that was in progress for its agent alone has the status `from` again. */
function withoutClaim(text: string, status: string | null, from = "pending"): string {
  const freed = mergeFrontmatter(text, { owner: null, ...ENDED });
  return status === "in-progress" ? setTaskStatus(freed, from) : freed;
}

type Holding = ReturnType<typeof holdingOf>;

function holdingOf({ clock }: Workspace, { facts }: Document) {
  const { owner, status, task } = facts;
  const { claimed_until: until, claimed_from: from } = task ?? {};
  const claim = claimOf({ owner, status, claimed_until: until }, clock.now().getTime());
  return { owner, status, until, from, claim };
}

/** The field that remembers a status other than pending; the next claim of a task keeps that of the last. */
function statusBefore({ status, until }: Holding): { claimed_from?: string | null } {
  if (status === "in-progress" && until !== undefined) return {};
  return { claimed_from: status === "pending" ? null : status };
}

/** The ready tasks that are not assigned to someone else. */
function readyFor(tasks: readonly WorkspaceTask[], agent: string): WorkspaceTask[] {
  return byUrgency(
    tasks.filter((task) => task.ready && (!isAssigned(task) || isSameOwner(agent, task.owner))),
  );
}

/** Throws INVALID_ARGUMENT for an archived task. */
function presentTask({ root }: Workspace, project: string, task: string): string {
  const { folder, filename } = findTask(root, project, task);
  if (folder === "tasks") return filename;
  const message = `${quoteName(`${folder}/${filename}`)} is archived.`;
  const details = { project, task: escapeName(task) };
  throw new UserError("INVALID_ARGUMENT", message, { details, next: "restore-task" });
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
      ? `${quoteName(agent)} holds no task in project ${quoteName(project)}: there is nothing to give back.`
      : `${quoteName(agent)} holds ${own.map(nameOf).join(", ")}. Name one of them.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { project, suggestions: own.map(nameOf) } });
}
