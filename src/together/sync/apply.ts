import { join } from "node:path";
import { locked } from "../../core/history/interrupted.ts";
import { groupsOf } from "../../core/lib/collections.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { projectOf } from "../../core/notes/names.ts";
import { type FileChange, presentContent } from "../../core/storage/change-file.ts";
import { removeEmptyFolders } from "../../core/storage/folders.ts";
import { explain } from "../../core/storage/fs-errors.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { filesBelow, foldersBelow } from "../../core/storage/list.ts";
import { type KnownNames, twinOnTheWay } from "../../core/storage/new-file.ts";
import { gateOf } from "../../core/storage/path-gate.ts";
import { contentOf } from "../../core/storage/read.ts";
import { change } from "../../core/workspace/change/change.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import type { Contradiction } from "./merge-meetings.ts";
import type { Sides } from "./reconcile.ts";
import type { SizeOf } from "./round-size.ts";
import type { Kept } from "./settings.ts";
import { blobId } from "./snapshot.ts";
import type { Difference, Store, Tree } from "./store.ts";
import type { Reasoned } from "./syncing.ts";

export interface Incoming {
  incoming: readonly Difference[];
  /** The files as they were when it was decided. */
  sides: Pick<Sides, "ours">;
  /** The paths where what is here gives way, and a person decides later. */
  contradictions: ReadonlyMap<string, Contradiction>;
  sizeOf: SizeOf;
}

export interface Applied {
  written: string[];
  refused: Reasoned[];
  /** Another program wrote them at this moment: they are decided again. */
  changedMeanwhile: string[];
  kept: Kept[];
}

/** As many files, of as many bytes, change at once. */
const AT_ONCE = 200;
const BYTES_AT_ONCE = 32 * 2 ** 20;

/** Changes files to what others made of them; what was there before is in the history. */
export async function apply(workspace: Workspace, store: Store, what: Incoming): Promise<Applied> {
  const applied: Applied = { written: [], refused: [], changedMeanwhile: [], kept: [] };
  const twins: Twins = { known: new Map(), found: new Map() };
  for (const part of partsOf(what)) {
    const blobs = await store.blobs(part.flatMap(([, entry]) => (typeof entry === "string" ? [entry] : [])));
    const changes = part.flatMap(([path, entry]) => {
      const bytes = typeof entry === "string" ? blobs.get(entry) : entry;
      if (bytes !== undefined)
        return changeOf(workspace, { ours: what.sides.ours, twins }, { path, bytes }, applied);
      applied.refused.push({ path, reason: "it is too large" });
      return [];
    });
    await applyTogether(workspace, changes, what, applied);
  }
  await removeEmptied(
    workspace.root,
    what.incoming.flatMap(([path, entry]) => (entry === null ? [path] : [])),
  );
  await makeWay(workspace.root, twins.found, applied);
  return applied;
}

/** Entries whose names some disks cannot tell from those of new files. */
interface Twins {
  known: KnownNames;
  /** By the path of the new file. */
  found: Map<string, string>;
}

/** Others changed the letter case of a name: once nothing is left under the old one, the new one can come. */
async function makeWay(root: string, twins: Twins["found"], applied: Applied): Promise<void> {
  for (const [path, twin] of twins) {
    await removeEmptyFolders(root, twin, foldersBelow(root, twin)).catch(() => {}); // It is in use again.
    if (inspectPath(join(root, twin)).kind === "missing") applied.changedMeanwhile.push(path);
    else applied.refused.push({ path, reason: `some disks cannot tell its name from ${quoteName(twin)}` });
  }
}

