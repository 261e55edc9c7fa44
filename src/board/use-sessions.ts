import { compareText } from "../core/lib/text.ts";
import { useAnswer } from "./answer.ts";
import type { Listing, Project } from "./model.ts";
import { newestFirst, newestNotes, type Session, sessionOf } from "./sessions.ts";
import { call, state } from "./state.ts";
import { useStore } from "./store.ts";

const PROJECTS = 8;
const NOTES = 10;

/** The newest notes of a project first. */
export async function readSessions(project: Project): Promise<Session[]> {
  if (!project.folders["sessions"]) return [];
  const { folders } = await call<Listing>("list_projects", newestNotes(project, NOTES));
  const sessions = (folders?.["sessions"] ?? []).map((file) => sessionOf(project.name, file));
  return newestFirst(sessions).slice(0, NOTES);
}

/** The newest notes of all projects, read again when a project has another number of them or another day. */
export function useSessions(): Session[] | undefined {
  const projects = useStore(state, (value) => value.projects);
  const last = ({ stats }: Project) => stats.last_session_date ?? "";
  const recent = [...projects].sort((a, b) => compareText(last(b), last(a))).slice(0, PROJECTS);
  const key = recent.map((project) => [project.name, last(project), project.folders["sessions"]].join(" "));
  const { value } = useAnswer(key.join("\n"), async () =>
    newestFirst((await Promise.all(recent.map(readSessions))).flat()).slice(0, NOTES),
  );
  return value;
}
