import { z } from "zod";
import { UserError } from "../lib/errors.ts";
import { findSection, listHeadings } from "../markdown/sections.ts";
import { updatedDate } from "../workspace/updated-date.ts";
import type { WorkspaceDocument } from "../workspace/workspace.ts";
import { defineTool } from "./define-tool.ts";
import { metadata, params } from "./params.ts";

const MAX_CHARS = 100_000;

export const readDocTool = defineTool({
  name: "read_doc",
  title: "Read document",
  description:
    "Read one document whole, or one section of it by heading. Project, folder and filename come from search, list_tasks or list_projects. " +
    "A document over 100,000 characters comes in parts: pass next_offset as offset to read on.",
  access: "read",
  input: z.strictObject({
    project: params.project,
    folder: params.folder,
    filename: params.filename,
    section: z.string().optional().describe("Only this heading's section, for example: Decisions"),
    offset: params.offset.describe("Characters to skip, from next_offset"),
  }),
  output: z.object({
    project: z.string(),
    folder: z.string(),
    filename: z.string(),
    path: z.string(),
    metadata: z.object({ ...metadata, tags: z.array(z.string()), owner: z.string().nullable() }),
    hash: z.string().describe("SHA-256 of the file"),
    content: z.string(),
    truncated: z.boolean().optional(),
    total_chars: z.number().int().optional(),
    next_offset: z.number().int().optional(),
  }),
  handle: ({ section, offset, ...name }, { workspace }) => {
    const document = workspace.read(name);
    const { project, folder, filename, path, hash } = document;
    const text = section === undefined ? document.text : sectionOf(document, section);
    return {
      project,
      folder,
      filename,
      path,
      metadata: fullMetadata(document),
      hash,
      ...pageOf(text, offset),
    };
  },
});

export function fullMetadata({ facts, mtime }: WorkspaceDocument) {
  const { type, status, tags, owner } = facts;
  return { type, status, updated: updatedDate({ updated: facts.updated, mtime }), tags, owner };
}

function sectionOf({ text, facts, path }: WorkspaceDocument, name: string): string {
  const section = findSection(text, name, facts.bodyOffset);
  if (section !== null) return text.slice(section.heading.start, section.end);
  const headings = listHeadings(text, facts.bodyOffset).slice(0, 50);
  const known = headings.length === 0 ? "It has no headings." : `Its headings: ${headings.join(", ")}.`;
  throw new UserError("INVALID_ARGUMENT", `'${path}' has no section '${name}'. ${known}`, {
    details: { path, headings },
  });
}

/** Up to 100,000 characters from `offset`; a surrogate pair is never split. */
function pageOf(text: string, offset: number) {
  if (offset > text.length) {
    const message = `'offset' is ${offset}, and the text ends at ${text.length}. Use next_offset of the answer before.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { total_chars: text.length } });
  }
  if (offset === 0 && text.length <= MAX_CHARS) return { content: text };
  let end = Math.min(text.length, offset + MAX_CHARS);
  if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? "")) end--;
  const rest = end < text.length ? { truncated: true, next_offset: end } : { truncated: false };
  return { content: text.slice(offset, end), total_chars: text.length, ...rest };
}
