import type { Machine } from "../machine.ts";

/** The name of the plugin and of its server, and of the marketplace that offers it. */
export const PLUGIN = "vibe";
export const MARKETPLACE = "vibe-mcp";
export const NAMED = `${PLUGIN}@${MARKETPLACE}`;
export const SKILL_PATH = "skills/vibe/SKILL.md";

export interface PluginClient {
  /** A folder that clients install as a plugin, by its name in `dist/plugins`. */
  name: "vibe" | "codex" | "gemini";
  /** The commands that install it from a folder. */
  install(folder: string): readonly string[];
  /** The command that removes it. */
  remove: string;
  /** The file (absolute) by which it is switched on, and the list there that names it; undefined if the client keeps that elsewhere. */
  on?(machine: Machine): { file: string; listed?: string };
}

export const fromMarketplace = (
  name: PluginClient["name"],
  program: string,
  [verb, removal]: readonly [string, string],
): PluginClient => ({
  name,
  remove: `${program} plugin ${removal} ${NAMED}`,
  install: (folder) => [`${program} plugin marketplace add ${folder}`, `${program} plugin ${verb} ${NAMED}`],
});
