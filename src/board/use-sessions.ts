import { useRef } from "preact/hooks";
import { compareText } from "../lib/text.ts";
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

/** The newest notes of all projects; only projects that changed are read again. */
export function useSessions(): Session[] | undefined {
  const projects = useStore(state, (value) => value.projects);
  const changes = useStore(state, (value) => value.changes);
  const known = useRef(new Map<string, { version: number; sessions: Session[] }>());
  const last = ({ stats }: Project) => stats.last_session_date ?? "";
  const recent = [...projects].sort((a, b) => compareText(last(b), last(a))).slice(0, PROJECTS);
  const versionOf = (project: Project) => changes.get(project.name) ?? 0;
  const key = JSON.stringify(recent.map((project) => [project.name, versionOf(project)]));
  const { value } = useAnswer(key, async () => {
    const read = async (project: Project) => {
      const version = versionOf(project);
      const old = known.current.get(project.name);
      const sessions = old?.version === version ? old.sessions : await readSessions(project);
      known.current.set(project.name, { version, sessions });
      return sessions;
    };
    return newestFirst((await Promise.all(recent.map(read))).flat()).slice(0, NOTES);
  });
  return value;
}
