import { ABOUT } from "../../../core/config/about.ts";
import { skill } from "../../../core/mcp/skill.ts";
import { MARKETPLACE, PLUGIN, type PluginClient, SKILL_PATH } from "./clients.ts";
import { icon } from "./icon.ts";
import { LICENCE } from "./licence.ts";
import { readme } from "./readme.ts";

/** A plugin's folder: its files by path. */
export type Tree = Readonly<Record<string, Uint8Array>>;

/** What a plugin is built from. */
export interface Build {
  version: string;
  /** The built file. */
  program: Uint8Array;
}

export const PLUGINS: Readonly<Record<PluginClient["name"], (build: Build) => Tree>> = {
  vibe: commonTree,
  codex: codexTree,
  gemini: geminiTree,
};

const AUTHOR = { name: "the vibe-mcp authors" };
const SERVER = "server/vibe-mcp.cjs";
const HOOKS = "hooks/hooks.json";
/** Copilot CLI reads no other from an Agent Plugin. */
const COPILOT_HOOKS = "com.github.copilot/hooks/hooks.json";
/** A variable that the client replaces. */
const variable = (name: string) => `\${${name}}`;

/** Claude Code and Copilot CLI read the folders with a dot, Agent Plugins 1.0 the files without one; both read skills and hooks. */
function commonTree({ version, program }: Build): Tree {
  const about = aboutPlugin(version);
  return tree({
    ".claude-plugin/plugin.json": { ...about, displayName: PLUGIN },
    ".claude-plugin/marketplace.json": claudeMarketplace("./"),
    ".mcp.json": { mcpServers: { [PLUGIN]: launch("CLAUDE_PLUGIN_ROOT") } },
    "plugin.json": { $schema: schemaOf("plugin"), ...about },
    "mcp.json": {
      $schema: schemaOf("mcp"),
      mcpServers: { [PLUGIN]: { type: "stdio", ...launch("PLUGIN_ROOT") } },
    },
    [HOOKS]: hooks("CLAUDE_PLUGIN_ROOT", CLAUDE_EVENTS),
    [COPILOT_HOOKS]: hooks("COPILOT_PLUGIN_ROOT", COPILOT_EVENTS),
    ...sharedFiles(program),
  });
}

/** Codex would take it for an Agent Plugin with a `plugin.json`, and leave out the hooks. It replaces no variable, and starts the server in `cwd`. */
function codexTree({ version, program }: Build): Tree {
  const parts = { skills: "./skills/", mcpServers: "./.mcp.json", hooks: `./${HOOKS}` };
  return tree({
    ".codex-plugin/plugin.json": { ...aboutPlugin(version), ...parts },
    ".agents/plugins/marketplace.json": codexMarketplace("./"),
    ".mcp.json": { mcpServers: { [PLUGIN]: { command: "node", args: [`./${SERVER}`], cwd: "." } } },
    [HOOKS]: hooks("CLAUDE_PLUGIN_ROOT", CLAUDE_EVENTS),
    ...sharedFiles(program),
  });
}

function geminiTree({ version, program }: Build): Tree {
  const { description } = ABOUT;
  return tree({
    "gemini-extension.json": {
      ...{ name: PLUGIN, version, description },
      mcpServers: { [PLUGIN]: launch("extensionPath") },
    },
    [HOOKS]: hooks("extensionPath", GEMINI_EVENTS),
    ...sharedFiles(program),
  });
}

/** For the marketplace of a repository whose plugin lies in this folder, which starts with `./`. */
export function claudeMarketplace(source: string) {
  const { description } = ABOUT;
  return {
    name: MARKETPLACE,
    owner: AUTHOR,
    metadata: { description },
    plugins: [{ name: PLUGIN, source, description, category: "productivity" }],
  };
}

export function codexMarketplace(path: string) {
  return { name: MARKETPLACE, plugins: [{ name: PLUGIN, source: { source: "local", path } }] };
}

function aboutPlugin(version: string) {
  const { bugs: _, ...about } = ABOUT;
  return { name: PLUGIN, version, author: AUTHOR, ...about };
}

const schemaOf = (what: "plugin" | "mcp") => `https://agent-plugins.org/schemas/1.0.0/${what}.schema.json`;

function launch(root: string) {
  return { command: "node", args: [`${variable(root)}/${SERVER}`] };
}

/** Clients cut what is longer. */
const BRIEFING_TOKENS = 2000;
const TIMEOUT_SECONDS = 30;

/** The sessions that get a briefing (all without a matcher), and the events at which one is captured. */
interface Events {
  matchers: readonly (string | undefined)[];
  capture: readonly string[];
  /** How many units of its timeouts a second has. */
  second: number;
}

/** Not after `resume`: the text is already there. */
const CLAUDE_EVENTS: Events = {
  matchers: ["startup|clear|compact"],
  capture: ["PreCompact", "SessionEnd"],
  second: 1,
};
/** Its starts take no matcher. */
const COPILOT_EVENTS: Events = { ...CLAUDE_EVENTS, matchers: [undefined] };
/** It matches whole words only. */
const GEMINI_EVENTS: Events = {
  matchers: ["startup", "clear"],
  capture: ["PreCompress", "SessionEnd"],
  second: 1000,
};

/**
 * Silent and successful if there is no Node.js, no workspace or no project. A session is captured behind the client's back: Claude Code
 * waits 1.5 seconds at its end, and complains.
 */
function hooks(root: string, { matchers, capture, second }: Events) {
  const program = `node "${variable(root)}/${SERVER}"`;
  const hook = (command: string) => ({ type: "command", command, timeout: TIMEOUT_SECONDS * second });
  const brief = hook(`${program} brief --hook --max-tokens ${BRIEFING_TOKENS} 2>/dev/null || true`);
  const keep = hook(`input=$(cat); printf %s "$input" | ${program} capture --hook >/dev/null 2>&1 &`);
  return {
    hooks: {
      SessionStart: matchers.map((matcher) => ({
        ...(matcher !== undefined && { matcher }),
        hooks: [brief],
      })),
      ...Object.fromEntries(capture.map((event) => [event, [{ hooks: [keep] }]])),
    },
  };
}

function sharedFiles(program: Uint8Array) {
  return {
    [SERVER]: program,
    [SKILL_PATH]: skill(),
    "README.md": readme(),
    LICENSE: LICENCE,
    "icon.png": icon(),
  };
}

function tree(files: Record<string, Uint8Array | string | object>): Tree {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, bytesOf(content)]));
}

function bytesOf(content: Uint8Array | string | object): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
}
