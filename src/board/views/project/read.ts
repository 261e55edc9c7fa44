import { ToolError } from "../../mcp-client.ts";
import type { File, Session } from "../../sessions.ts";
import { call, can, state } from "../../state.ts";
import { readSessions } from "../../use-sessions.ts";
import { type Decisions, decisionsOf } from "./notes.ts";

interface PlanCounts {
  pending: number;
  in_progress: number;
  blocked: number;
  done: number;
}

/** What `get_plan` answers. */
export interface Plan {
  path: string;
  exists: boolean;
  parsed: (PlanCounts & { overview: string; task_count: number }) | null;
  actual: PlanCounts & { total: number };
  /** Where the plan differs from the tasks, in words. */
  drift: string[];
}

export interface ProjectNotes {
  /** The text of status.md, or `null` if there is none. */
  status: string | null;
  /** Without a tool for it: `undefined`. */
  plan: Plan | undefined;
  decisions: Decisions[] | undefined;
  sessions: Session[];
  folders: Record<string, File[]>;
  /** Of folders listed only in part. */
  totals: Record<string, number>;
}

const FILES = 200;

export async function readProject(name: string): Promise<ProjectNotes> {
  const project = state.get().projects.find((one) => one.name === name);
  const listing = call<Pick<ProjectNotes, "folders"> & Partial<ProjectNotes>>("list_projects", {
    project: name,
    limit: FILES,
  });
  const [{ folders, totals = {} }, status, plan, decisions, sessions] = await Promise.all([
    listing,
    readStatus(name),
    can("get_plan") ? call<Plan>("get_plan", { project: name }) : undefined,
    can("get_briefing") ? readDecisions(name) : undefined,
    project === undefined ? [] : readSessions(project),
  ]);
  return { status, plan, decisions, sessions, folders: documentsOf(folders), totals };
}

/** Without the pictures and other files of `assets`, which the page cannot open. */
function documentsOf(folders: Record<string, File[]>): Record<string, File[]> {
  const documents = Object.entries(folders).map(([folder, files]): [string, File[]] => {
    return [folder, files.filter(({ filename }) => /\.md$/i.test(filename))];
  });
  return Object.fromEntries(documents);
}

async function readStatus(name: string): Promise<string | null> {
  try {
    return (await call<{ content: string }>("read_doc", { path: `${name}/status.md` })).content;
  } catch (error) {
    if (error instanceof ToolError && error.code === "FILE_NOT_FOUND") return null;
    throw error;
  }
}

async function readDecisions(name: string): Promise<Decisions[]> {
  return decisionsOf((await call<{ text: string }>("get_briefing", { project: name })).text);
}
