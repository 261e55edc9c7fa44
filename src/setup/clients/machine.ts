import { delimiter, dirname, join, relative } from "node:path";
import { fieldsOf, listOf, parseFields, stringOf } from "../../core/lib/fields.ts";
import { realPath } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { readSmall } from "../../core/storage/read.ts";
import { contains, linkBoundary, type UserFile } from "../../core/storage/user-file.ts";
import type { Launch } from "./entry.ts";

/** Where clients keep their settings on this machine, and how they can start this program. */
export interface Machine {
  platform: NodeJS.Platform;
  /** Absolute. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The current folder, absolute. */
  folder: string;
  /** Whether it is only the home folder, since a client started this program in its plugin's folder and the system does not tell its own. */
  isLost?: boolean;
  /** The running Node, absolute. */
  node: string;
  /** The running program, absolute, links resolved. */
  script: string;
  /** Whether npx started it from the registry, and can do so again. */
  npx: boolean;
}

/** A file of this user: links may lead anywhere in the home folder, for example to dotfiles. */
export function personalPlace(machine: Machine, file: string): UserFile {
  const { home } = machine;
  const within = contains(home, file) ? [home] : [dirname(file), home];
  return { file, shown: shownPath(machine, file), within, isPrivate: true };
}

/** A file of the current folder: links may lead anywhere in its repository. */
export function folderPlace(machine: Machine, path: string): UserFile {
  const { folder, home } = machine;
  const file = join(folder, path);
  return { file, shown: shownPath(machine, file), within: [linkBoundary(folder, home)] };
}

function shownPath({ home, folder }: Machine, file: string): string {
  for (const [base, name] of [
    [folder, ""],
    [home, "~/"],
  ] as const) {
    if (file.startsWith(join(base, "/")))
      return `${name}${file.slice(base.length + 1).replaceAll("\\", "/")}`;
  }
  return file;
}

/** How a client starts this program: in the way it was started now. */
export function launchOf(machine: Machine, args: readonly string[]): Launch {
  if (!machine.npx) return { command: stableNode(machine), args: [machine.script, ...args] };
  const npx = ["npx", "-y", "vibe-mcp", ...args];
  // On Windows npx is a script, which only a shell can start.
  return machine.platform === "win32"
    ? { command: "cmd", args: ["/c", ...npx] }
    : { command: "npx", args: npx.slice(1) };
}

/**
 * How to start this program in settings that a team shares: without paths of this machine where the program is in the folder or in PATH.
 * `base` names the folder.
 */
export function sharedLaunch(machine: Machine, args: readonly string[], base: string): Launch {
  const { folder, npx, platform, script } = machine;
  if (!npx && contains(realPath(folder), script))
    return { command: "node", args: [below(base, realPath(folder), script), ...args] };
  if (npx || !isInPath(machine)) return launchOf(machine, args);
  return platform === "win32"
    ? { command: "cmd", args: ["/c", "vibe-mcp", ...args] }
    : { command: "vibe-mcp", args: [...args] };
}

/** A path for settings that a team shares: relative to the folder that `base` names, or to the home, if it is below them. */
export function sharedPath({ folder, home }: Machine, file: string, base: string): string {
  if (contains(folder, file)) return below(base, folder, file);
  return contains(home, file) ? below("~", home, file) : file;
}

function below(base: string, folder: string, file: string): string {
  return [base, relative(folder, file).replaceAll("\\", "/")].filter(Boolean).join("/");
}

/** Whether the program lies in the cache that npx downloads to, which may be emptied. */
export function isInCache({ script }: Machine): boolean {
  return /[\\/]_npx[\\/]/.test(script);
}

/** Whether npx was asked for this program by its name: packed files and addresses lie in its cache, too. */
export function isFromRegistry(script: string): boolean {
  const [folder] = /^.*[\\/]_npx[\\/][^\\/]+(?=[\\/])/.exec(script) ?? [];
  const text = folder === undefined ? "" : attempt(() => readSmall(join(folder, "package.json")));
  const { packages } = fieldsOf(parseFields(text ?? "")?.["_npx"]);
  return listOf(packages).some((name) => /^vibe-mcp(?:@[\w.^~-]+)?$/.test(stringOf(name)));
}

function isInPath(machine: Machine): boolean {
  const { platform, script } = machine;
  if (platform === "win32") return filesInPath(machine, "vibe-mcp.cmd").length > 0;
  return filesInPath(machine, "vibe-mcp").some((file) => realPath(file) === script);
}

/** Node's path in PATH, if it is there: the file that it links to is gone after the next update. */
function stableNode(machine: Machine): string {
  const { node, platform } = machine;
  const files = filesInPath(machine, platform === "win32" ? "node.exe" : "node");
  return files.find((file) => realPath(file) === realPath(node)) ?? node;
}

/** Whether people can start a program by this name. */
export function hasProgram(machine: Machine, name: string): boolean {
  const endings = machine.platform === "win32" ? [".exe", ".cmd"] : [""];
  return endings.some((ending) => filesInPath(machine, `${name}${ending}`).length > 0);
}

/** The files of a name in the folders of PATH. */
export function filesInPath({ env }: Machine, name: string): string[] {
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).filter((file) => inspectPath(file).kind === "file");
}
