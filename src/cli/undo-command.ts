import { resolveConfig } from "../config/options.ts";
import { quoted } from "../lib/shell.ts";
import type { CommandContext } from "./command.ts";

/** What takes back exactly these changes, in whatever folder it is typed. */
export function undoCommand(context: CommandContext, ids: readonly string[]): string {
  const { config, launcher, machine } = context;
  const isDefault = config.root === resolveConfig({}, {}, machine.home).root;
  return `${launcher} undo ${ids.join(" ")}${isDefault ? "" : ` --root ${quoted(config.root)}`}`;
}

/** ` To take it back: vibe-mcp undo 3f…`; nothing if no history is kept. */
export function wayBack(context: CommandContext, label: string, change: string | undefined): string {
  return change === undefined ? "" : ` ${label}: ${undoCommand(context, [change])}`;
}
