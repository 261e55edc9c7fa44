import { isMarkdown } from "../../../core/lib/file-names.ts";
import type { ToolAnswer } from "../../../core/mcp/tool.ts";
import type { getPlanTool } from "../../../core/mcp/tools/get-plan.ts";
import { ToolError } from "../../mcp-client.ts";
import type { Listing, Project } from "../../model.ts";
import { type File, newestFirst, newestNotes, type Session, sessionOf } from "../../sessions.ts";
import { call, can, state } from "../../state.ts";

/** What `get_plan` answers. */
export type Plan = ToolAnswer<typeof getPlanTool>;

export interface ProjectNotes {
  /** The text of status.md, or `null` if there is none. */
  status: string | null;
  /** Undefined without a tool for it. */
  plan: Plan | undefined;
  decisions: NonNullable<Listing["decisions"]>;
  outdated: NonNullable<Listing["outdated"]>;
  /** The files among its tasks that are none, with the reason. */
  leftOut: string[];
  sessions: Session[];
  folders: NonNullable<Listing["folders"]>;
  /** How many documents a folder has, if only some are listed. */
  totals: Record<string, number>;
}

const FILES = 200;

export async function readProject(name: string): Promise<ProjectNotes> {
  const project = state.get().projects.find((one) => one.name === name);
  const listing = call<Listing>("list_projects", { project: name, limit: FILES });
  const [
    { folders = {}, totals = {}, decisions = [], outdated = [] },
    { left_out: leftOut = [] },
    status,
    plan,
    sessions,
  ] = await Promise.all([
    listing,
    call<{ left_out?: string[] }>("list_tasks", { project: name, limit: 1 }),
    readStatus(name),
    can("get_plan") ? call<Plan>("get_plan", { project: name }) : undefined,
    project === undefined ? [] : readSessions(project),
  ]);
  return { status, plan, decisions, outdated, leftOut, sessions, folders: documentsOf(folders), totals };
}

const NOTES = 10;

/** The newest notes first. */
async function readSessions(project: Project): Promise<Session[]> {
  if (!project.folders["sessions"]) return [];
  const { folders } = await call<Listing>("list_projects", newestNotes(project, NOTES));
  const sessions = (folders?.["sessions"] ?? []).map((file) => sessionOf(project.name, file));
  return newestFirst(sessions).slice(0, NOTES);
}

/** Without the pictures and other files of `assets`, which the page cannot open. */
function documentsOf(folders: ProjectNotes["folders"]): ProjectNotes["folders"] {
  const documents = Object.entries(folders).map(([folder, files]): [string, File[]] => {
    return [folder, files.filter(({ filename }) => isMarkdown(filename))];
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
