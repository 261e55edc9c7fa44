import { join } from "node:path";
import type { Making } from "../../history/make-changes.ts";
import { once } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { dirname } from "../../lib/paths.ts";
import { editedConflict, frontmatterConflict, unresolved } from "../../markdown/conflicts.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  isTask,
  locateDocument,
} from "../../notes/document.ts";
import { baseName } from "../../notes/names.ts";
import { setTaskStatus } from "../../notes/task/status.ts";
import { isClosed } from "../../notes/task/statuses.ts";
import { isBlank, textProblem } from "../../notes/text-form.ts";
import type { FileChange } from "../../storage/change-file.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { contentOf, type FileContent } from "../../storage/read.ts";
import { MAX_DOCUMENT_BYTES } from "../../storage/walk.ts";
import type { Workspace } from "../workspace.ts";
import { checkNotHeld, keepClaim, keepReturn, type TaskBefore } from "./claim.ts";
import { checkDocument, tooLarge } from "./limits.ts";
import { asksReview, checkReviewStays, notReviewed, reviewNote } from "./review.ts";

/** What shall be on the disk afterwards; the rules give it back as they let it happen. */
export interface DocumentChange extends FileChange {
  before: (NonNullable<FileChange["before"]> & { facts?: DocumentFacts }) | null;
  /** For a new place: the one that its document leaves, and what it holds there. */
  from?: { path: string; content: FileContent };
  /** Nothing else changes than links, which follow a document that moves. */
  onlyLinks?: boolean;
  /** What it says then, if it is a document: set by the rules, as all that follows. */
  facts?: (() => DocumentFacts) | undefined;
  /** Whether a task waits for a review instead of being done. */
  forReview?: boolean;
  /** What the rules say about it. */
  notes?: readonly string[];
}

/** Who changes files, and how the rules hold for it. */
export interface Terms extends Making {
  /** Who writes (default: the client's name). */
  agent?: string | undefined;
  /** The bytes stay as given: what a rule would edit, it refuses. */
  exact?: boolean | undefined;
  /** It makes or ends a claim itself. */
  isClaim?: boolean | undefined;
  /** It passed the rules where it was made. */
  isApproved?: boolean | undefined;
  /** The bytes were there before, whatever they are. */
  isRestored?: boolean | undefined;
}

export type Served = Pick<Workspace, "root" | "history" | "clock">;

/**
 * Every rule of a change of a document. Throws INVALID_PATH and INVALID_ARGUMENT for one that search would not find, CONFLICT for
 * an open conflict, a task that another agent holds and what is not UTF-8, and INVALID_STATUS if exact bytes need a review.
 */
export function keepRules(served: Served, change: DocumentChange, terms: Terms): DocumentChange {
  const { path } = change;
  const place = realPlace(served.root, change);
  if (place === path) return keepRulesAt(served, change, terms);
  const kept = keepRulesAt(served, { ...change, path: place }, terms);
  const [location, after] = [locateDocument(path), kept.after];
  const facts = location && after ? once(() => describeDocument(location, after.text)) : undefined;
  return { ...kept, path, facts };
}

/** Where a file is or will be with the links on its way followed: the rules are about that place. */
function realPlace(root: string, { path, before }: DocumentChange): string {
  const gate = gateOf(root);
  // Folders that are missing will be made below the last one that is there.
  const placeOf = (one: string): string =>
    one === "."
      ? root
      : (attempt(() => gate.resolve(one)?.file) ?? join(placeOf(dirname(one)), baseName(one)));
  const place = gate.partsOf(before?.file ?? join(placeOf(dirname(path)), baseName(path))).join("/");
  return pathKey(place) === pathKey(path) || locateDocument(place) === null ? path : place;
}

function keepRulesAt(served: Served, change: DocumentChange, terms: Terms): DocumentChange {
  const { path, before, after, from } = change;
  const location = locateDocument(path);
  if (location === null) return change;
  const facts = after === null ? undefined : once(() => describeDocument(location, after.text));
  const unchanged = { ...change, facts };
  if (terms.isApproved === true) return unchanged;
  const left = from ?? { path, content: before };
  const leftAt = from === undefined ? location : locateDocument(from.path);
  const old = taskBefore(leftAt, left);
  const isTaskNow = after !== null && isTask(location);
  const to = isTaskNow ? location : null;
  const stays = to?.project === old?.location.project;
  if (old !== undefined) checkNotHeld(served, old, { to, agent: terms.agent });
  checkReviewStays(served, leftAt, { before: left.content?.text, after: left.path === path ? after : null });
  if (after === null || facts === undefined) return unchanged;
  if (terms.isRestored !== true) checkText({ ...change, after }, left.content, isTaskNow);
  if (!isTaskNow) return unchanged;
  if (terms.isRestored !== true) checkNotEmpty(path, left.content, after.text);
  return keepTask(served, { ...change, after }, terms, { location, facts, old: stays ? old : undefined });
}

