import type { Recorded } from "../../core/history/recorded-moves.ts";
import { UserError } from "../../core/lib/errors.ts";
import { presentContent } from "../../core/storage/change-file.ts";
import { attempt, explain } from "../../core/storage/fs-errors.ts";
import { withLock } from "../../core/storage/locks.ts";
import { moveDocuments } from "../../core/workspace/move.ts";
import { apply } from "./apply.ts";
import { type Commits, findCommits, knownFiles } from "./commits.ts";
import { findMoves, readLines, recordedHere } from "./identity.ts";
import { type Merges, mergeMeetings } from "./merge-meetings.ts";
import { addNews } from "./news.ts";
import { checkPlaces } from "./places.ts";
import { type Reconciled, reconcile, recordedAfter } from "./reconcile.ts";
import { repairLinks } from "./repair-links.ts";
import { checkSizes } from "./round-size.ts";
import { agree, type Sent, send } from "./send.ts";
import { type Kept, writeSync } from "./settings.ts";
import { differences, lastBase, readSides, without } from "./sides.ts";
import { blobId } from "./snapshot.ts";
import type { Difference } from "./store.ts";
import { type How, openRound, type Round, type Syncing, type SyncReport } from "./syncing.ts";

const MAX_TRIES = 12;

/** Brings files and remote together once; one process does it at a time. The report says if it failed. */
export function syncOnce(syncing: Syncing, how: How = {}): Promise<SyncReport> {
  return withLock(syncing.folder, "sync", () => report(openRound(syncing, how)), true);
}

async function report(round: Round): Promise<SyncReport> {
  const { report, settings, store } = round;
  try {
    await exchange(round);
  } catch (error) {
    report.problem = explain(error);
    await store.clear();
    report.unsent = await countUnsent(round).catch(() => settings.last?.unsent ?? 0);
  }
  report.received = [...new Set(report.received)].sort();
  report.sent = [...new Set(report.sent)].sort();
  report.kept = settings.kept;
  try {
    if (!round.how.dryRun) await remember(round);
  } catch (error) {
    report.problem ??= explain(error);
  }
  return report;
}

/** As far as it is known. */
async function countUnsent(round: Round): Promise<number> {
  const known = await knownFiles(round.store);
  const { tree, ignored } = await round.snapshots.take(known.keys());
  return differences(without(known, ignored), tree).length;
}

async function remember({ workspace, folder, signal, settings, report }: Round): Promise<void> {
  const { problem, warning, unsent } = report;
  const time = workspace.clock.now().toISOString();
  // That this process ends is no failure.
  if (problem === undefined || !signal?.aborted)
    settings.last = { time, unsent, warning, ...(problem !== undefined && { problem }) };
  if (problem === undefined) settings.synced = time;
  settings.news = addNews(settings.news ?? [], report);
  await writeSync(folder, settings);
}

/** What one try leaves for the next. */
interface Unfinished {
  /** Once notes here made way: more than the history says. */
  recorded?: Recorded | undefined;
  /** Why the last push was refused. */
  refused?: UserError | undefined;
}

async function exchange(round: Round): Promise<void> {
  const { store, report, how } = round;
  await store.open();
  let left: Unfinished | undefined = {};
  for (let tries = 0; left !== undefined && tries < MAX_TRIES; tries++)
    left = await exchangeOnce(round, left);
  if (left !== undefined)
    throw left.refused ?? new UserError("CONFLICT", "notes keep changing; the next round goes on");
  if (report.sent.length + report.received.length > 0 && !how.dryRun) await store.tidy();
}

/** One try; undefined once nothing is left to do. */
async function exchangeOnce(round: Round, before: Unfinished): Promise<Unfinished | undefined> {
  const { report, how } = round;
  const commits = await findCommits(round);
  const found = await findNotes(round, commits, before.recorded);
  if (found.yields.length > 0 && !how.dryRun)
    return { ...before, recorded: (await makeWay(round, found)) ?? before.recorded };
  const plan = { ...found, ...(await mergeMeetings(round, found)) };
  report.unsent = plan.outgoing.length;
  if (how.dryRun) {
    report.renumbered = plan.yields;
    report.sent = pathsOf(plan.outgoing);
    report.received = pathsOf(plan.incoming);
    return undefined;
  }
  const { sent, refused = before.refused } = await send(round, commits, plan);
  if (sent === undefined) return { ...before, refused };
  report.sent.push(...pathsOf(plan.outgoing));
  report.unsent = 0;
  return (await takeOver(round, commits, plan, sent)) ? undefined : { refused };
}

