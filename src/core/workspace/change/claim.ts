import type { Actor } from "../../history/actor.ts";
import { localDate } from "../../lib/clock.ts";
import { type DocumentFacts, type DocumentLocation, describeDocument } from "../../notes/document.ts";
import { setFields } from "../../notes/set-fields.ts";
import { agentName, type Claim, claimOf, claimUntil, isSameOwner, laterEnd } from "../../notes/task/claim.ts";
import { setTaskStatus } from "../../notes/task/status.ts";
import { endsClaim } from "../../notes/task/statuses.ts";
import { isNamedToken } from "../../notes/writer.ts";
import { foreign, stillHeld } from "../claim-reasons.ts";
import type { Workspace } from "../workspace.ts";

/** How long a claim lasts, also from each write of its owner on. */
export const CLAIM_MINUTES = 240;

type Served = Pick<Workspace, "history" | "clock">;

/** A task as it was before a change. */
export interface TaskBefore {
  path: string;
  location: DocumentLocation;
  facts: () => DocumentFacts;
  /** When its file changed, in milliseconds since 1970. */
  mtime: number | undefined;
}

/**
 * The edited text of a task with its claim in step: done ends the claim, pending gives the task back, and any other write of the
 * owner renews it. `agent` is who writes (default: the client's name); the note is for other agents. Throws CONFLICT if an agent
 * sets the status or the owner of a task that another one holds.
 */
export function keepClaim(
  served: Served,
  { path, location, facts, mtime }: TaskBefore,
  { text, agent }: { text: string; agent?: string | undefined },
): { text: string; note: string | null } {
  const holding = holdingOf(served, facts(), mtime);
  const { owner, status, until } = holding;
  if (owner === null || until === undefined) return { text, note: null };
  const after = describeDocument(location, text);
  const isSet = after.task?.claimed_until !== until;
  const claim = foreignClaim(served, holding, agent);
  if (claim !== null && (after.owner !== owner || after.status !== status || isSet))
    throw stillHeld(path, claim, "so nobody else sets its status or its owner");
  if (after.task === null) return { text, note: null };
  const isOwn = isOwner(served, agent, owner);
  const edited = isSet ? text : inStep(served, text, { holding, after, isOwn });
  return { text: edited, note: claim === null ? null : foreign(claim) };
}

/** Throws CONFLICT if another agent holds a task that is about to leave the open tasks of its project. */
export function checkNotHeld(
  served: Served,
  { path, location, facts, mtime }: TaskBefore,
  { to, agent }: { to: DocumentLocation | null; agent: string | undefined },
): void {
  if (to?.project === location.project && to.folder === location.folder) return;
  const claim = foreignClaim(served, holdingOf(served, facts(), mtime), agent);
  if (claim !== null) throw stillHeld(path, claim, "so it has to stay among the open tasks of its project");
}

/** Whether who writes has the name of the owner: the one that is given, else that of the client, with its token or without. */
function isOwner({ history }: Served, agent: string | undefined, owner: string): boolean {
  if (agent !== undefined) return isSameOwner(agentName(agent), owner);
  return clientNames(history.actor()).some((name) => isSameOwner(name, owner));
}

function clientNames({ client, token = "" }: Actor): string[] {
  const names = [client, token === "" ? client : client.slice(token.length + 1)];
  return names.map((name) => name.replaceAll(",", ""));
}

type Known = Pick<Workspace, "history" | "person">;

/** The name of the person who calls; undefined for an agent. */
export async function personName({ history, person }: Known): Promise<string | undefined> {
  const { isPerson, token } = history.actor();
  if (isPerson !== true) return undefined;
  return token !== undefined && isNamedToken(token) ? token : person();
}

/** The names under which who calls may own tasks: a person has one, an agent those of its session. */
export async function ownNames(workspace: Known): Promise<string[]> {
  const actor = workspace.history.actor();
  const name = await personName(workspace);
  return name === undefined ? [...(actor.session?.names ?? []), ...clientNames(actor)] : [name];
}

/** The claim of another agent; null for a person, who decides. */
function foreignClaim(served: Served, { claim }: Holding, agent: string | undefined): Claim | null {
  if (claim === null || served.history.actor().isPerson) return null;
  return isOwner(served, agent, claim.owner) ? null : claim;
}

interface Step {
  holding: Holding;
  after: DocumentFacts;
  isOwn: boolean;
}

function inStep({ clock }: Served, text: string, { holding, after, isOwn }: Step): string {
  const { owner, until = "" } = holding;
  if (after.owner !== owner || endsClaim(after.status)) return setFields(text, ENDED);
  const isChanged = after.status !== holding.status;
  if (isChanged && after.status === "pending") return withoutClaim(text, after.status);
  const renewed = laterEnd(claimUntil(clock.now(), CLAIM_MINUTES), until);
  const fields = { ...(isOwn && { claimed_until: renewed }), ...(isChanged && { claimed_from: null }) };
  return setFields(text, fields);
}

/** The text of a task with its return in step: it came back if a person opens it again after a review, or after its owner was done. */
export function keepReturn(
  { history, clock }: Served,
  { facts }: TaskBefore,
  { text, status }: { text: string; status: string | null },
): string {
  const { owner, status: before, task } = facts();
  if (endsClaim(before) === endsClaim(status)) return text;
  if (endsClaim(status)) return task?.returned === undefined ? text : setFields(text, { returned: null });
  const isBack = history.actor().isPerson && (before === "review" || owner !== null);
  return isBack ? setFields(text, { returned: localDate(clock.now()) }) : text;
}

const ENDED = { claimed_until: null, claimed_from: null };

/** A task that was in progress for its agent alone has the status `from` again. */
export function withoutClaim(text: string, status: string | null, from = "pending"): string {
  const freed = setFields(text, { owner: null, ...ENDED });
  return status === "in-progress" ? setTaskStatus(freed, from) : freed;
}

export type Holding = ReturnType<typeof holdingOf>;

export function holdingOf(
  { clock }: Pick<Workspace, "clock">,
  { owner, status, task }: DocumentFacts,
  mtime: number | undefined,
) {
  const { claimed_until: until, claimed_from: from } = task ?? {};
  const claim = claimOf({ owner, status, claimed_until: until, mtime }, clock.now().getTime());
  return { owner, status, until, from, claim };
}
