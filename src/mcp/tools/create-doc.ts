import * as z from "zod";
import { mergeFrontmatter } from "../../markdown/frontmatter-edit.ts";
import { shortHash } from "../../notes/hash.ts";
import { createDocument } from "../../workspace/write.ts";
import { defineTool } from "../tool.ts";
import { params, writeResult } from "./params.ts";

export const createDocTool = defineTool({
  name: "create_doc",
  title: "Create document",
  description:
    "Create a document; it never overwrites, use update_doc for that. Tasks, plans and sessions have their own tools.",
  access: "write",
  input: () =>
    z.strictObject({
      project: params.project(),
      folder: params.folder(),
      filename: z.string().describe("E.g. api-notes.md"),
      content: z.string().describe("Markdown"),
      frontmatter: params.frontmatter().describe('E.g. {"tags": ["api"]}'),
    }),
  output: () => z.object({ ...writeResult(), absolute_path: z.string(), hash: z.string() }),
  handle: async ({ project: name, folder, filename, content, frontmatter }, { workspace }) => {
    const project = workspace.findProject(name);
    const text = frontmatter === undefined ? content : mergeFrontmatter(content, frontmatter);
    const { path, file, hash, indexed } = await createDocument(
      workspace,
      { project, folder, filename },
      text,
    );
    return { success: true, path, absolute_path: file, hash: shortHash(hash), indexed };
  },
});
