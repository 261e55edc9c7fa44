import { join } from "node:path";
import { resolveConfig, UsageError } from "../core/config/options.ts";
import { git } from "../core/git/ask-git.ts";
import { changedMeanwhile } from "../core/lib/errors.ts";
import { quoteName } from "../core/lib/escape.ts";
import { isCommonFolder, realPath, repositoryOf } from "../core/storage/folders.ts";
import { readSettings, replaceSettings } from "../core/storage/settings.ts";
import { makeUserFolder } from "../core/storage/user-file.ts";
import { ignoreIndex } from "../core/workspace/doctor/git.ts";
import { isNotesFolder, notesHere } from "../core/workspace/place/repository-notes.ts";
import type { Machine } from "../setup/clients/machine.ts";
import { type Change, requestOf } from "../setup/clients/request.ts";
import { CLIENTS } from "../setup/clients/table.ts";
import type { CommandContext } from "./command.ts";
import { findMergeDriver, registerDriver } from "./merge-driver.ts";
import { PROGRAM, programBytes } from "./program.ts";
import { nameToCreate } from "./resolve-project.ts";

const DEFAULT_FOLDER = ".vibe";

/** Where a repository is to keep its notes. */
export interface InRepo {
  /** Its top, absolute and link-free. */
  repository: string;
  /** From there, with `/`. */
  folder: string;
  /** As if typed at the top, over the notes there. */
  context: CommandContext;
}

/** Throws UsageError outside of a repository, and for a folder that cannot hold its notes. */
export function inRepo(context: CommandContext, typed: string | undefined): InRepo {
  const { machine, settings } = context;
  const top = repositoryOf(machine.folder);
  if (top === undefined || isCommonFolder(top, machine.home))
    throw new UsageError("--in-repo needs a git repository: change to one, or make one with git init");
  const folder = (typed ?? notesHere(machine)?.folder ?? DEFAULT_FOLDER).replace(/^\.\/|\/+$/g, "");
  if (!isNotesFolder(folder))
    throw new UsageError(
      `${quoteName(folder)} cannot hold the notes: name a folder below the top of the repository, such as ${DEFAULT_FOLDER} or docs/notes`,
    );
  const repository = realPath(top);
  const root = join(repository, ...folder.split("/"));
  const config = resolveConfig({ ...settings, root }, machine.env, machine.home);
  return { repository, folder, context: { ...context, config, machine: { ...machine, folder: repository } } };
}

/** What the repository is called where it was cloned from; undefined if that is no name for a project. */
export async function originName(machine: Machine, repository: string): Promise<string | undefined> {
  const address = (await git(machine, repository, ["config", "--get", "remote.origin.url"])) ?? "";
  const [, name = ""] = /([^/\\:]+?)(?:\.git)?[/\\]*$/.exec(address) ?? [];
  return nameToCreate(name);
}

/** Makes the folder, through no link, and keeps the index out of git. */
export async function makeNotesFolder({ repository, folder, context: { config } }: InRepo): Promise<void> {
  const first = { file: join(config.root, ".gitignore"), base: repository };
  makeUserFolder(first, folder);
  await ignoreIndex(config);
}

/** Whether git leaves the notes out by one of its rules. */
export async function isLeftOut({ repository, folder, context }: InRepo, project: string): Promise<boolean> {
  const args = ["check-ignore", "--", `${folder}/${project}/status.md`];
  return (await git(context.machine, repository, args)) !== undefined;
}

/** Puts this program beside the notes, for everyone who clones; undefined if npx can fetch it, or it is not one file. */
export async function installProgram(inside: InRepo): Promise<string | undefined> {
  const { repository, folder, context } = inside;
  const bytes = context.machine.npx ? undefined : programBytes(context.machine);
  if (bytes === undefined) return undefined;
  const shown = `${folder}/${PROGRAM}`;
  const before = readSettings({ file: join(repository, shown), shown, within: [repository] });
  const changed = () => changedMeanwhile(shown, "Try again.");
  if (before.bytes?.equals(bytes) !== true) await replaceSettings(before, { after: bytes, changed });
  return before.file;
}

/** Has git merge the notes in this clone by what they say; false without git. */
export async function registerMerging({ context: { config, machine } }: InRepo): Promise<boolean> {
  const driver = await findMergeDriver(machine, config.root);
  if (driver !== undefined) await registerDriver(machine, driver);
  return driver !== undefined;
}

/** The changes of the settings that the repository has for clients which can name its folder; `script` is the program in it. */
export async function planSettings({ context }: InRepo, script: string | undefined): Promise<Change[]> {
  const { config, machine } = context;
  const started = script === undefined ? machine : { ...machine, script };
  const changes: Change[] = [];
  for (const { name, folderVariable } of CLIENTS) {
    if (folderVariable === undefined) continue;
    changes.push(await requestOf({ client: name, here: true, config }, started).plan());
  }
  return changes;
}
