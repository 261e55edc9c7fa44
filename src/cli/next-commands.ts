import { resolveConfig } from "../core/config/options.ts";
import { quoted } from "../core/lib/shell.ts";
import type { CommandContext } from "./command.ts";
import { currentProject } from "./resolve-project.ts";

/** What takes back exactly these changes, in whatever folder it is typed. */
export function undoCommand(context: CommandContext, ids: readonly string[]): string {
  const { config, launcher, machine } = context;
  const isDefault = config.root === resolveConfig({}, {}, machine.home).root;
  return `${launcher} undo ${ids.join(" ")}${isDefault ? "" : ` --root ${quoted(config.root)}`}`;
}

/** This command again, without questions, over the same workspace in any folder. */
export function yesCommand({ launcher, typed, settings, config }: CommandContext): string {
  const { root } = settings;
  const absolute = new Map<unknown, string>([
    [root, config.root],
    [`--root=${root}`, `--root=${config.root}`],
  ]);
  const words = typed.map((word) => absolute.get(word) ?? word);
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return [launcher, ...words.toSpliced(end, 0, "--yes").map(quoted)].join(" ");
}

/** ` --project shop`; nothing for the project that is current without an option. */
export function projectFlag(context: CommandContext, project: string): string {
  const isCurrent = !context.options.has("project") && currentProject(context).project === project;
  return isCurrent ? "" : ` --project ${quoted(project)}`;
}

/** ` To take it back: vibe-mcp undo 3f…`; nothing if no history is kept. */
export function wayBack(context: CommandContext, label: string, change: string | undefined): string {
  return change === undefined ? "" : ` ${label}: ${undoCommand(context, [change])}`;
}
