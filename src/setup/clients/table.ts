import { join } from "node:path";
import { fieldsOf, stringOf } from "../../core/lib/fields.ts";
import { namesIn } from "../../core/storage/inspect.ts";
import type { Entry, Launch, Remote } from "./entry.ts";
import type { Machine } from "./machine.ts";
import { fromMarketplace, PLUGIN, type PluginClient } from "./plugin/clients.ts";

/** What a file of settings (JSON, absolute) holds; undefined if it cannot be read. */
export type ReadSettings = (file: string) => Entry | undefined;

/** A program that connects to MCP servers, with its settings as it documents them. */
export interface Client {
  /** As in `vibe-mcp connect <name>`. */
  name: string;
  title: string;
  /** What else people call it. */
  aliases?: readonly string[];
  format: "json" | "toml";
  /** Whether it refuses comments and trailing commas in JSON. */
  strict: boolean;
  /** The object that holds the servers by name. */
  servers: string;
  /** Absolute: the settings of this person. */
  userFile(machine: Machine): string;
  /** The settings of one folder, relative to it, if it has any. */
  folderFile?: string;
  /** What its settings call that folder (default: `.`, the folder in which it starts servers). */
  folderVariable?: string;
  /** A folder that only an installation has, absolute, if it is not the folder of `userFile`. */
  installFolder?(machine: Machine): string;
  /** What people type to start it, if a terminal is where it runs. */
  program?: string;
  /** The files of a repository that it reads, from its top; the first is made if there is none (default: AGENTS.md). */
  guides?(machine: Machine, read: ReadSettings): readonly string[];
  /** The plugin that it installs. */
  plugin?: PluginClient;
  /** Where its transcripts are: a folder of its own ones, below an absolute one, and their paths from there. */
  transcripts?: readonly { home(machine: Machine): string; folder: string; names: RegExp }[];
  stdio(launch: Launch): Entry;
  /** Undefined if its settings only start programs. */
  remote?(remote: Remote): Entry;
  /** Where it takes a token from: a variable, or what people write into its settings. */
  token?: "variable" | "settings";
  /** How to make it read the new settings. */
  afterwards: string;
}

const JSON_SETTINGS = { format: "json", strict: false, servers: "mcpServers", token: "variable" } as const;
const NEW_SESSION = "Start a new session; /mcp shows it.";
const plain = (launch: Launch): Entry => ({ ...launch });
const typed = (launch: Launch): Entry => ({ type: "stdio", ...launch });

