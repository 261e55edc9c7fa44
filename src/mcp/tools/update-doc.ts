import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { mergeFrontmatter, replaceBody } from "../../markdown/frontmatter-edit.ts";
import { appendToSection, appendToText, replaceSection } from "../../markdown/section-edit.ts";
import { shortHash } from "../../notes/hash.ts";
import type { Document } from "../../workspace/read.ts";
import { checkHash, replaceDocument } from "../../workspace/write.ts";
import { defineTool } from "../tool.ts";
import { params, writeResult } from "./params.ts";
import { findSectionIn } from "./read-doc.ts";

export const updateDocTool = defineTool({
  name: "update_doc",
  title: "Update document",
  description:
    "Change a document's text, one section, or only its frontmatter; the rest stays. " +
    "Pass the hash from read_doc as expected_hash to get CONFLICT instead of overwriting a newer version.",
  access: "write",
  destructive: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      folder: params.folder(),
      filename: params.filename(),
      content: z.string().optional().describe("Replacement text"),
      frontmatter: params.frontmatter().describe("Fields to set; null removes one"),
      section: z.string().optional().describe("Change only the text under this heading"),
      mode: z.enum(["replace", "append"]).default("replace").describe("append: add to the end"),
      expected_hash: params.expectedHash(),
    }),
  output: () => z.object({ ...writeResult(), previous_hash: z.string(), new_hash: z.string() }),
  handle: async ({ content, frontmatter, section, mode, expected_hash, ...name }, { workspace }) => {
    if (content === undefined && (frontmatter === undefined || section !== undefined)) {
      const message = "There is nothing to change. Give 'content', 'frontmatter' or both.";
      throw new UserError("INVALID_ARGUMENT", message);
    }
    return workspace.locked(workspace.findProject(name.project), async (lock) => {
      const document = workspace.read(name);
      checkHash(document, expected_hash);
      const edited = content === undefined ? document.text : edit(document, { content, section, mode });
      const text = frontmatter === undefined ? edited : mergeFrontmatter(edited, frontmatter);
      const { path, hash, indexed } = await replaceDocument(workspace, document, { text, lock });
      return {
        success: true,
        path,
        previous_hash: shortHash(document.hash),
        new_hash: shortHash(hash),
        indexed,
      };
    });
  },
});

type Edit = Pick<z.output<typeof updateDocTool.input>, "section" | "mode"> & { content: string };

function edit(document: Document, { content, section, mode }: Edit): string {
  if (section === undefined)
    return mode === "append" ? appendToText(document.text, content) : replaceBody(document.text, content);
  const found = findSectionIn(document, section);
  return mode === "append"
    ? appendToSection(document.text, found, content)
    : replaceSection(document.text, found, content);
}
