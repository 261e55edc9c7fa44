import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A real program that is made to use the plugin, without an account. */
export interface Program {
  /** As in `vibe-mcp plugin <client>`. */
  client: string;
  /** It has no plugins: `vibe-mcp connect <client>` adds the server alone. */
  isOnlyServer?: boolean;
  command: string;
  package: string;
  validate?: (folder: string) => string[];
  /** What takes the plugin out again. */
  remove?: string[][];
  /** Whether it asks before it installs. */
  asks?: boolean;
  /** Points the program at the model; returns its environment. */
  prepare(home: string, model: string): Record<string, string>;
  /** The line that says a word to it. */
  talk: string[];
  /** Whether a session of it is captured when it ends. */
  captures?: boolean;
  /** A file that says whether the plugin is installed, below the home folder. */
  settings: string;
}

const HELLO = "Say hello.";
const FROM_MARKETPLACE = "vibe@vibe-mcp";
/** Removes the plugin with `verb`, then its marketplace. */
const removal = (verb: string) => [
  ["plugin", verb, FROM_MARKETPLACE],
  ["plugin", "marketplace", "remove", "vibe-mcp"],
];

export const PROGRAMS: readonly Program[] = [
  {
    client: "claude-code",
    command: "claude",
    package: "@anthropic-ai/claude-code@2.1.197",
    validate: (folder) => ["plugin", "validate", "--strict", folder],
    remove: removal("uninstall"),
    prepare: (_, model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "x",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Otherwise the first request may leave before the server is there.
      MCP_CONNECTION_NONBLOCKING: "0",
      MCP_TIMEOUT: "60000",
    }),
    talk: ["-p", HELLO, "--allowedTools", "mcp__plugin_vibe_vibe"],
    captures: true,
    settings: ".claude/settings.json",
  },
  {
    client: "codex",
    command: "codex",
    package: "@openai/codex@0.169.0",
    remove: removal("remove"),
    prepare: (home, model) => {
      const file = join(home, ".codex", "config.toml");
      const before = readFileSync(file, "utf8");
      writeFileSync(file, `model_provider = "script"\nmodel = "script"\n${before}`);
      const provider = `name = "script"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "SCRIPT_KEY"\n`;
      appendFileSync(file, `\n[model_providers.script]\n${provider}`);
      return { SCRIPT_KEY: "x" };
    },
    talk: [
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...["--dangerously-bypass-hook-trust", HELLO],
    ],
    captures: true,
    settings: ".codex/config.toml",
  },
  {
    client: "gemini",
    command: "gemini",
    package: "@google/gemini-cli@0.61.0",
    validate: (folder) => ["extensions", "validate", folder],
    remove: [["extensions", "uninstall", "vibe"]],
    asks: true,
    prepare: (home, model) => {
      mkdirSync(join(home, ".gemini"), { recursive: true });
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      return { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: "true" };
    },
    talk: ["-y", "-m", "gemini-2.5-pro", "-p", HELLO],
    captures: true,
    settings: ".gemini/extensions/extension-enablement.json",
  },
  {
    client: "copilot",
    command: "copilot",
    package: "@github/copilot@1.0.102",
    remove: removal("uninstall"),
    prepare: (_, model) => ({
      COPILOT_PROVIDER_BASE_URL: model,
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_API_KEY: "x",
      COPILOT_MODEL: "claude-sonnet-4.5",
      COPILOT_OFFLINE: "true",
    }),
    talk: ["-p", HELLO, "--allow-all-tools"],
    captures: true,
    settings: ".copilot/settings.json",
  },
  {
    client: "opencode",
    isOnlyServer: true,
    command: "opencode",
    package: "opencode-ai@1.18.33",
    prepare: (home, model) => {
      const file = join(home, ".config", "opencode", "opencode.json");
      const options = { baseURL: `${model}/v1`, apiKey: "x" };
      const settings = { model: "anthropic/claude-sonnet-4-5", provider: { anthropic: { options } } };
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...settings }));
      return { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
    },
    talk: ["run", HELLO],
    settings: ".config/opencode/opencode.json",
  },
];
