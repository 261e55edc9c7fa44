import { isAbsolute, resolve, win32 } from "node:path";
import { UserError } from "../../lib/errors.ts";
import { listedName, quoteName } from "../../lib/escape.ts";
import { isNetworkPath } from "../../storage/folders.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { projectNames } from "../../storage/list.ts";
import { matchName } from "../find/entries.ts";
import { type FolderProject, projectNameOf } from "./folder-project.ts";

/** A stranger may have chosen the name: a model reads it before anything else. */
const MAX_NAME = 100;

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
  if (setting !== undefined) return chooseByName(root, setting);
  const places = [
    { shown: "CLAUDE_PROJECT_DIR", folders: claudeFolder === undefined ? [] : [claudeFolder] },
    { shown: "the client's root", folders: roots },
    { shown: "the working folder", folders: folder === undefined ? [] : [folder] },
  ];
  for (const { shown, folders } of places) {
    const choices = folders.flatMap((place) => chooseByFolder(root, { folder: place, home, shown }) ?? []);
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
    return chooseByFolder(root, { folder: resolve(here), home, shown }) ?? none;
  }
  return describe(root, { name: win32.basename(here), from: "name" }, shown);
}

function chooseByName(root: string, { name, source }: { name: string; source: string }): ProjectChoice {
  const project = matchName(projectsOf(root), name);
  const reason =
    project === undefined
      ? `${source} names ${quoteName(name, MAX_NAME)}, which does not exist`
      : `from ${source}`;
  return { project, reason, expected: name };
}

/** A folder, and how a reason calls it. */
interface ShownFolder {
  folder: string;
  home: string;
  shown: string;
}

/** Undefined for a folder that belongs to no project. */
function chooseByFolder(root: string, { folder, home, shown }: ShownFolder): ProjectChoice | undefined {
  const likely = projectNameOf(root, { folder, home });
  return likely && describe(root, likely, shown);
}

function describe(root: string, likely: FolderProject, shown: string): ProjectChoice {
  const { name } = likely;
  const isElsewhere = likely.from === "elsewhere";
  const project = isElsewhere ? undefined : matchName(projectsOf(root), name);
  const reason = project === undefined ? whyNone(likely, shown) : why(likely, shown);
  return { project, expected: name, reason };
}

function why({ from, line }: FolderProject, shown: string): string {
  if (from === "place") return `${shown} is inside it`;
  return line === undefined
    ? `named like ${shown}`
    : `from the line \`vibe: ${listedName(line.text)}\` in ${line.file}`;
}

function whyNone({ name, from, line }: FolderProject, shown: string): string {
  const quoted = quoteName(name, MAX_NAME);
  if (from === "elsewhere")
    return `${line?.file} says that the notes are in ${quoteName(line?.text ?? "", MAX_NAME)} of that repository, which this server does not serve`;
  return line === undefined
    ? `none is named ${quoted} like ${shown}`
    : `${line.file} names ${quoted}, which does not exist`;
}

/** Empty if the root cannot be read: the call that needs it reports why. */
function projectsOf(root: string): string[] {
  return attempt(() => projectNames(root)) ?? [];
}
