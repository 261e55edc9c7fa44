import { z } from "zod";
import { parsePlan } from "../domain/plan.ts";
import { UserError } from "../lib/errors.ts";
import { updatedDate } from "../workspace/updated-date.ts";
import type { Workspace, WorkspaceDocument } from "../workspace/workspace.ts";
import { defineTool } from "./define-tool.ts";
import { params } from "./params.ts";

const count = z.number().int();

export const getPlanTool = defineTool({
  name: "get_plan",
  title: "Get plan",
  description:
    "Read a project's execution plan with its overview and task counts. Use it before choosing what to work on; list_tasks then gives the tasks. " +
    "A project without a plan answers exists: false.",
  access: "read",
  input: z.strictObject({
    project: params.project,
    filename: z.string().default("execution-plan.md").describe("Plan file, when it is not execution-plan.md"),
  }),
  output: z.object({
    project: z.string(),
    filename: z.string(),
    path: z.string(),
    exists: z.boolean(),
    metadata: z.object({ type: z.string().nullable(), updated: z.string().nullable() }).nullable(),
    hash: z.string().nullable().describe("SHA-256 of the file"),
    content: z.string().nullable(),
    parsed: z
      .object({
        overview: z.string(),
        task_count: count,
        pending: count,
        in_progress: count,
        done: count,
        blocked: count,
      })
      .nullable(),
  }),
  handle: ({ project: given, filename: name }, { workspace }) => {
    const project = workspace.findProject(given);
    const plan = readPlan(workspace, project, name);
    if (plan === null) return missingPlan(project, name);
    const { filename, path, hash, text, facts, mtime } = plan;
    const updated = updatedDate({ updated: facts.updated, mtime });
    const parsed = parsePlan(text, facts.bodyOffset);
    const metadata = { type: facts.type, updated };
    return { project, filename, path, exists: true, metadata, hash, content: text, parsed };
  },
});

function readPlan(workspace: Workspace, project: string, filename: string): WorkspaceDocument | null {
  try {
    return workspace.read({ project, folder: "plans", filename });
  } catch (error) {
    if (error instanceof UserError && error.code === "FILE_NOT_FOUND") return null;
    throw error;
  }
}

function missingPlan(project: string, name: string) {
  const filename = /\.md$/i.test(name) ? name : `${name}.md`;
  const path = `${project}/plans/${filename}`;
  return { project, filename, path, exists: false, metadata: null, hash: null, content: null, parsed: null };
}
