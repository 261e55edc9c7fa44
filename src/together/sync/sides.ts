import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import type { Commits } from "./commits.ts";
import type { Left } from "./listing.ts";
import type { SyncSettings } from "./settings.ts";
import { blobId, type Snapshot } from "./snapshot.ts";
import type { Difference, Tree } from "./store.ts";
import type { Round } from "./syncing.ts";

const MARKER = ".vibe-sync";

/** The files on all three sides, as far as they can be on this disk, and the notes for which a person still has to decide. */
export async function readSides({ store, settings, snapshots }: Round, { base, theirs }: Commits) {
  // Of what is here already, nothing is too much: removing it helps.
  const last = await store.listing(base, Number.POSITIVE_INFINITY);
  const { tree, left } = base === theirs ? last : await store.listing(theirs);
  const snapshot = await snapshots.take([...last.tree.keys(), ...tree.keys()]);
  const before = without(last.tree, snapshot.ignored);
  const other = without(tree, snapshot.ignored);
  const others = theirs === undefined ? [] : besidesMarker(settings, left);
  checkNotEmptied(settings, snapshot, before);
  const ours = new Map([...unknownOf(snapshot, before), ...snapshot.tree]);
  const refused = others.map(({ path, reason }) => ({ path, reason }));
  const kept = settings.kept.filter(({ path, shared }) => ours.get(path) === shared);
  return { sides: { base: before, ours, theirs: other }, refused, skipped: snapshot.skipped, kept };
}

/** A file that no side has is changed on none. */
export function without(tree: Tree, ignored: ReadonlySet<string>): Tree {
  return ignored.size === 0 ? tree : new Map([...tree].filter(([path]) => !ignored.has(path)));
}

/** What is not known now, as it was. */
function unknownOf({ unknown: { files, folders } }: Snapshot, before: Tree): [string, string][] {
  return [...before].filter(
    ([path]) => files.has(path) || folders.some((folder) => `${path}/`.startsWith(`${folder}/`)),
  );
}

function checkNotEmptied({ project }: SyncSettings, { tree, unknown }: Snapshot, before: Tree): void {
  if (tree.size > 0 || before.size === 0 || unknown.files.size + unknown.folders.length > 0) return;
  const place = project === undefined ? "the workspace" : quoteName(project);
  throw new UserError(
    "CONFLICT",
    `no note is left in ${place}, so nothing was sent. Put them back; or, to stop syncing, use sync --stop`,
  );
}

/** A hidden file of the branch, so it never reaches a disk: it says of what the notes are. */
export function markerOf({ project }: SyncSettings): [path: string, bytes: Buffer] {
  if (project === undefined) return [MARKER, Buffer.from("workspace\n")];
  return [`${project}/${MARKER}`, Buffer.from("project\n")];
}

/** What a branch has besides notes that can be here. Throws CONFLICT if it holds something else. */
function besidesMarker(settings: SyncSettings, left: readonly Left[]): Left[] {
  const [marker, bytes] = markerOf(settings);
  const found = left.find(({ path }) => path === marker)?.id;
  if (found === blobId(bytes)) return left.filter(({ path }) => path !== marker);
  const one = settings.project === undefined ? "the notes of one project" : "the notes of a whole workspace";
  const holds = found === undefined ? "something else than notes" : one;
  throw new UserError(
    "CONFLICT",
    `the branch ${settings.branch} of the remote holds ${holds}. Choose another branch with --branch, or another remote`,
  );
}

/** What was agreed on with a remote that has begun again since; of what it has in an older form, that. */
export async function lastBase({ store }: Round, { last }: Commits, theirs: Tree): Promise<Tree> {
  const { base, seen } = last;
  if (base === undefined || seen === undefined || theirs.size === 0) return new Map();
  const { tree } = await store.listing(base);
  const older = await store.replacedBlobs(seen);
  const olderIn = (id: string | undefined) => (id !== undefined && older.has(id) ? id : undefined);
  return new Map([...tree].map(([path, id]) => [path, olderIn(theirs.get(path)) ?? id]));
}

/** Blob ids, or new bytes, by path. */
export type Target = Map<string, string | Buffer>;

/** What makes one tree the other. */
export function differences(from: Tree, to: Target): Difference[] {
  const changed = [...to].filter(
    ([path, entry]) => (typeof entry === "string" ? entry : blobId(entry)) !== from.get(path),
  );
  const gone = [...from.keys()].filter((path) => !to.has(path));
  return [...gone.map((path): Difference => [path, null]), ...changed];
}
