import { isMarkdown } from "../../core/lib/file-names.ts";
import { pauses } from "../../core/lib/pauses.ts";
import type { Three } from "../../core/markdown/merge-regions.ts";
import { describeDocument, isTask, locateDocument } from "../../core/notes/document.ts";
import { canMerge, mergeNotes } from "../../core/notes/merge/merge.ts";
import { isSessionPath } from "../../core/notes/session/file.ts";
import { setFields } from "../../core/notes/set-fields.ts";
import { isSameOwner } from "../../core/notes/task/claim.ts";
import { setTaskStatus } from "../../core/notes/task/status.ts";
import { isTaskStatus } from "../../core/notes/task/statuses.ts";
import { presentContent } from "../../core/storage/change-file.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { contentOf } from "../../core/storage/read.ts";
import type { Reconciled, Sides } from "./reconcile.ts";
import { differences, type Target } from "./sides.ts";
import { blobId } from "./snapshot.ts";
import type { Difference } from "./store.ts";
import type { LostClaim, Round } from "./syncing.ts";

/** What both sides should have once what both changed is merged; where they contradict, what theirs have. */
export interface Merges {
  target: Target;
  /** What of it the remote lacks, and what is missing here. */
  outgoing: Difference[];
  incoming: Difference[];
  /** By the path where theirs is. */
  contradictions: Map<string, Contradiction>;
  lost: LostClaim[];
}

/** A file that gives way in some of what it says. */
export interface Contradiction {
  /** Where it is here. */
  place: string;
  /** The merged file with the lines of both where they contradict, and the facts of ours; undefined if they do not merge at all. */
  own: Buffer | undefined;
}

/** Merges what both sides changed by what the notes say. */
export async function mergeMeetings(
  { store, workspace }: Round,
  { sides, tree, meetings }: Reconciled & { sides: Sides },
): Promise<Merges> {
  const target: Target = new Map(tree);
  const contradictions = new Map<string, Contradiction>();
  const lost: LostClaim[] = [];
  const stored = await store.blobs(meetings.flatMap(({ base, theirs }) => [theirs, ...(base ? [base] : [])]));
  const pause = pauses();
  for (const { path, place, base, ours, theirs } of meetings) {
    await pause();
    const own = ownBytes(workspace.root, place, ours);
    const [before, other] = [base === undefined ? Buffer.alloc(0) : stored.get(base), stored.get(theirs)];
    const sides = own && before && other && textsOf(path, [before, own, other]);
    // Frontmatter at its limit has no room for a claim.
    const yielded = sides && attempt(() => yieldClaim(path, sides));
    lost.push(...(yielded?.lost ?? []));
    const texts = sides && mergeTexts(path, yielded === undefined ? sides : { ...sides, ours: yielded.text });
    target.set(path, texts?.shared ?? theirs);
    if (texts === undefined || texts.own !== undefined) contradictions.set(path, { place, own: texts?.own });
  }
  const outgoing = differences(sides.theirs, target);
  return { target, outgoing, incoming: differences(sides.ours, target), contradictions, lost };
}

/** The file as it was when the blob ids were taken; undefined if it has changed since. */
function ownBytes(root: string, path: string, id: string): Buffer | undefined {
  const bytes = attempt(() => presentContent(root, path)?.bytes);
  return bytes !== undefined && blobId(bytes) === id ? bytes : undefined;
}

/** Undefined unless all sides are text that can be merged. */
function textsOf(path: string, sides: readonly [base: Buffer, ours: Buffer, theirs: Buffer]) {
  const contents = sides.map(contentOf);
  if (!isMarkdown(path) || !canMerge(contents)) return undefined;
  const [base = "", ours = "", theirs = ""] = contents.map(({ text }) => text);
  return { base, ours, theirs };
}

/** The merge for all, and if the sides contradict, the one that has ours too. Everybody else has theirs, so its form stays. */
function mergeTexts(path: string, { base, ours, theirs }: Three<string>) {
  const merge = (show: "ours" | "both") =>
    mergeNotes({ base, ours: theirs, theirs: ours }, { isSession: isSessionPath(path), show });
  const { text, conflicts } = merge("ours");
  return { shared: Buffer.from(text), own: conflicts === 0 ? undefined : Buffer.from(merge("both").text) };
}

/** Of two claims of a task, the one that was shared first holds: ours as if it had not been made. */
function yieldClaim(path: string, { base, ours, theirs }: Three<string>) {
  const location = locateDocument(path);
  if (location === null || !isTask(location)) return undefined;
  const [before, own, other] = [base, ours, theirs].map((text) => describeDocument(location, text));
  if (!own?.owner || !other?.owner || other.task?.claimed_until === undefined) return undefined;
  if (own.owner === before?.owner || other.owner === before?.owner) return undefined;
  const { claimed_until = null, claimed_from = null } = other.task;
  const fields = { owner: other.owner, claimed_until, claimed_from };
  const claimed = setFields(ours, fields);
  const text = isTaskStatus(other.status) ? setTaskStatus(claimed, other.status) : claimed;
  const isSame = isSameOwner(own.owner, other.owner);
  return { text, lost: isSame ? [] : [{ path, agent: own.owner, holder: other.owner }] };
}
