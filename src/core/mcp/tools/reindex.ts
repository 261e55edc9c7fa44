import * as z from "zod";
import { defineTool } from "../tool.ts";
import { count, params } from "./params.ts";

export const reindexTool = defineTool({
  name: "reindex",
  title: "Reindex",
  description: "Sync the index with the files and count the changes. Rarely needed: every call syncs first.",
  access: "write",
  searchHint: "rebuild the index",
  input: () =>
    z.strictObject({
      project: params.projectFilter(),
      full: z.boolean().default(false).describe("Reindex every file"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      project: z.string().nullable(),
      stats: z.object({
        scanned: count(),
        updated: count(),
        added: count(),
        deleted: count(),
        unchanged: count(),
        duration_ms: count(),
      }),
    }),
  handle: async ({ project: name, full }, { workspace, signal }) => {
    const project = name === undefined ? undefined : workspace.findProject(name);
    const start = performance.now();
    const { scanned, updated, added, ...stats } = await workspace.index.sync({ project, full, signal });
    const duration_ms = Math.round(performance.now() - start);
    return {
      success: true,
      project: project ?? null,
      stats: { scanned, updated, added, ...stats, duration_ms },
    };
  },
});
