import { join } from "node:path";
import { launchOf, type Machine } from "../clients/machine.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { inSingleQuotes } from "../lib/shell.ts";
import { realPath, repositoryOf } from "../storage/folders.ts";
import { addLine, removeLine } from "../workspace/doctor/git.ts";
import { git } from "./git.ts";

const NAME = "merge.vibe-mcp";
const LINE = "*.md merge=vibe-mcp";

/** The notes' folder in a repository, as far as git merges there by what the notes say. */
export interface MergeDriver {
  root: string;
  repository: string;
  /** Whether this clone knows the command. */
  isKnown: boolean;
  /** Whether git attributes name it for notes. */
  isNamed: boolean;
}

/** Undefined outside of repositories, and without git. */
export function findMergeDriver(machine: Machine, folder: string): MergeDriver | undefined {
  const root = realPath(folder);
  const repository = repositoryOf(root);
  const named = repository && git(machine, root, ["check-attr", "merge", "--", "a.md"]);
  if (repository === undefined || named === undefined) return undefined;
  const isKnown = git(machine, root, ["config", "--get", `${NAME}.driver`]) !== undefined;
  return { root, repository, isKnown, isNamed: named.endsWith(": vibe-mcp") };
}

/** Tells git to merge the notes in this folder with this program. Throws FILESYSTEM_ERROR if it refuses. */
export async function registerDriver(machine: Machine, driver: MergeDriver): Promise<void> {
  const { command, args } = launchOf(machine, ["merge"]);
  // Git gives it to a shell, on Windows to its own.
  const words = [command, ...args].map(inSingleQuotes).join(" ");
  set(machine, driver, ["config", "--local", `${NAME}.name`, "notes of vibe-mcp"]);
  const rest = "%O %A %B --marker-size %L --path %P";
  set(machine, driver, ["config", "--local", `${NAME}.driver`, `${words.replaceAll("%", "%%")} ${rest}`]);
  if (!driver.isNamed) await addLine(attributes(driver), LINE);
}

/** Takes both away again. */
export async function removeDriver(machine: Machine, driver: MergeDriver): Promise<void> {
  if (git(machine, driver.root, ["config", "--local", "--get", `${NAME}.driver`]) !== undefined)
    set(machine, driver, ["config", "--local", "--remove-section", NAME]);
  await removeLine(attributes(driver), LINE);
}

function attributes({ root, repository }: MergeDriver) {
  const file = join(root, ".gitattributes");
  return { file, shown: file, within: [repository] };
}

function set(machine: Machine, { root }: MergeDriver, args: readonly string[]): void {
  if (git(machine, root, args) !== undefined) return;
  const message = `git did not change the settings of the repository around ${quoteName(root)}. Run git config there to see why, and try again.`;
  throw new UserError("FILESYSTEM_ERROR", message);
}
