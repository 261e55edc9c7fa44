import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { replaceBody } from "../../markdown/frontmatter-edit.ts";
import { shortHash } from "../../notes/hash.ts";
import {
  checkHash,
  createDocument,
  type SavedDocument,
  saveDocument,
} from "../../workspace/change/documents.ts";
import { type Document, readIfNamed } from "../../workspace/read.ts";
import { defineProjectTool } from "../tool.ts";
import { changeId, hint, hintOf, params, writeResult } from "./params.ts";
import { checkWhole, withoutFence } from "./whole-text.ts";

export const createPlanTool = defineProjectTool({
  name: "create_plan",
  title: "Create or update plan",
  description:
    "Write a project's execution plan, or replace it (with expected_hash, only the version you read). get_plan counts lines such as '- done: 001, 002' under '## Current Status'. Next: create_task.",
  access: "write",
  searchHint: "write a plan",
  destructive: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      filename: params.planFilename(),
      content: z.string().describe("Markdown"),
      expected_hash: params.expectedHash(),
    }),
  output: () =>
    z.object({
      ...writeResult(),
      action: z.enum(["created", "updated"]),
      hash: z.string(),
      change: changeId(),
      hint: hint(),
    }),
  handle: async ({ project, filename, expected_hash, ...given }, { workspace, parts }) => {
    return workspace.locked(project, async (lock) => {
      const plan = readIfNamed(workspace.root, { project, folder: "plans", filename });
      checkPlan(plan, expected_hash);
      const { text: content, note } = withoutFence(given.content, plan?.text ?? "");
      if (plan === undefined) {
        const place = { project, folder: "plans", filename };
        return planResult(await createDocument(workspace, place, content, lock), "created", note);
      }
      checkWhole(plan, content, { parts, known: expected_hash !== undefined });
      const saved = await saveDocument(workspace, plan, { text: replaceBody(plan.text, content), lock });
      const { change } = saved;
      return { ...planResult(saved, "updated", note), ...(change !== undefined && { change }) };
    });
  },
});

function planResult(
  { path, hash, indexed, notes }: SavedDocument,
  action: "created" | "updated",
  note: string | null,
) {
  return { success: true, path, action, hash: shortHash(hash), indexed, ...hintOf(note, ...notes) };
}

/** Throws CONFLICT for the hash of another plan than the one that is there. */
function checkPlan(plan: Document | undefined, expected: string | undefined): void {
  if (plan !== undefined) checkHash(plan, expected, "read-plan-again");
  else if (expected !== undefined) {
    const message = "The plan to replace does not exist. Leave out 'expected_hash' to create it.";
    throw new UserError("CONFLICT", message);
  }
}
