import * as z from "zod";
import { updatedDate } from "../../notes/document.ts";
import { shortHash } from "../../notes/hash.ts";
import { parsePlan } from "../../notes/plan.ts";
import { readIfExists } from "../../workspace/write.ts";
import { defineTool } from "../tool.ts";
import { count, params } from "./params.ts";

export const getPlanTool = defineTool({
  name: "get_plan",
  title: "Get plan",
  description: "Read a project's execution plan with its overview and task counts. Next: list_tasks.",
  access: "read",
  longAnswers: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      filename: params.planFilename(),
    }),
  output: () =>
    z.object({
      project: z.string(),
      filename: z.string(),
      path: z.string(),
      exists: z.boolean(),
      metadata: z.object({ type: z.string().nullable(), updated: z.string().nullable() }).nullable(),
      hash: z.string().nullable().describe("Pass it as expected_hash"),
      content: z.string().nullable(),
      parsed: z
        .object({
          overview: z.string(),
          task_count: count(),
          pending: count(),
          in_progress: count(),
          done: count(),
          blocked: count(),
        })
        .nullable(),
    }),
  handle: ({ project: name, filename: requested }, { workspace }) => {
    const project = workspace.findProject(name);
    const plan = readIfExists(workspace, { project, folder: "plans", filename: requested });
    if (plan === null) return missingPlan(project, requested);
    const { filename, path, text, facts, mtime } = plan;
    const hash = shortHash(plan.hash);
    const updated = updatedDate({ updated: facts.updated, mtime });
    const parsed = parsePlan(text, facts.bodyOffset);
    const metadata = { type: facts.type, updated };
    return { project, filename, path, exists: true, metadata, hash, content: text, parsed };
  },
});

function missingPlan(project: string, name: string) {
  const filename = /\.md$/i.test(name) ? name : `${name}.md`;
  const path = `${project}/plans/${filename}`;
  return { project, filename, path, exists: false, metadata: null, hash: null, content: null, parsed: null };
}
