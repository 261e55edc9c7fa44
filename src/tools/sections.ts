import { UserError } from "../lib/errors.ts";
import { listNames, quoteName } from "../lib/escape.ts";
import { findSection, listHeadings, type Section } from "../markdown/sections.ts";
import type { WorkspaceDocument } from "../workspace/read.ts";

/** A section of a document by its heading. Throws INVALID_ARGUMENT with the headings that exist. */
export function findSectionOf({ text, facts, path }: WorkspaceDocument, name: string): Section {
  const section = findSection(text, name, facts.bodyOffset);
  if (section !== null) return section;
  const headings = listHeadings(text, facts.bodyOffset).slice(0, 50);
  const known = headings.length === 0 ? "It has no headings." : `Its headings: ${listNames(headings, 50)}.`;
  const message = `${quoteName(path)} has no section ${quoteName(name)}. ${known}`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { path, headings } });
}