/** What changes together: each contradiction, and what gives way to it, is taken back alone. */
function partsOf({ incoming, contradictions, sizeOf }: Incoming): (readonly Difference[])[] {
  const byPath = new Map(incoming.map((entry) => [entry[0], entry]));
  const parts = [...contradictions].map(([path, { place }]) =>
    [...new Set([path, place])].map((one) => byPath.get(one)).filter((entry) => entry !== undefined),
  );
  const alone = new Set(parts.flat());
  const together = incoming.filter((entry) => !alone.has(entry));
  const weightOf = ([, entry]: Difference) => Math.max(sizeOf(entry), BYTES_AT_ONCE / AT_ONCE);
  return [...parts, ...groupsOf(together, BYTES_AT_ONCE, weightOf)];
}

function changeOf(
  { root }: Workspace,
  { ours, twins }: { ours: Tree; twins: Twins },
  { path, bytes }: { path: string; bytes: Buffer | null },
  applied: Applied,
): FileChange[] {
  try {
    const isNew = bytes !== null && !ours.has(path);
    const twin = isNew ? twinOnTheWay(gateOf(root), path, twins.known) : undefined;
    if (twin !== undefined) {
      twins.found.set(path, twin);
      return [];
    }
    const before = presentContent(root, path);
    const after = bytes === null ? null : contentOf(bytes);
    if (before?.hash === after?.hash) return [];
    if ((before === null ? undefined : blobId(before.bytes)) === ours.get(path))
      return [{ path, before, after }];
    applied.changedMeanwhile.push(path);
  } catch (error) {
    applied.refused.push({ path, reason: explain(error) });
  }
  return [];
}

/** All at once; if that fails, one by one, so that one file keeps no other back. */
async function applyTogether(
  workspace: Workspace,
  changes: readonly FileChange[],
  what: Incoming,
  applied: Applied,
): Promise<void> {
  const [first, ...more] = changes;
  if (first === undefined) return;
  try {
    const change = await makeTogether(workspace, withOwn(changes, what));
    applied.written.push(...changes.map(({ path }) => path));
    const time = workspace.clock.now().toISOString();
    for (const { path, after } of changes.filter(({ path }) => what.contradictions.has(path)))
      applied.kept.push({ path, time, change, shared: after === null ? "" : blobId(after.bytes) });
  } catch (error) {
    if (more.length > 0)
      for (const change of changes) await applyTogether(workspace, [change], what, applied);
    else if (error instanceof UserError && error.code === "CONFLICT")
      applied.changedMeanwhile.push(first.path);
    else applied.refused.push({ path: first.path, reason: explain(error) });
  }
}

/** Changes to make, and one to make before: then the history has what may come back before the shared text. */
interface Steps {
  first: FileChange | undefined;
  changes: readonly FileChange[];
}

function withOwn(changes: readonly FileChange[], { contradictions }: Incoming): Steps {
  const found = changes.map(({ path }) => contradictions.get(path)).find((one) => one?.own !== undefined);
  const after = found?.own && contentOf(found.own);
  const given = changes.find(({ path }) => path === found?.place);
  if (after === undefined || given === undefined || given.before?.hash === after.hash)
    return { first: undefined, changes };
  const others = changes.filter((change) => change !== given);
  return { first: { ...given, after }, changes: [...others, { ...given, before: after }] };
}

/** What goes makes room for what comes. Returns the id of the change. */
async function makeTogether(workspace: Workspace, { first, changes }: Steps): Promise<string | undefined> {
  const ordered = [...changes].sort((a, b) => Number(a.after !== null) - Number(b.after !== null));
  const projects = new Set(changes.map(({ path }) => projectOf(path)));
  return locked(workspace.history, [...projects], async (lockOf) => {
    const who = { lockOf, isApproved: true };
    if (first !== undefined) await change(workspace, who, [first]);
    return (await change(workspace, who, ordered)).id;
  });
}

/** Projects and folders of which nothing is left go. */
async function removeEmptied(root: string, removed: readonly string[]): Promise<void> {
  for (const project of new Set(removed.map(projectOf))) {
    if (filesBelow(root, project, 1).length > 0) continue;
    await removeEmptyFolders(root, project, foldersBelow(root, project)).catch(() => {}); // It is in use again.
  }
}
