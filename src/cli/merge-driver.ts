import { isAbsolute, join } from "node:path";
import { git } from "../core/git/ask-git.ts";
import { UserError } from "../core/lib/errors.ts";
import { quoteName } from "../core/lib/escape.ts";
import { inSingleQuotes } from "../core/lib/shell.ts";
import { realPath, repositoryOf } from "../core/storage/folders.ts";
import { inspectPath } from "../core/storage/inspect.ts";
import { addLine, removeLine } from "../core/workspace/doctor/git.ts";
import { MERGE_ATTRIBUTE, MERGE_SETTING } from "../core/workspace/merging.ts";
import { filesInPath, launchOf, type Machine } from "../setup/clients/machine.ts";

const LINE = `*.md ${MERGE_ATTRIBUTE}`;

/** The notes' folder in a repository, as far as git merges there by what the notes say. */
export interface MergeDriver {
  root: string;
  repository: string;
  /** Whether this clone knows the command. */
  isKnown: boolean;
  /** The program that the command starts, if it is gone. */
  missing: string | undefined;
  /** Whether git merges by line if the program does not run. */
  fallsBack: boolean;
  /** Whether git attributes name it for notes. */
  isNamed: boolean;
}

/** Undefined outside of repositories, and without git. */
export async function findMergeDriver(machine: Machine, folder: string): Promise<MergeDriver | undefined> {
  const root = realPath(folder);
  const repository = repositoryOf(root);
  const named = repository && (await git(machine, root, ["check-attr", "merge", "--", "a.md"]));
  if (repository === undefined || named === undefined) return undefined;
  const command = await git(machine, root, ["config", "--get", `${MERGE_SETTING}.driver`]);
  return {
    root,
    repository,
    isKnown: command !== undefined,
    missing: command === undefined ? undefined : missingProgram(machine, command),
    fallsBack: command?.endsWith(FALLBACK) === true,
    isNamed: named.endsWith(": vibe-mcp"),
  };
}

/** Only what the program says counts: an exit code is the same for a conflict and for a program that does not run. */
const ANSWERS = `in *'"conflicts": 0'*) exit 0;; *'"conflicts": '*) exit 1;; esac`;
const WARNING = "echo 'vibe-mcp does not run: git merges this note by line. vibe-mcp doctor says why.' >&2";
const FALLBACK = "git merge-file -q -L ours -L base -L theirs --marker-size=%L %A %O %B || exit 1";

/** Tells git to merge the notes in this folder with this program. Throws FILESYSTEM_ERROR if it refuses. */
export async function registerDriver(machine: Machine, driver: MergeDriver): Promise<void> {
  const { command, args } = launchOf(machine, ["merge"]);
  // Git gives it to a shell, on Windows to its own.
  const words = [command, ...args].map(inSingleQuotes).join(" ").replaceAll("%", "%%");
  const call = `case "$(${words} %O %A %B --marker-size %L --path %P --json)" ${ANSWERS}`;
  await set(machine, driver, ["config", "--local", `${MERGE_SETTING}.name`, "notes of vibe-mcp"]);
  await set(machine, driver, [
    "config",
    "--local",
    `${MERGE_SETTING}.driver`,
    `${call}; ${WARNING}; ${FALLBACK}`,
  ]);
  if (!driver.isNamed) await addLine(attributes(driver), LINE);
}

/** The node or the program that a command starts, or started in earlier versions, if it is not there. */
function missingProgram(machine: Machine, command: string): string | undefined {
  const words = command.replace(/^case "\$\(/, "").matchAll(/((?:'[^']*'|\\.|[^\s'\\])+)/g);
  const [program, script] = [...words]
    .slice(0, 2)
    .map(([word]) => word.replace(/'([^']*)'|\\(.)/g, "$1$2").replaceAll("%%", "%"));
  if (program !== undefined && !isThere(machine, program)) return program;
  return script !== undefined && isAbsolute(script) && !isThere(machine, script) ? script : undefined;
}

function isThere(machine: Machine, program: string): boolean {
  if (isAbsolute(program)) return inspectPath(program).kind === "file";
  // The shell may find what is more than a name, and on Windows it looks elsewhere, too.
  const isName = /^[\w.+-]+$/.test(program) && machine.platform !== "win32";
  return !isName || filesInPath(machine, program).length > 0;
}

/** Takes both away again. */
export async function removeDriver(machine: Machine, driver: MergeDriver): Promise<void> {
  if (
    (await git(machine, driver.root, ["config", "--local", "--get", `${MERGE_SETTING}.driver`])) !== undefined
  )
    await set(machine, driver, ["config", "--local", "--remove-section", MERGE_SETTING]);
  await removeLine(attributes(driver), LINE);
}

function attributes({ root, repository }: MergeDriver) {
  const file = join(root, ".gitattributes");
  return { file, shown: file, within: [repository] };
}

async function set(machine: Machine, { root }: MergeDriver, args: readonly string[]): Promise<void> {
  if ((await git(machine, root, args)) !== undefined) return;
  const message = `git did not change the settings of the repository around ${quoteName(root)}. Run git config there to see why, and try again.`;
  throw new UserError("FILESYSTEM_ERROR", message);
}
