import { isAbsolute } from "node:path";
import type { Machine } from "../clients/machine.ts";
import { isCommonFolder } from "../storage/folders.ts";
import { type RepositoryNotes, repositoryNotes } from "../workspace/repository-notes.ts";

/** The folder that Claude Code works in, if it started this program; absolute. */
export function claudeFolder({ env }: Pick<Machine, "env">): string | undefined {
  const folder = env["CLAUDE_PROJECT_DIR"] ?? "";
  return isAbsolute(folder) ? folder : undefined;
}

/** Whether the repository in which a person or client works keeps its notes itself, and where. */
export function notesHere(machine: Pick<Machine, "env" | "folder" | "home">): RepositoryNotes | undefined {
  const { folder, home } = machine;
  const claude = claudeFolder(machine);
  return repositoryNotes(claude === undefined || isCommonFolder(claude, home) ? folder : claude, home);
}
