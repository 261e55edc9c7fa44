/** A folder that clients install as a plugin, by its name in `dist/plugins`. */
export type PluginName = "vibe" | "codex" | "gemini";

/** The name of the plugin and of its server, and of the marketplace that offers it. */
export const PLUGIN = "vibe";
export const MARKETPLACE = "vibe-mcp";
export const SKILL_PATH = "skills/vibe/SKILL.md";

export interface PluginClient {
  plugin: PluginName;
  /** The commands that install it from a folder. */
  install(folder: string): readonly string[];
}

const fromMarketplace = (program: string, verb: string) => (folder: string) => [
  `${program} plugin marketplace add ${folder}`,
  `${program} plugin ${verb} ${PLUGIN}@${MARKETPLACE}`,
];

/** The clients for which this program writes a plugin, by their names in `CLIENTS`. */
export const PLUGIN_BY_CLIENT: Readonly<Record<string, PluginClient>> = {
  "claude-code": { plugin: "vibe", install: fromMarketplace("claude", "install") },
  codex: { plugin: "codex", install: fromMarketplace("codex", "add") },
  copilot: { plugin: "vibe", install: fromMarketplace("copilot", "install") },
  gemini: { plugin: "gemini", install: (folder) => [`gemini extensions install ${folder}`] },
};

export const PLUGIN_CLIENTS = Object.keys(PLUGIN_BY_CLIENT);
