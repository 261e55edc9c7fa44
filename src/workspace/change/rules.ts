import { once } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { editedConflict, frontmatterConflict, unresolved } from "../../markdown/conflicts.ts";
import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  isTask,
  locateDocument,
} from "../../notes/document.ts";
import { setTaskStatus } from "../../notes/task/status-edit.ts";
import type { FileChange } from "../../storage/change-file.ts";
import { contentOf, type FileContent } from "../../storage/read.ts";
import { MAX_DOCUMENT_BYTES } from "../../storage/walk.ts";
import type { Workspace } from "../workspace.ts";
import { checkNotHeld, keepClaim, type TaskBefore } from "./claim.ts";
import { checkDocument, tooLarge } from "./limits.ts";
import { asksReview, notReviewed, REVIEW_NOTE } from "./review.ts";

/** What shall be on the disk afterwards. */
export interface Wanted extends FileChange {
  before: (FileContent & { facts?: DocumentFacts }) | null;
  /** For a new place: the one that its document leaves, and what it holds there. */
  from?: { path: string; content: FileContent };
  /** Nothing else changes than links, which follow a document that moves. */
  onlyLinks?: boolean;
}

/** How the rules hold for a change. */
export interface Terms {
  /** Who writes (default: the client's name). */
  agent?: string | undefined;
  /** The bytes stay as given: what a rule would edit, it refuses. */
  exact?: boolean | undefined;
  /** It makes or ends a claim itself. */
  isClaim?: boolean | undefined;
  /** It passed the rules where it was made. */
  isApproved?: boolean | undefined;
}

/** A change as the rules let it happen. */
export interface Allowed<T extends Wanted = Wanted> {
  change: T;
  /** Whether a task waits for a review instead of being done. */
  forReview: boolean;
  /** What the rules say about it. */
  notes: string[];
}

export type Served = Pick<Workspace, "root" | "history" | "clock">;

/**
 * Every rule of a change of a document. Throws INVALID_PATH and INVALID_ARGUMENT for one that search would not find, CONFLICT for
 * an open conflict, a task that another agent holds and what is not UTF-8, and INVALID_STATUS if exact bytes need a review.
 */
export function keepRules<T extends Wanted>(served: Served, change: T, terms: Terms): Allowed<T> {
  const unchanged = { change, forReview: false, notes: [] };
  const { path, before, after, from } = change;
  const place = locateDocument(path);
  if (terms.isApproved === true || place === null) return unchanged;
  const old = from === undefined ? taskAt(path, before) : taskAt(from.path, from.content);
  const stays = after !== null && isTask(place) && place.project === old?.location.project;
  if (old !== undefined && !stays) checkNotHeld(served, old, terms.agent);
  if (after === null) return unchanged;
  if (before === null) checkDocument(path, after.bytes.length);
  const edited = change.onlyLinks === true ? before : (before ?? from?.content ?? null);
  if (edited !== null) checkEdit(path, { before: edited, after }, change.onlyLinks);
  if (!isTask(place)) return unchanged;
  return keepTask(served, { ...change, after }, terms, { location: place, old: stays ? old : undefined });
}

interface TaskPlace {
  location: DocumentLocation;
  /** The task before, if it is one of the same project. */
  old: TaskBefore | undefined;
}

function keepTask<T extends Wanted & { after: FileContent }>(
  served: Served,
  change: T,
  { agent, exact = false, isClaim = false }: Terms,
  { location, old }: TaskPlace,
): Allowed<T> {
  const { path, after, onlyLinks = false } = change;
  const forReview = isNewlyDone(served, change, { location, old });
  if (forReview && (exact || !after.exact)) throw notReviewed(path);
  const reviewed = forReview ? setTaskStatus(after.text, "review") : after.text;
  const isKept = old !== undefined && !isClaim && !onlyLinks;
  const { text, note } = isKept
    ? keepClaim(served, old, { text: reviewed, agent })
    : { text: reviewed, note: null };
  const notes = [forReview ? REVIEW_NOTE : null, note].filter((one) => one !== null);
  const isEdited = !exact && text !== after.text;
  const allowed = isEdited ? { ...change, after: contentOf(Buffer.from(text)) } : change;
  return { change: allowed, forReview, notes };
}

/** Whether an agent makes a task done in a project that asks for a review. */
function isNewlyDone(
  { root, history }: Served,
  { after, from }: Wanted & { after: FileContent },
  { location, old }: TaskPlace,
): boolean {
  const isMoved = old !== undefined && from?.content === after;
  if (history.isPerson || isMoved || describeDocument(location, after.text).status !== "done") return false;
  return old?.facts().status !== "done" && asksReview(root, location.project);
}

function taskAt(path: string, content: Wanted["before"]): TaskBefore | undefined {
  const location = content === null ? null : locateDocument(path);
  if (content === null || location === null || !isTask(location)) return undefined;
  const facts = once(() => (content.facts?.task ? content.facts : describeDocument(location, content.text)));
  return { path, location, facts };
}

/**
 * Throws CONFLICT if the document is not valid UTF-8, or the edit leaves a conflict in what it changes, and INVALID_ARGUMENT if the
 * text is too large for search.
 */
function checkEdit(
  path: string,
  { before, after }: { before: FileContent; after: FileContent },
  onlyLinks = false,
): void {
  if (!before.exact) {
    const message = `${quoteName(path)} is not valid UTF-8, so a change could damage it. Convert it to UTF-8 first.`;
    throw new UserError("CONFLICT", message, { details: { path } });
  }
  if (!onlyLinks && after.text !== before.text) checkConflicts(path, before.text, after.text);
  // A document that is already too large may shrink.
  if (after.bytes.length > MAX_DOCUMENT_BYTES && after.bytes.length > before.bytes.length)
    throw tooLarge(path);
}

/** The fields of a task are one thing: while its frontmatter holds a conflict, its status is not known. */
function checkConflicts(path: string, before: string, after: string): void {
  const place = locateDocument(path);
  const inFields =
    place !== null && isTask(place) && frontmatterConflict(after) !== undefined
      ? frontmatterConflict(before)
      : undefined;
  const conflict = inFields ?? editedConflict(before, after);
  if (conflict !== undefined) throw unresolved(conflict, { path });
}
