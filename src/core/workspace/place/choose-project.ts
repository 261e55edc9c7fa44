import { isAbsolute, resolve, win32 } from "node:path";
import { isSeen } from "../../history/sight.ts";
import { UserError } from "../../lib/errors.ts";
import { listedName, quoteName } from "../../lib/escape.ts";
import { isNetworkPath } from "../../storage/folders.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { matchName, seenProjects } from "../find/entries.ts";
import { calledLike, type FolderProject, MAX_NAME, projectNameOf } from "./folder-project.ts";
import type { Here } from "./surroundings.ts";

/** What can name the current project; folders are absolute. */
export interface ProjectSources {
  /** `--project` or VIBE_PROJECT, and which of them. */
  setting?: { name: string; source: string } | undefined;
  /** CLAUDE_PROJECT_DIR, which Claude Code sets, if it is a project's. */
  claudeFolder?: string | undefined;
  /** Where this program was started; undefined if its clients are on other machines. */
  folder?: string | undefined;
  /** Whether the client started this program in its own plugin's folder, and no other is known. */
  isLost?: boolean | undefined;
  home: string;
}

export interface ProjectChoice {
  /** Its name on disk; undefined if none is known. */
  project: string | undefined;
  /** Why this one, or why none; for people and models. */
  reason: string;
  /** The name that was looked for, if any. */
  expected?: string;
}

/** A choice in words, without a final period. */
export function describeChoice({ project, reason }: Pick<ProjectChoice, "project" | "reason">): string {
  return project === undefined
    ? `No current project: ${reason}`
    : `Current project: ${listedName(project)} (${reason})`;
}

/** The project that the sources name; `roots` are the client's folders, of which the first with a project counts. */
export function chooseProject(
  root: string,
  { setting, claudeFolder, folder, isLost, home }: ProjectSources,
  roots: readonly string[] = [],
): ProjectChoice {
  if (setting !== undefined && isSeen(setting.name)) {
    const whyNone = `${setting.source} names ${quoteName(setting.name, MAX_NAME)}, which does not exist`;
    return chooseByName(root, { name: setting.name, why: `from ${setting.source}`, whyNone });
  }
  const places = [
    { shown: "CLAUDE_PROJECT_DIR", folders: claudeFolder === undefined ? [] : [claudeFolder] },
    { shown: "the client's root", folders: roots },
    { shown: "the working folder", folders: folder === undefined ? [] : [folder] },
  ];
  for (const { shown, folders } of places) {
    const choices = folders.flatMap((place) => chooseByFolder(root, { folder: place, home }, shown) ?? []);
    const choice = choices.find(({ project }) => project !== undefined) ?? choices[0];
    if (choice !== undefined) return choice;
  }
  if (folder === undefined) return { project: undefined, reason: "no project folder is known" };
  const reason = isLost
    ? "the client started this server in its plugin's folder, and names no other"
    : "the working folder belongs to no project";
  return { project: undefined, reason };
}

/**
 * The project of a folder that a client names. The disk of one on another machine cannot be read: only the folder's name counts. Throws
 * INVALID_ARGUMENT unless it is absolute.
 */
export function chooseAt(root: string, here: string, { folder, home }: ProjectSources): ProjectChoice {
  const isLocal = folder !== undefined;
  if (!(isLocal ? isAbsolute(here) : win32.isAbsolute(here)) || isNetworkPath(here)) {
    const message = "'here' must be the absolute path of a folder, e.g. /home/ana/payments-api.";
    throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "here" } });
  }
  const shown = "the folder in 'here'";
  if (isLocal) {
    const none = { project: undefined, reason: `${shown} belongs to no project` };
    return chooseByFolder(root, { folder: resolve(here), home }, shown) ?? none;
  }
  return chooseByName(root, calledLike(win32.basename(here), shown));
}

/** Undefined for a folder that belongs to no project; reasons call it as `shown`. */
function chooseByFolder(root: string, here: Here, shown: string): ProjectChoice | undefined {
  const likely = projectNameOf(root, here, shown);
  return likely && chooseByName(root, likely);
}

function chooseByName(root: string, { name, isElsewhere, why, whyNone }: FolderProject): ProjectChoice {
  // If the root cannot be read, the call that needs it reports why.
  const names = isElsewhere ? [] : (attempt(() => seenProjects(root)) ?? []);
  const project = matchName(names, name);
  return { project, expected: name, reason: project === undefined ? whyNone : why };
}
