import { withoutMarkdownExtension } from "../core/lib/file-names.ts";
import { compareText } from "../core/lib/text.ts";
import { baseName } from "../core/notes/names.ts";
import { sessionDate } from "../core/notes/session/file.ts";
import type { Listing, Project } from "./model.ts";

/** A session note. */
export interface Session {
  project: string;
  path: string;
  /** YYYY-MM-DD */
  day: string;
  /** `debugging auth` of `2026-11-22-debugging-auth.md`. */
  topic: string;
  /** When the file changed last. */
  updated: string;
}

/** How `list_projects` shows a file of a folder. */
export type File = NonNullable<Listing["folders"]>[string][number];

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
  const day = sessionDate(filename) ?? "";
  const topic = withoutMarkdownExtension(baseName(filename)).slice(day.length);
  return {
    project,
    path: `${project}/sessions/${filename}`,
    day: day || updated.slice(0, 10),
    topic: topic.replace(/[-_]+/g, " ").trim(),
    updated,
  };
}

export function newestFirst(sessions: readonly Session[]): Session[] {
  return [...sessions].sort(
    (a, b) => compareText(b.day, a.day) || compareText(a.project, b.project) || compareText(b.path, a.path),
  );
}
