import * as z from "zod";
import { planUndoOf } from "../../history/undo.ts";
import { findOperations } from "../../history/versions.ts";
import { isTaskPath } from "../../notes/document.ts";
import { shortHash } from "../../notes/hash.ts";
import { restoreDocument, undoStep } from "../../workspace/undo.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defineTool } from "../tool.ts";
import { firstOf } from "./move-doc.ts";
import { changeId, count, hint, hintOf, params, writeResult } from "./params.ts";
import { numberHint } from "./task-document.ts";

export const restoreDocTool = defineTool({
  name: "restore_doc",
  title: "Restore document",
  description:
    "Take back one whole change (CONFLICT if the same lines changed since), or, with path, give a file the text it had before one, also after it was deleted.",
  access: "write",
  searchHint: "undo a change",
  destructive: true,
  input: () =>
    z.strictObject({
      change: z.string().describe("Its id in history"),
      path: z.string().optional().describe("Only this file"),
      expected_hash: params.expectedHash(),
    }),
  output: () =>
    z.object({
      ...writeResult(),
      indexed: z.boolean().optional(),
      previous_hash: z.string().nullable().optional(),
      hash: z.string().optional(),
      change: changeId(),
      hint: hint(),
      restored: z.object({ total: count(), list: z.array(z.string()) }).optional(),
    }),
  handle: async ({ expected_hash: expectedHash, path: given, change }, { workspace, current }) => {
    if (given === undefined) return takeBack(workspace, change);
    const name = { path: given, project: current.project() };
    const restored = await restoreDocument(workspace, { ...name, change, expectedHash });
    const { path, before, after, indexed } = restored;
    const previous_hash = before === null ? null : shortHash(before.hash);
    const hash = shortHash(after.hash);
    return { success: true, path, indexed, previous_hash, hash, ...hintOf(taskHint(workspace.root, path)) };
  },
});

function taskHint(root: string, path: string): string | null {
  return isTaskPath(path) ? numberHint(root, path) : null;
}

/** Asking twice is no error: clients repeat a call whose answer was lost. Throws CONFLICT if a file changed since. */
async function takeBack(workspace: Workspace, id: string) {
  const [step] = await planUndoOf(workspace.root, [id]);
  const changed =
    step?.changes ?? (await findOperations(workspace.root, [id])).flatMap(({ changes }) => changes);
  const paths = changed.map(({ path }) => path);
  const change = step && (await undoStep(workspace, step));
  return {
    success: true,
    path: paths[0] ?? "",
    restored: firstOf(step ? paths : []),
    ...(change !== undefined && { change }),
    ...hintOf(step ? null : "Nothing was changed: the files are as they were before that change."),
  };
}