/** Which file each note is, and who has what. */
async function findNotes(round: Round, commits: Commits, known: Recorded | undefined) {
  const { workspace, settings, report } = round;
  const readAt = workspace.clock.now().toISOString();
  const { sides, refused, skipped, kept } = await readSides(round, commits);
  settings.kept = kept;
  const recorded = known ?? (await recordedHere(workspace.root, settings));
  const isAgreed = commits.base !== undefined;
  const all = isAgreed ? sides : { ...sides, base: await lastBase(round, commits, sides.theirs) };
  const moves = await findMoves(all, recorded, (...trees) => readLines(round, ...trees));
  const found = await reconcile(all, { ...moves, isAgreed });
  Object.assign(report, { refused, skipped });
  checkPlaces(sides, found, new Set(refused.map(({ path }) => path)));
  return { ...found, sides, readAt, sizeOf: await checkSizes(round, sides, found) };
}

/** Moves notes here whose path or number others have; what is known of all notes here then, nothing if a new note took a place. */
async function makeWay(round: Round, found: Reconciled): Promise<Recorded | undefined> {
  try {
    await acting(round, "sync", () => moveDocuments(round.workspace, found.yields));
  } catch (error) {
    if (error instanceof UserError && error.code === "FILE_EXISTS") return undefined;
    throw error;
  }
  round.report.renumbered.push(...found.yields);
  return recordedAfter(found);
}

type Plan = Awaited<ReturnType<typeof findNotes>> & Merges;

/** Changes the files here; true once nothing is left to do. */
async function takeOver(round: Round, commits: Commits, plan: Plan, sent: Sent): Promise<boolean> {
  const { workspace, store, settings, report } = round;
  const client = plan.incoming.length === 0 ? "sync" : await clientOf(round, commits);
  const applied = await acting(round, client, () => apply(workspace, store, plan));
  const repaired = await acting(round, "sync", () => repairLinks(workspace, plan.notes, plan.target));
  settings.kept = undecided(round, applied.kept, repaired);
  report.received.push(...applied.written);
  report.refused.push(...applied.refused);
  report.lost.push(...plan.lost.filter(({ path }) => applied.written.includes(path)));
  const unwritten = [...applied.changedMeanwhile, ...applied.refused.map(({ path }) => path)];
  await agree(round, commits, sent, unwritten);
  if (unwritten.length === 0) settings.agreed = plan.readAt;
  const isSettled = unwritten.length > 0 || !plan.isUnsettled;
  return applied.changedMeanwhile.length === 0 && repaired.size === 0 && isSettled;
}

/** Who the history says changed what this round writes. */
async function clientOf({ store, author }: Round, { theirs, last }: Commits): Promise<string> {
  const all = theirs === undefined ? [] : await store.authors(last.seen, theirs);
  const others = all.filter((one) => one !== author).slice(0, 3);
  return others.length === 0 ? "sync" : `sync from ${others.join(", ")}`;
}

function acting<T>({ workspace }: Round, client: string, work: () => T): T {
  return workspace.history.actingAlone({ tool: "sync", client }, work);
}

/** Old and new notes for which a person has to decide: that this round repairs their links is no decision. */
function undecided({ workspace, settings }: Round, added: Kept[], repaired: ReadonlySet<string>): Kept[] {
  const paths = new Set(added.map(({ path }) => path));
  return [...settings.kept.filter(({ path }) => !paths.has(path)), ...added].map((one) => {
    const now = repaired.has(one.path) && attempt(() => presentContent(workspace.root, one.path));
    return now ? { ...one, shared: blobId(now.bytes) } : one;
  });
}

function pathsOf(differences: readonly Difference[]): string[] {
  return differences.map(([path]) => path);
}
