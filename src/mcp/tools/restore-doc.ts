import * as z from "zod";
import { shortHash } from "../../notes/hash.ts";
import { hashOf } from "../../storage/read.ts";
import { restoreVersion } from "../../workspace/history-undo.ts";
import { defineTool } from "../tool.ts";
import { params, writeResult } from "./params.ts";

export const restoreDocTool = defineTool({
  name: "restore_doc",
  title: "Restore document",
  description:
    "Give a file the text of a version from history, also after it was deleted. CONFLICT if another program changed it since.",
  access: "write",
  destructive: true,
  input: () =>
    z.strictObject({
      path: z.string().describe("As listed"),
      version: z.string().describe("As listed"),
      expected_hash: params.expectedHash(),
    }),
  output: () => z.object({ ...writeResult(), previous_hash: z.string().nullable(), hash: z.string() }),
  handle: async ({ expected_hash: expectedHash, ...name }, { workspace }) => {
    const { path, before, after, indexed } = await restoreVersion(workspace, { ...name, expectedHash });
    const previous_hash = before === null ? null : shortHash(hashOf(before));
    return { success: true, path, indexed, previous_hash, hash: shortHash(hashOf(after)) };
  },
});
