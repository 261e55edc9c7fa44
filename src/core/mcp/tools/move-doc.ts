import * as z from "zod";
import { listNames } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { archiveWarning } from "../../workspace/archive.ts";
import { moveDocuments } from "../../workspace/move.ts";
import { newPathOf } from "../../workspace/move-check.ts";
import type { MoveResult } from "../../workspace/move-plan.ts";
import { readNamed } from "../../workspace/read.ts";
import { namedHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { changeId, count, hint, hintOf, params } from "./params.ts";

const MAX_LISTED = 50;

export const moveDocTool = defineTool({
  name: "move_doc",
  title: "Move document",
  description:
    "Rename or move a document, archive it (to_folder: archive) or take it out again. " +
    "Links to it and in it keep working; everything else stays.",
  access: "write",
  searchHint: "rename, archive a note",
  destructive: true,
  input: () =>
    z.strictObject({
      ...params.named(),
      to_folder: z.string().optional().describe("E.g. archive, references; / for root files"),
      to_filename: z.string().optional().describe("A task keeps its number"),
      to_project: z.string().optional().describe("Name"),
      expected_hash: params.expectedHash(),
      dry_run: z.boolean().default(false).describe("Only list the edits"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      previous_path: z.string(),
      path: z.string(),
      change: changeId(),
      dry_run: z.boolean().optional(),
      changed: listed(z.string()),
      edits: listed(
        z.object({ path: z.string(), line: count(), before: z.string(), after: z.string() }),
      ).optional(),
      hint: hint(),
    }),
  handle: async (
    { to_folder, to_filename, to_project, expected_hash, dry_run, ...name },
    { workspace, current },
  ) => {
    const document = readNamed(workspace.root, await namedHere(name, current));
    const project = to_project === undefined ? undefined : workspace.findProject(to_project);
    const to = newPathOf(workspace.root, document, { project, folder: to_folder, filename: to_filename });
    const move = { from: document.path, to };
    const warning = await archiveWarning(workspace, move);
    const result = await moveDocuments(workspace, [move], { expectedHash: expected_hash, dryRun: dry_run });
    return { success: true, previous_path: move.from, path: to, ...describeMove(result, dry_run, warning) };
  },
});

const listed = <T extends z.ZodType>(item: T) => z.object({ total: count(), list: z.array(item) });

/** What a move changes, as answers show it, after what spoke against it. */
export function describeMove(
  { edits, changed, left, change, notes }: MoveResult,
  dryRun: boolean,
  warning: string | null = null,
) {
  const paths = [...new Set(left.map(({ path }) => path))];
  const stays =
    left.length === 0
      ? null
      : `${counted(left.length, "link")} will break: ${listNames(paths, 5)} must be UTF-8 to be changed.`;
  return {
    ...(change !== undefined && { change }),
    changed: firstOf(changed),
    ...(dryRun && { dry_run: true, edits: firstOf(edits) }),
    ...hintOf(warning, stays, ...notes),
  };
}

export function firstOf<T>(items: readonly T[]): { total: number; list: T[] } {
  return { total: items.length, list: items.slice(0, MAX_LISTED) };
}