export const CLIENTS: readonly Client[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    ...JSON_SETTINGS,
    strict: true,
    program: "claude",
    guides: () => ["CLAUDE.md", ".claude/CLAUDE.md"],
    userFile: ({ env, home }) => join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
    folderFile: ".mcp.json",
    folderVariable: `\${CLAUDE_PROJECT_DIR:-.}`,
    installFolder: claudeFolder,
    plugin: {
      ...fromMarketplace("vibe", "claude", ["install", "uninstall"]),
      on: (machine) => ({ file: join(claudeFolder(machine), "settings.json"), listed: "enabledPlugins" }),
    },
    transcripts: [{ home: claudeFolder, folder: "projects", names: /^projects\/[^/]+\/[^/]+\.jsonl$/ }],
    stdio: typed,
    remote: ({ url, token }) => ({ type: "http", url, ...bearer(token, (name) => `\${${name}}`) }),
    afterwards: NEW_SESSION,
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    ...JSON_SETTINGS,
    strict: true,
    guides: () => [],
    userFile: (machine) => join(claudeDesktopFolder(machine), "claude_desktop_config.json"),
    stdio: plain,
    afterwards: "Quit Claude Desktop and start it again.",
  },
  {
    name: "cursor",
    title: "Cursor",
    aliases: ["cursor-agent", "cursor-cli"],
    ...JSON_SETTINGS,
    program: "cursor-agent",
    userFile: ({ home }) => join(home, ".cursor", "mcp.json"),
    folderFile: ".cursor/mcp.json",
    folderVariable: `\${workspaceFolder}`,
    stdio: typed,
    remote: ({ url, token }) => ({ url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "Cursor shows it under Settings > MCP.",
  },
  {
    name: "vscode",
    title: "VS Code",
    aliases: ["code", "visual-studio-code"],
    ...JSON_SETTINGS,
    servers: "servers",
    userFile: (machine) => join(applicationData(machine), "Code", "User", "mcp.json"),
    folderFile: ".vscode/mcp.json",
    folderVariable: `\${workspaceFolder}`,
    stdio: typed,
    remote: ({ url, token }) => ({ type: "http", url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "The command MCP: List Servers shows it.",
  },
  {
    name: "codex",
    title: "Codex",
    aliases: ["codex-cli", "openai-codex"],
    format: "toml",
    strict: false,
    servers: "mcp_servers",
    token: "variable",
    program: "codex",
    userFile: (machine) => join(codexFolder(machine), "config.toml"),
    folderFile: ".codex/config.toml",
    plugin: {
      ...fromMarketplace("codex", "codex", ["add", "remove"]),
      on: (machine) => ({ file: join(codexFolder(machine), "config.toml"), listed: "plugins" }),
    },
    transcripts: ["sessions", "archived_sessions"].map((folder) => ({
      home: codexFolder,
      folder,
      names: /\/rollout-[^/]+\.jsonl$/,
    })),
    // Its default of ten seconds is too short for the first download by npx.
    stdio: (launch) => ({ ...launch, ...(launch.args.includes("-y") && { startup_timeout_sec: 60 }) }),
    remote: ({ url, token }) => ({ url, ...(token !== undefined && { bearer_token_env_var: token }) }),
    afterwards: NEW_SESSION,
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    aliases: ["github-copilot"],
    ...JSON_SETTINGS,
    program: "copilot",
    userFile: (machine) => join(copilotFolder(machine), "mcp-config.json"),
    plugin: fromMarketplace("vibe", "copilot", ["install", "uninstall"]),
    transcripts: [
      {
        home: copilotFolder,
        folder: "session-state",
        names: /^session-state\/(?:[^/]+\/events|[^/]+)\.jsonl$/,
      },
    ],
    stdio: (launch) => ({ type: "local", ...launch, tools: ["*"] }),
    remote: ({ url, token }) => ({
      type: "http",
      url,
      tools: ["*"],
      ...bearer(token, (name) => `\${${name}}`),
    }),
    afterwards: NEW_SESSION,
  },
  {
    name: "opencode",
    title: "opencode",
    ...JSON_SETTINGS,
    servers: "mcp",
    program: "opencode",
    userFile: (machine) => join(configFolder(machine), "opencode", "opencode.json"),
    folderFile: "opencode.json",
    stdio: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
    // Without `oauth: false` it would answer a wrong token with a login.
    remote: ({ url, token }) => ({
      type: "remote",
      url,
      ...(token !== undefined && { oauth: false }),
      ...bearer(token, (name) => `{env:${name}}`),
    }),
    afterwards: "Start a new session; `opencode mcp list` shows it.",
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    ...JSON_SETTINGS,
    program: "gemini",
    guides: geminiGuides,
    userFile: (machine) => join(geminiFolder(machine), "settings.json"),
    folderFile: ".gemini/settings.json",
    plugin: {
      name: "gemini",
      install: (folder) => [`gemini extensions install ${folder}`],
      remove: `gemini extensions uninstall ${PLUGIN}`,
      on: (machine) => ({ file: join(geminiFolder(machine), "extensions", PLUGIN, "gemini-extension.json") }),
    },
    transcripts: [{ home: geminiFolder, folder: "tmp", names: /^tmp\/[^/]+\/chats\/session-[^/]+\.jsonl?$/ }],
    stdio: plain,
    remote: ({ url, token }) => ({ httpUrl: url, ...bearer(token, (name) => `\${${name}}`) }),
    afterwards: `${NEW_SESSION} If it is Disabled there, the folder is not trusted: /permissions changes that.`,
  },
  {
    name: "antigravity",
    title: "Antigravity",
    aliases: ["google-antigravity"],
    ...JSON_SETTINGS,
    strict: true,
    token: "settings",
    userFile: ({ home }) => join(home, ".gemini", "config", "mcp_config.json"),
    stdio: plain,
    remote: ({ url }) => ({ serverUrl: url }),
    afterwards: "Its list of MCP servers shows it after a refresh.",
  },
  {
    name: "devin",
    title: "Devin Desktop",
    ...JSON_SETTINGS,
    userFile: (machine) => join(devinFolder(machine), "mcp_config.json"),
    folderFile: ".devin/mcp_config.json",
    stdio: plain,
    remote: ({ url, token }) => ({ url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "The MCP section of the agent panel shows it.",
  },
  {
    name: "windsurf",
    title: "Windsurf",
    ...JSON_SETTINGS,
    userFile: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    stdio: plain,
    remote: ({ url, token }) => ({ serverUrl: url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "Press the refresh button in the list of MCP servers.",
  },
  {
    name: "junie",
    title: "JetBrains Junie",
    aliases: ["jetbrains"],
    ...JSON_SETTINGS,
    userFile: ({ home }) => join(home, ".junie", "mcp", "mcp.json"),
    folderFile: ".junie/mcp/mcp.json",
    installFolder: ({ home }) => join(home, ".junie"),
    stdio: plain,
    afterwards: "Settings > Tools > Junie > MCP Settings shows it.",
  },
  {
    name: "zed",
    title: "Zed",
    ...JSON_SETTINGS,
    servers: "context_servers",
    token: "settings",
    userFile: (machine) => join(zedFolder(machine), "settings.json"),
    folderFile: ".zed/settings.json",
    stdio: (launch) => ({ ...launch, env: {} }),
    remote: ({ url }) => ({ url }),
    afterwards: "The settings of the agent panel show it.",
  },
];

/** The name of the client that people call so: by its title, another name, with spaces or capitals. */
export function clientNamed(typed: string): string {
  const wanted = spelling(typed);
  const client = CLIENTS.find(({ name, title, aliases = [] }) =>
    [name, title, ...aliases].some((known) => spelling(known) === wanted),
  );
  return client?.name ?? typed;
}

const spelling = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function bearer(token: string | undefined, reference: (name: string) => string): Entry {
  return token === undefined ? {} : { headers: { Authorization: `Bearer ${reference(token)}` } };
}

function applicationData(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] || join(home, "AppData", "Roaming");
  return configFolder(machine);
}

function configFolder({ env, home }: Machine): string {
  return env["XDG_CONFIG_HOME"] || join(home, ".config");
}

function claudeFolder({ env, home }: Machine): string {
  return env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
}

function codexFolder({ env, home }: Machine): string {
  return env["CODEX_HOME"] || join(home, ".codex");
}

function geminiFolder({ env, home }: Machine): string {
  return join(env["GEMINI_CLI_HOME"] || home, ".gemini");
}

/** The setting can name one file or several. */
function geminiGuides(machine: Machine, read: ReadSettings): readonly string[] {
  for (const file of [join(machine.folder, ".gemini"), geminiFolder(machine)]) {
    const named = fieldsOf(read(join(file, "settings.json"))?.["context"])["fileName"];
    if (named !== undefined) return [named].flat().map(stringOf);
  }
  return ["GEMINI.md"];
}

export function copilotFolder({ env, home }: Machine): string {
  return env["COPILOT_HOME"] || join(home, ".copilot");
}

/** Since February 2026 its installer for Windows makes a package, which reads settings of its own. */
function claudeDesktopFolder(machine: Machine): string {
  const { platform, env, home } = machine;
  const packages = join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "Packages");
  const name = platform === "win32" ? namesIn(packages).find((one) => one.startsWith("Claude_")) : undefined;
  return name === undefined
    ? join(applicationData(machine), "Claude")
    : join(packages, name, "LocalCache", "Roaming", "Claude");
}

function devinFolder(machine: Machine): string {
  const isWindows = machine.platform === "win32";
  return isWindows ? join(applicationData(machine), "devin") : join(machine.home, ".config", "devin");
}

function zedFolder(machine: Machine): string {
  const { platform, home } = machine;
  if (platform === "win32") return join(applicationData(machine), "Zed");
  return platform === "linux" ? join(configFolder(machine), "zed") : join(home, ".config", "zed");
}
