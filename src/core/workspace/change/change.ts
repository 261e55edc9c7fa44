import { recover } from "../../history/interrupted.ts";
import { type Making, makeChanges } from "../../history/make-changes.ts";
import { projectsOf } from "../../history/operation.ts";
import type { CurrentIndex } from "../../indexing/current-index.ts";
import type { DocumentFacts } from "../../notes/document.ts";
import type { Place } from "../../storage/change-file.ts";
import { type FileContent, type ReadFile, writtenFile } from "../../storage/read.ts";
import { MAX_DOCUMENT_BYTES } from "../../storage/walk.ts";
import type { Workspace } from "../workspace.ts";
import { type Allowed, keepRules, type Served, type Terms, type Wanted } from "./rules.ts";

/** Who changes files, and how. */
type Who = Terms & Making;

/** A file as it is now. */
export interface Changed extends Place {
  /** Null if it was removed. */
  content: FileContent | null;
  /** What it says, if it is a document. */
  facts?: (() => DocumentFacts) | undefined;
  /** Whether search finds it already. */
  indexed: boolean;
}

/** What a change did. */
export interface Made extends Pick<Allowed, "forReview" | "notes"> {
  /** Its id in the history, which takes it back; undefined if nothing was changed or no history is kept. */
  id: string | undefined;
  /** In the order of the changes. */
  files: Changed[];
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
export async function change(workspace: Indexed, who: Who, wanted: readonly Wanted[]): Promise<Made> {
  const { history, index, noteNews } = workspace;
  if (who.lockOf === undefined) await recover(history, projectsOf({ changes: wanted }));
  const { kept, ...allowed } = allow(workspace, who, wanted);
  const differing = kept.map((one) => one.change).filter((one) => unchanged(one) === undefined);
  const { id, places } = await makeChanges(history, differing, who);
  const madeAt = new Map(differing.map((one, at) => [one, places[at]]));
  const files: Changed[] = [];
  for (const one of kept) {
    const { path, before, after: content } = one.change;
    const place = madeAt.get(one.change) ?? { path, file: before?.file ?? "" };
    const indexed = kept.length <= MAX_INDEXED && (await isIndexed(index, one, place));
    const { facts } = one;
    if (content !== null && facts !== undefined)
      noteNews.follow(place.path, () => ({ text: content.text, hash: content.hash, facts: facts() }), true);
    files.push({ ...place, content, facts, indexed });
  }
  return { id, files, ...allowed };
}

async function isIndexed(
  index: Indexed["index"],
  { change: one, facts }: Allowed,
  { path, file }: Place,
): Promise<boolean> {
  const { after } = one;
  if (after === null || facts === undefined || after.bytes.length > MAX_DOCUMENT_BYTES) return false;
  return index.syncFile(path, unchanged(one) ?? writtenFile(file, after), facts);
}

/** What was read, if the file has the wanted bytes already. */
function unchanged({ before, after }: Wanted): ReadFile | undefined {
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
  wanted: readonly Wanted[],
): Pick<Made, "forReview" | "notes"> & { kept: Allowed[] } {
  const leaving = new Set(wanted.map(({ from }) => from?.path));
  const kept = wanted.map((one): Allowed => {
    const isLeft = one.after === null && leaving.has(one.path);
    return isLeft ? { change: one, forReview: false, notes: [] } : keepRules(served, one, terms);
  });
  const notes = new Set(kept.flatMap((one) => one.notes));
  return { kept, forReview: kept.some((one) => one.forReview), notes: [...notes] };
}