function checkConflicts(path: string, was: string, text: string, isTaskNow: boolean): void {
  // The fields of a task are one thing: while its frontmatter holds a conflict, its status is not known.
  const inFields =
    isTaskNow && frontmatterConflict(text) !== undefined ? frontmatterConflict(was) : undefined;
  const conflict = inFields ?? editedConflict(was, text);
  if (conflict !== undefined) throw unresolved(conflict, { path });
}

function notEditable(path: string, reason: string): UserError {
  const message = `${quoteName(path)} ${reason}, so a change could damage it. Convert it to UTF-8 with LF or CRLF first.`;
  return new UserError("CONFLICT", message, { details: { path } });
}

/** An empty file is often what another program failed to write: fields alone would make half a task of it. */
function checkNotEmpty(path: string, before: FileContent | null, text: string): void {
  if (before === null || !isBlank(before.text) || isBlank(text)) return;
  const body = text.slice(parseFrontmatter(text).bodyOffset);
  if (!isBlank(body.replace(/^(?:Status:|## |- Dependencies:).*$/gm, ""))) return;
  const message = `${quoteName(path)} is empty, so it is no task. Write its text first, or restore an earlier version.`;
  throw new UserError("CONFLICT", message, { details: { path } });
}

interface TaskPlace {
  location: DocumentLocation;
  facts: () => DocumentFacts;
  /** The task before, if it is one of the same project. */
  old: TaskBefore | undefined;
}

function keepTask(
  served: Served,
  change: DocumentChange & { after: FileContent },
  { agent, exact = false, isClaim = false }: Terms,
  { location, facts, old }: TaskPlace,
): DocumentChange {
  const { path, after, onlyLinks = false } = change;
  const forReview = isNewlyClosed(served, change, { location, facts, old });
  if (forReview && (exact || !after.exact)) throw notReviewed(path, facts().status);
  const reviewed = forReview ? setTaskStatus(after.text, "review") : after.text;
  const isKept = old !== undefined && !isClaim && !onlyLinks;
  const { text, note } = isKept
    ? keepClaim(served, old, {
        text: keepReturn(served, old, { text: reviewed, status: facts().status }),
        agent,
      })
    : { text: reviewed, note: null };
  const notes = [forReview ? reviewNote(facts().status) : null, note].filter((one) => one !== null);
  const kept = { ...change, facts, forReview, notes };
  if (exact || text === after.text) return kept;
  const edited = contentOf(Buffer.from(text));
  return { ...kept, after: edited, facts: once(() => describeDocument(location, text)) };
}

/** Whether an agent closes a task in a project that asks for a review. */
function isNewlyClosed(
  { root, history }: Served,
  { after, from }: DocumentChange,
  { location, facts, old }: TaskPlace,
): boolean {
  const isMoved = old !== undefined && from?.content === after;
  const { status } = facts();
  if (history.actor().isPerson || isMoved || !isClosed(status)) return false;
  return old?.facts().status !== status && asksReview(root, location.project);
}

function taskBefore(
  location: DocumentLocation | null,
  { path, content }: { path: string; content: DocumentChange["before"] },
): TaskBefore | undefined {
  if (content === null || location === null || !isTask(location)) return undefined;
  const facts = once(() => (content.facts?.task ? content.facts : describeDocument(location, content.text)));
  return { path, location, facts, mtime: content.stats?.mtimeMs };
}

/**
 * Throws CONFLICT if the document is not valid UTF-8, or the edit leaves a conflict in what it changes, and INVALID_ARGUMENT or
 * INVALID_PATH for what search would not find.
 */
function checkText(
  { path, before: here, after, onlyLinks = false }: DocumentChange & { after: FileContent },
  before: FileContent | null,
  isTaskNow: boolean,
): void {
  if (here === null) checkDocument(path, after.bytes.length);
  if (before === null) return;
  const reason = onlyLinks && before.exact ? null : textProblem(before);
  if (reason !== null && !after.bytes.equals(before.bytes)) throw notEditable(path, reason);
  if (!onlyLinks && after.text !== before.text) checkConflicts(path, before.text, after.text, isTaskNow);
  // A document that is already too large may shrink.
  if (after.bytes.length > MAX_DOCUMENT_BYTES && after.bytes.length > before.bytes.length)
    throw tooLarge(path);
}
