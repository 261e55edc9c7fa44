import { compare } from "./compare.ts";
import type { Project } from "./model.ts";

/** A session note. */
export interface Session {
  project: string;
  path: string;
  /** YYYY-MM-DD */
  day: string;
  /** `debugging auth` of `2026-11-22-debugging-auth.md`. */
  topic: string;
}

/** How `list_projects` shows a file of a folder. */
export interface File {
  filename: string;
  status?: string | null;
  updated: string;
}

/** The arguments of `list_projects` for the newest notes: files come by name, so the newest are the last ones. */
export function newestNotes({ name, folders }: Project, most: number) {
  return {
    project: name,
    folder: "sessions",
    limit: 1000,
    offset: Math.max(0, (folders["sessions"] ?? 0) - most),
  };
}

export function sessionOf(project: string, { filename, updated }: File): Session {
  const [, day = updated.slice(0, 10), topic = ""] =
    /^(\d{4}-\d{2}-\d{2})?(.*?)(?:\.(?:md|markdown))?$/.exec(filename) ?? [];
  return {
    project,
    path: `${project}/sessions/${filename}`,
    day,
    topic: topic.replace(/[-_]+/g, " ").trim(),
  };
}

export function newestFirst(sessions: readonly Session[]): Session[] {
  return [...sessions].sort(
    (a, b) => compare(b.day, a.day) || compare(a.project, b.project) || compare(b.path, a.path),
  );
}
