import { join } from "node:path";
import { attempt } from "../../storage/fs-errors.ts";
import { inspectPath } from "../../storage/inspect.ts";
import { readSmall } from "../../storage/read.ts";
import { type Entry, isEntry } from "../entry.ts";
import { parseJson } from "../jsonc.ts";
import type { Machine } from "../machine.ts";
import { type Client, claudeFolder, geminiFolder } from "../table.ts";
import { parseToml } from "../toml.ts";
import { MARKETPLACE, PLUGIN } from "./clients.ts";

const NAMED = `${PLUGIN}@${MARKETPLACE}`;

/** The file by which a client has the plugin switched on, absolute; undefined if it has not, or keeps that elsewhere. */
export function pluginFile({ name, userFile }: Client, machine: Machine): string | undefined {
  switch (name) {
    case "claude-code": {
      const file = join(claudeFolder(machine), "settings.json");
      const plugins = settingsIn(file, (text) => parseJson(text, false))["enabledPlugins"];
      return isEntry(plugins) && plugins[NAMED] === true ? file : undefined;
    }
    case "codex": {
      const file = userFile(machine);
      const plugins = settingsIn(file, parseToml)["plugins"];
      const plugin = isEntry(plugins) ? plugins[NAMED] : undefined;
      return isEntry(plugin) && plugin["enabled"] !== false ? file : undefined;
    }
    case "gemini": {
      const file = join(geminiFolder(machine), "extensions", PLUGIN, "gemini-extension.json");
      return inspectPath(file).kind === "file" ? file : undefined;
    }
    default:
      return undefined;
  }
}

function settingsIn(file: string, parse: (text: string) => Entry): Entry {
  return attempt(() => parse(readSmall(file) ?? "")) ?? {};
}
