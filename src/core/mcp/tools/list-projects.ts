import * as z from "zod";
import { definedOf } from "../../lib/collections.ts";
import { NEXT_STEPS } from "../../lib/errors.ts";
import { taskStats } from "../../notes/plan/plan.ts";
import { decisionTexts, recentDecisions } from "../../workspace/briefing/decisions.ts";
import { gatherFacts } from "../../workspace/briefing/facts.ts";
import { personName } from "../../workspace/change/claim.ts";
import { describeProject, listProjects } from "../../workspace/projects.ts";
import { listStale, staleLines } from "../../workspace/stale-list.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { projectHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { count, limit, params } from "./params.ts";

const counts = () => z.record(z.string(), count());
const file = () =>
  z.object({
    filename: z.string(),
    status: z.string().nullable().optional(),
    updated: z.string(),
  });

export const listProjectsTool = defineTool({
  name: "list_projects",
  title: "List projects",
  description:
    "See which projects exist, with document counts, tasks by status and the last session. With a project: its files by folder. Next: get_briefing or read_doc.",
  access: "read",
  searchHint: "projects, files, decisions",
  longAnswers: true,
  input: () =>
    z.strictObject({
      project: z.string().optional().describe("List its files instead"),
      folder: z.string().optional().describe("With project: only this folder"),
      limit: limit(100, 1000).describe("Maximum projects, or files per folder"),
      offset: params.offset().describe("Items to skip"),
    }),
  output: () =>
    z.object({
      total: count().optional().describe("All projects"),
      projects: z
        .array(
          z.object({
            name: z.string(),
            path: z.string(),
            last_updated: z.string().nullable(),
            stats: z.object({
              total_docs: count(),
              open_tasks: count(),
              ...taskStats(count),
              last_session_date: z.string().nullable(),
            }),
            folders: counts(),
            needs_review: z.literal(true).optional(),
          }),
        )
        .optional(),
      name: z.string().optional(),
      path: z.string().optional(),
      last_updated: z.string().nullable().optional(),
      folders: z.record(z.string(), z.array(file())).optional(),
      decisions: z.array(z.object({ path: z.string(), day: z.string(), text: z.string() })).optional(),
      outdated: z
        .array(z.object({ path: z.string(), says: z.array(z.string()) }))
        .optional()
        .describe("For people: notes that name what is gone"),
      you: z.string().optional().describe("The person who asks"),
      next: z.string().optional().describe("What to do if there are no projects"),
      sync: z
        .object({
          synced: z.string().nullable(),
          unsent: count(),
          problem: z.string().optional(),
          kept: z.array(z.object({ path: z.string(), change: z.string().optional() })),
        })
        .optional(),
      next_offset: count().optional(),
      totals: counts().optional().describe("Number of files in folders listed only in part"),
    }),
  handle: async ({ project: named, folder, limit, offset }, { workspace, current }) => {
    const project = folder === undefined ? named : await projectHere(named, current);
    if (project !== undefined) {
      const files = await listFiles(workspace, project, { folder, limit, offset });
      return folder !== undefined || offset > 0
        ? files
        : {
            ...files,
            ...(await decisionsOf(workspace, files.name)),
            ...(await outdatedIn(workspace, files)),
          };
    }
    const answer = await listProjects(workspace, { offset, limit });
    return {
      ...answer,
      ...syncOf(workspace),
      ...definedOf({ you: await personName(workspace) }),
      ...(offset + limit < answer.total && { next_offset: offset + limit }),
      ...(answer.total === 0 && { next: NEXT_STEPS["create-project"] }),
    };
  },
});

/** How far the notes are in step with other machines. */
function syncOf({ sharing }: Workspace) {
  const state = sharing?.state();
  if (state === undefined) return {};
  const { text: _, kept, ...rest } = state;
  return { sync: { ...rest, kept: [...kept] } };
}

/** The newest ones; get_briefing has more. */
const MAX_DECISIONS = 5;
const MAX_DECISIONS_CHARS = 1_000;
/** The worst ones; the prompt review_notes has all. */
const MAX_OUTDATED = 50;

async function decisionsOf(workspace: Workspace, project: string) {
  const decisions = recentDecisions(await gatherFacts(workspace, project));
  return { decisions: decisionTexts(decisions, MAX_DECISIONS_CHARS).slice(0, MAX_DECISIONS) };
}

/** For people: it reads all notes, and agents have a prompt for it. */
async function outdatedIn(workspace: Workspace, { name }: { name: string }) {
  const entries = workspace.history.actor().isPerson ? await listStale(workspace, name) : [];
  const outdated = entries.map((entry) => ({ path: entry.path, says: staleLines(entry) }));
  return outdated.length === 0 ? {} : { outdated: outdated.slice(0, MAX_OUTDATED) };
}

interface Page {
  folder: string | undefined;
  limit: number;
  offset: number;
}

export async function listFiles(workspace: Workspace, project: string, { folder, limit, offset }: Page) {
  const name = workspace.findProject(project);
  const listing = await describeProject(workspace, name, folder);
  const all = Object.entries(listing.folders);
  const pages = all.map(([name, files]) => [name, files.slice(offset, offset + limit)] as const);
  // A folder of which earlier pages showed all is left out; the archive is listed without its files.
  const shown = pages.filter(([name, files]) => files.length > 0 || listing.folders[name]?.length === 0);
  const partial = all.filter(([, files]) => offset > 0 || files.length > limit);
  const cut = Object.fromEntries(partial.map(([name, files]) => [name, files.length]));
  const totals = { ...cut, ...listing.totals };
  return {
    ...listing,
    folders: Object.fromEntries(shown),
    ...(all.some(([, files]) => files.length > offset + limit) && { next_offset: offset + limit }),
    ...(Object.keys(totals).length > 0 && { totals }),
  };
}
