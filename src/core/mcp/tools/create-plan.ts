import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { replaceBody } from "../../markdown/frontmatter-edit.ts";
import { shortHash } from "../../notes/hash.ts";
import { checkHash, createDocument, saveDocument } from "../../workspace/change/documents.ts";
import { type Document, readIfNamed } from "../../workspace/read.ts";
import { defineProjectTool } from "../tool.ts";
import { params, writeResult } from "./params.ts";
import { checkWhole } from "./whole-text.ts";

export const createPlanTool = defineProjectTool({
  name: "create_plan",
  title: "Create or update plan",
  description:
    "Write a project's execution plan, or replace it with expected_hash. get_plan counts lines such as '- done: 001, 002' under '## Current Status'. Next: create_task.",
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
  output: () => z.object({ ...writeResult(), action: z.enum(["created", "updated"]), hash: z.string() }),
  handle: async ({ project, filename, content, expected_hash }, { workspace }) => {
    return workspace.locked(project, async (lock) => {
      const plan = readIfNamed(workspace.root, { project, folder: "plans", filename });
      checkPlan(plan, expected_hash);
      if (plan !== undefined) checkWhole(plan.path, { before: plan.text, content });
      const { path, hash, indexed } =
        plan === undefined
          ? await createDocument(workspace, { project, folder: "plans", filename }, content, lock)
          : await saveDocument(workspace, plan, { text: replaceBody(plan.text, content), lock });
      const action = plan === undefined ? "created" : "updated";
      return { success: true, path, action, hash: shortHash(hash), indexed } as const;
    });
  },
});

/** Throws CONFLICT unless a new plan comes without a hash, and a replacement with that of the plan it replaces. */
function checkPlan(plan: Document | undefined, expected: string | undefined): void {
  if (plan !== undefined && expected !== undefined) checkHash(plan, expected, "read-plan-again");
  else if (plan !== undefined) throw planExists(plan.path);
  else if (expected !== undefined) {
    const message = "The plan to replace does not exist. Leave out 'expected_hash' to create it.";
    throw new UserError("CONFLICT", message);
  }
}

function planExists(path: string): UserError {
  const message = `${quoteName(path)} already exists. To replace it, pass its hash, from get_plan, as 'expected_hash'. To change a part of it, use update_doc.`;
  return new UserError("CONFLICT", message, { details: { path } });
}
