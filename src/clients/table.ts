import { join } from "node:path";
import type { Entry, Launch, Remote } from "./entry.ts";
import type { Machine } from "./machine.ts";

/** A program that connects to MCP servers, with its settings as it documents them. */
export interface Client {
  /** As in `vibe-mcp connect <name>`. */
  name: string;
  title: string;
  format: "json" | "toml";
  /** Whether it refuses comments and trailing commas in JSON. */
  strict: boolean;
  /** The object that holds the servers by name. */
  servers: string;
  /** Absolute: the settings of this person. */
  userFile(machine: Machine): string;
  /** The settings of one folder, relative to it, if it has any. */
  folderFile?: string;
  /** A folder that only an installation has, absolute, if it is not the folder of `userFile`. */
  installFolder?(machine: Machine): string;
  stdio(launch: Launch): Entry;
  /** Undefined if its settings only start programs. */
  remote?(remote: Remote): Entry;
  /** How to make it read the new settings. */
  afterwards: string;
}

const JSON_SETTINGS = { format: "json", strict: false, servers: "mcpServers" } as const;

export const CLIENTS: readonly Client[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    ...JSON_SETTINGS,
    strict: true,
    userFile: ({ env, home }) => join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
    folderFile: ".mcp.json",
    installFolder: ({ env, home }) => env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"),
    stdio: (launch) => ({ type: "stdio", ...launch }),
    remote: ({ url, token }) => ({ type: "http", url, ...bearer(token, (name) => `\${${name}}`) }),
    afterwards: "Start a new session; /mcp shows it.",
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    ...JSON_SETTINGS,
    strict: true,
    userFile: (machine) => join(applicationData(machine), "Claude", "claude_desktop_config.json"),
    stdio: (launch) => ({ ...launch }),
    afterwards: "Quit Claude Desktop and start it again.",
  },
  {
    name: "cursor",
    title: "Cursor",
    ...JSON_SETTINGS,
    userFile: ({ home }) => join(home, ".cursor", "mcp.json"),
    folderFile: ".cursor/mcp.json",
    stdio: (launch) => ({ type: "stdio", ...launch }),
    remote: ({ url, token }) => ({ url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "Cursor shows it under Settings > MCP.",
  },
  {
    name: "vscode",
    title: "VS Code",
    ...JSON_SETTINGS,
    servers: "servers",
    userFile: (machine) => join(applicationData(machine), "Code", "User", "mcp.json"),
    folderFile: ".vscode/mcp.json",
    stdio: (launch) => ({ type: "stdio", ...launch }),
    remote: ({ url, token }) => ({ type: "http", url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "The command MCP: List Servers shows it.",
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    strict: false,
    servers: "mcp_servers",
    userFile: ({ env, home }) => join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml"),
    folderFile: ".codex/config.toml",
    // Its default of ten seconds is too short for the first download by npx.
    stdio: (launch) => ({ ...launch, ...(launch.args.includes("-y") && { startup_timeout_sec: 60 }) }),
    remote: ({ url, token }) => ({ url, ...(token !== undefined && { bearer_token_env_var: token }) }),
    afterwards: "Start a new session; /mcp shows it.",
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    ...JSON_SETTINGS,
    userFile: ({ home }) => join(home, ".gemini", "settings.json"),
    folderFile: ".gemini/settings.json",
    stdio: (launch) => ({ ...launch }),
    remote: ({ url, token }) => ({ httpUrl: url, ...bearer(token, (name) => `\${${name}}`) }),
    afterwards: "Start a new session; /mcp shows it.",
  },
  {
    name: "windsurf",
    title: "Windsurf",
    ...JSON_SETTINGS,
    userFile: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    stdio: (launch) => ({ ...launch }),
    remote: ({ url, token }) => ({ serverUrl: url, ...bearer(token, (name) => `\${env:${name}}`) }),
    afterwards: "Press the refresh button in the list of MCP servers.",
  },
  {
    name: "zed",
    title: "Zed",
    ...JSON_SETTINGS,
    servers: "context_servers",
    userFile: (machine) => join(zedFolder(machine), "settings.json"),
    folderFile: ".zed/settings.json",
    // Versions of 2025 refuse an entry without `source`.
    stdio: (launch) => ({ source: "custom", ...launch, env: {} }),
    // It reads no variables here, so people add the token themselves.
    remote: ({ url }) => ({ url }),
    afterwards: "The settings of the agent panel show it.",
  },
];

function bearer(token: string | undefined, reference: (name: string) => string): Entry {
  return token === undefined ? {} : { headers: { Authorization: `Bearer ${reference(token)}` } };
}

function applicationData(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] || join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] || join(home, ".config");
}

function zedFolder(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === "win32") return join(applicationData(machine), "Zed");
  if (platform === "linux") return join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "zed");
  return join(home, ".config", "zed");
}
