import { recover } from "../../history/interrupted.ts";
import { makeChanges } from "../../history/make-changes.ts";
import { projectsOf } from "../../history/operation.ts";
import type { CurrentIndex } from "../../indexing/current-index.ts";
import { capitalized } from "../../lib/text.ts";
import { describeDocument, locateDocument } from "../../notes/document.ts";
import { takenAway } from "../../notes/taken-away.ts";
import type { Place } from "../../storage/change-file.ts";
import { type ReadFile, writtenFile } from "../../storage/read.ts";
import { MAX_DOCUMENT_BYTES } from "../../storage/walk.ts";
import type { Workspace } from "../workspace.ts";
import { type DocumentChange, keepRules, type Served, type Terms } from "./rules.ts";

/** What a change did. */
export interface Outcome {
  /** Its id in the history, which takes it back; undefined if nothing was changed or no history is kept. */
  id: string | undefined;
  forReview: boolean;
  notes: string[];
  /** As they are now, in the order of the changes; `indexed` says whether search finds one already. */
  files: (Place & Pick<DocumentChange, "after" | "facts"> & { indexed: boolean })[];
}

interface Indexed extends Served, Pick<Workspace, "noteNews"> {
  index: Pick<CurrentIndex, "syncFile">;
}

/** The next query finds more of them faster. */
const MAX_INDEXED = 10;

/**
 * The one way to change files of the workspace: makes what is wanted as far as the rules allow it, all of it or nothing, with the
 * old bytes in the history. Throws what keepRules and makeChanges throw.
 */
export async function change(
  workspace: Indexed,
  terms: Terms,
  wanted: readonly DocumentChange[],
): Promise<Outcome> {
  const { history, index, noteNews } = workspace;
  if (terms.lockOf === undefined) await recover(history, projectsOf({ changes: wanted }));
  const { kept, ...allowed } = allow(workspace, terms, wanted);
  const differing = kept.filter((one) => unchanged(one) === undefined);
  const { id, places } = await makeChanges(history, differing, terms);
  const madeAt = new Map(differing.map((one, at) => [one, places[at]]));
  const files: Outcome["files"] = [];
  for (const one of kept) {
    const { path, before, after, facts } = one;
    const place = madeAt.get(one) ?? { path, file: before?.file ?? "" };
    const indexed = kept.length <= MAX_INDEXED && (await isIndexed(index, one, place));
    if (after !== null && facts !== undefined)
      noteNews.follow(place.path, () => ({ text: after.text, hash: after.hash, facts: facts() }), true);
    files.push({ ...place, after, facts, indexed });
  }
  const went = terms.isRestored !== true && terms.isApproved !== true ? kept.flatMap(wentWith) : [];
  const back = id === undefined || went.length === 0 ? undefined : history.actor().takesBack?.(id);
  const said = went.map((one) => capitalized(`${one}${back === undefined ? "" : `; ${back}`}.`));
  return { id, files, ...allowed, notes: [...allowed.notes, ...said] };
}

/** What a person or an agent took away by it, as far as they may not have meant to. */
function wentWith({ path, before, after, onlyLinks, facts }: DocumentChange): string[] {
  const location = locateDocument(path);
  if (before === null || after === null || onlyLinks === true || facts === undefined || location === null)
    return [];
  const old = before.facts ?? describeDocument(location, before.text);
  const went = takenAway({ text: before.text, facts: old }, { text: after.text, facts: facts() });
  return went === null ? [] : [went];
}

async function isIndexed(
  index: Indexed["index"],
  one: DocumentChange,
  { path, file }: Place,
): Promise<boolean> {
  const { after, facts } = one;
  if (after === null || facts === undefined || after.bytes.length > MAX_DOCUMENT_BYTES) return false;
  return index.syncFile(path, unchanged(one) ?? writtenFile(file, after), facts);
}

/** What was read, if the file has the wanted bytes already. */
function unchanged({ before, after }: DocumentChange): ReadFile | undefined {
  const { file, stats } = before ?? {};
  const isSame = before !== null && after?.bytes.equals(before.bytes);
  return isSame && file !== undefined && stats !== undefined
    ? Object.assign(before, { file, stats })
    : undefined;
}

/** The changes as the rules let them happen. A place that a document leaves for another one is not removed. */
export function allow(
  served: Served,
  terms: Terms,
  wanted: readonly DocumentChange[],
): Pick<Outcome, "forReview" | "notes"> & { kept: DocumentChange[] } {
  const leaving = new Set(wanted.map(({ from }) => from?.path));
  const kept = wanted.map((one) => {
    const isLeft = one.after === null && leaving.has(one.path);
    return isLeft ? one : keepRules(served, one, terms);
  });
  const notes = new Set(kept.flatMap((one) => one.notes ?? []));
  return { kept, forReview: kept.some((one) => one.forReview), notes: [...notes] };
}
