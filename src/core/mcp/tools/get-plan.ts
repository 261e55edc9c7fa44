import * as z from "zod";
import { listNames, quoteName } from "../../lib/escape.ts";
import { withMarkdownExtension } from "../../lib/file-names.ts";
import { updatedDate } from "../../notes/document.ts";
import { shortHash } from "../../notes/hash.ts";
import { planDrift } from "../../notes/plan/drift.ts";
import { countTasks, parsePlan, perBucket, whyUncounted } from "../../notes/plan/plan.ts";
import { listFolder } from "../../storage/list.ts";
import { foldersAlike } from "../../workspace/find/entries.ts";
import { type Document, readIfNamed } from "../../workspace/read.ts";
import { listTasks, type WorkspaceTask } from "../../workspace/tasks.ts";
import { defineProjectTool } from "../tool.ts";
import { outdated, outdatedReport } from "./outdated.ts";
import { count, hint, hintOf, params } from "./params.ts";

const counts = () => perBucket(count);

export const getPlanTool = defineProjectTool({
  name: "get_plan",
  title: "Get plan",
  description:
    "Read a project's execution plan with its overview, task counts and where they are out of date. Next: list_tasks.",
  access: "read",
  searchHint: "execution plan, progress",
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
          ...counts(),
        })
        .nullable(),
      actual: z.object({ ...counts(), total: count() }).describe("The project's tasks"),
      drift: z.array(z.string()).describe("Where the plan's Current Status differs from the tasks"),
      outdated: outdated(),
      hint: hint(),
    }),
  handle: async ({ project, filename }, { workspace, parts }) => {
    const plan = readIfNamed(workspace.root, { project, folder: "plans", filename });
    if (plan !== undefined) parts.note(plan);
    const tasks = await listTasks(workspace, project, { archived: true });
    if (plan === undefined) return missingPlan(workspace.root, project, filename, tasks);
    return { ...describePlan(plan, tasks), ...(await outdatedReport(workspace, plan)) };
  },
});

/** A plan as answers show it; `tasks` are those of the project, archived ones included. */
export function describePlan(plan: Document, tasks: readonly WorkspaceTask[]) {
  const { project, filename, path, text, facts, stats } = plan;
  const { bodyOffset, type } = facts;
  return {
    project,
    filename,
    path,
    exists: true,
    metadata: { type, updated: updatedDate({ updated: facts.updated, mtime: stats.mtimeMs }) },
    hash: shortHash(plan.hash),
    content: text,
    parsed: parsePlan(text, bodyOffset),
    actual: countPresent(tasks),
    drift: planDrift(text, bodyOffset, tasks),
    ...hintOf(whyUncounted(text, bodyOffset)),
  };
}

function countPresent(tasks: readonly WorkspaceTask[]) {
  return countTasks(tasks.filter(({ archived }) => !archived));
}

export function planFiles(root: string, project: string): string[] {
  return foldersAlike(root, project, "plans").flatMap((folder) => listFolder(root, folder).files);
}

function missingPlan(root: string, project: string, name: string, tasks: readonly WorkspaceTask[]) {
  const filename = withMarkdownExtension(name);
  const path = `${project}/plans/${filename}`;
  const nothing = { metadata: null, hash: null, content: null, parsed: null };
  const files = planFiles(root, project);
  const known = files.length === 0 ? "create_plan writes one" : `the project has ${listNames(files)}`;
  return {
    project,
    filename,
    path,
    exists: false,
    ...nothing,
    actual: countPresent(tasks),
    drift: [],
    ...hintOf(`There is no plan ${quoteName(filename)}: ${known}.`),
  };
}
