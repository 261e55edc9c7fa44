import * as z from "zod";
import { UserError } from "../lib/errors.ts";
import { defineTool } from "../tool.ts";
import { documentMetadata, type WorkspaceDocument } from "../workspace/read.ts";
import { metadata, params } from "./params.ts";
import { findSectionOf } from "./sections.ts";

const MAX_CHARS = 100_000;

export const readDocTool = defineTool({
  name: "read_doc",
  title: "Read document",
  description:
    "Read a document, or one section of it, named as search and the lists name it. " +
    "One over 100,000 characters comes in parts: pass next_offset as offset.",
  access: "read",
  input: () =>
    z.strictObject({
      project: params.project(),
      folder: params.folder(),
      filename: params.filename(),
      section: z.string().optional().describe("A heading, e.g. Decisions"),
      offset: params.offset().describe("Characters to skip"),
    }),
  output: () =>
    z.object({
      project: z.string(),
      folder: z.string(),
      filename: z.string(),
      path: z.string(),
      metadata: z.object({ ...metadata(), tags: z.array(z.string()), owner: z.string().nullable() }),
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
      metadata: documentMetadata(document),
      hash,
      ...pageOf(text, offset),
    };
  },
});

function sectionOf(document: WorkspaceDocument, name: string): string {
  const { heading, end } = findSectionOf(document, name);
  return document.text.slice(heading.start, end);
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
