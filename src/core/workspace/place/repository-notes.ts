import { isAbsolute, join, relative } from "node:path";
import { isCommonFolder, realPath } from "../../storage/folders.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { gateOf, NO_LINKS } from "../../storage/path-gate.ts";
import { type Here, nearestMarker, surroundingsOf } from "./surroundings.ts";

/** A line `vibe: <folder>/<project>`: the repository of a folder keeps its notes itself. */
export interface RepositoryNotes {
  /** Absolute; undefined if the folder is missing, or not a folder in the repository that no link leads to. */
  root: string | undefined;
  /** As the line has it. */
  folder: string;
  /** The file with the line, for people. */
  file: string;
}

/** Where a person works, and what a client says of that. */
type Machine = Here & { env: Readonly<Record<string, string | undefined>> };

/** The folder that Claude Code works in, if it started this program and that is a project's; absolute. */
export function claudeFolder({ env, home }: Pick<Machine, "env" | "home">): string | undefined {
  const folder = env["CLAUDE_PROJECT_DIR"] ?? "";
  return isAbsolute(folder) && !isCommonFolder(folder, home) ? folder : undefined;
}

/** Whether the repository in which a person or client works keeps its notes itself, and where. */
export function notesHere(machine: Machine): RepositoryNotes | undefined {
  return repositoryNotes({ folder: claudeFolder(machine) ?? machine.folder, home: machine.home });
}

/**
 * What the nearest line says that names a project, in the folder's own repository. Undefined if there is none, or if it names no folder.
 * A worktree has the notes of its own branch.
 */
export function repositoryNotes(here: Here): RepositoryNotes | undefined {
  const around = surroundingsOf(here);
  const found = around && nearestMarker(around);
  if (around?.repository === undefined || found === undefined || !around.own.includes(found.folder))
    return undefined;
  const { folder } = found.marker;
  if (folder === "") return undefined;
  return {
    root: openableFolder(around.repository, folder),
    folder,
    file: relative(here.folder, found.file),
  };
}

/** Whether a folder of notes may lie there: below the repository's top, and not in what belongs to git. */
export function isNotesFolder(folder: string): boolean {
  const parts = folder.split("/");
  return parts.every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()) && !part.includes("\\"));
}

function openableFolder(repository: string, folder: string): string | undefined {
  if (!isNotesFolder(folder)) return undefined;
  const found = attempt(() => gateOf(repository, NO_LINKS).findFolder(folder));
  return found && join(realPath(repository), ...folder.split("/"));
}
