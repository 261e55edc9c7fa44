import { setTimeout as sleep } from "node:timers/promises";
import type { UserError } from "../../core/lib/errors.ts";
import { counted } from "../../core/lib/text.ts";
import { agreeOn, BASE, type Commits, hereOf, nextPush, type Push, settlePush } from "./commits.ts";
import type { Merges } from "./merge-meetings.ts";
import type { Sides } from "./reconcile.ts";
import { differences, markerOf } from "./sides.ts";
import type { Author, Difference, Tree } from "./store.ts";
import type { Round } from "./syncing.ts";

const RETRY_MS = 200;

/** The remote's commit, and the files that both sides have unless one is changed after it. */
export interface Sent {
  commit: string;
  agreed: Tree;
}

/** Sends what the remote lacks. Nothing is sent if a file changed at this moment, or if the remote refused for now. */
export async function send(
  round: Round,
  commits: Commits,
  { sides, outgoing }: Outgoing,
): Promise<{ sent?: Sent; refused?: UserError }> {
  const { store, settings } = round;
  const { theirs } = commits;
  if (outgoing.length === 0 && theirs !== undefined) return { sent: { commit: theirs, agreed: sides.base } };
  const push = await commit(round, commits, { sides, outgoing });
  if (push === undefined) return {};
  const refusal = await store.push(settings, push.seen);
  await settlePush(store, commits, push, refusal === undefined);
  if (refusal === undefined) return { sent: { commit: push.seen, agreed: sides.ours } };
  if (!refusal.isPassing) throw refusal.problem;
  await sleep(Math.random() * RETRY_MS);
  return { refused: refusal.problem };
}

type Outgoing = Pick<Merges, "outgoing"> & { sides: Sides };

/** Commits what is here and what is sent; undefined if a file changed at this moment. */
async function commit(
  round: Round,
  commits: Commits,
  { sides, outgoing }: Outgoing,
): Promise<Push | undefined> {
  const own = await ownBytes(round, sides);
  if (own === undefined) return undefined;
  const { base: parent, theirs } = commits;
  const ref = nextPush(commits);
  const changed = differences(sides.base, sides.ours);
  const here = changed.map(([path, entry]): Difference => [path, own.get(path) ?? entry]);
  const marker = theirs === undefined ? [markerOf(round.settings)] : [];
  const message = `Sync ${counted(outgoing.length, "note")} from ${round.author}`;
  const [base, seen = ""] = await round.store.commit(authorOf(round), [
    { ref: hereOf(ref), parent, message: "Here", changes: here },
    { ref, parent: theirs, message, changes: [...marker, ...outgoing] },
  ]);
  return { ref, base, seen };
}

/** The bytes of the files here that neither side of git knows. */
function ownBytes({ snapshots }: Round, { base, ours, theirs }: Sides) {
  const known = new Set([...base.values(), ...theirs.values()]);
  return snapshots.bytes(new Map([...ours].filter(([, id]) => !known.has(id))));
}

function authorOf({ workspace, settings, author }: Round): Author {
  return { author, machine: settings.machine, time: workspace.clock.now() };
}

/** Remembers what both sides agree on now: of what could not be written here, what they agreed on before. */
export async function agree(
  round: Round,
  commits: Commits,
  { commit: seen, agreed }: Sent,
  unwritten: readonly string[],
): Promise<void> {
  if (unwritten.length === 0) return agreeOn(round.store, commits, { base: seen, seen });
  const changes = unwritten.map((path): Difference => [path, agreed.get(path) ?? null]);
  const here = { ref: BASE, parent: seen, message: "Here", changes };
  const [base] = await round.store.commit(authorOf(round), [here]);
  await agreeOn(round.store, commits, { base, seen });
}
