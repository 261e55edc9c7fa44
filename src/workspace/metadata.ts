import type { WorkspaceDocument } from "./read.ts";
import { updatedDate } from "./updated-date.ts";

/** A document's metadata as tools and resources give it; `updated` is always a date. */
export function documentMetadata({ facts, mtime }: WorkspaceDocument) {
  const { type, status, tags, owner } = facts;
  return { type, status, updated: updatedDate({ updated: facts.updated, mtime }), tags, owner };
}
