import assert from "node:assert/strict";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseTomlText } from "smol-toml";
import type { Entry } from "../../src/clients/entry.ts";
import type { Client } from "../../src/clients/table.ts";

/** A parser that is not the editor's own way of looking at a text. */
export function readAs(client: Client, text: string): Entry {
  const plain = text.replace(/^\ufeff/, "");
  // Its objects have no prototype.
  if (client.format === "toml") return JSON.parse(JSON.stringify(parseTomlText(plain))) as Entry;
  if (client.strict) return JSON.parse(plain) as Entry;
  const errors: ParseError[] = [];
  const value = parseJsonc(plain, errors, { allowTrailingComma: true }) as Entry;
  assert.deepEqual(errors, []);
  return value;
}

/** Settings as people have them: comments, other servers, tabs, Windows line endings, trailing commas. */
export const CLAUDE_CODE = `{
  "numStartups": 184,
  "theme": "dark",
  "projects": {
    "/home/ana/shop": { "allowedTools": ["Bash(npm test)"], "mcpServers": {} }
  },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": {
        "Authorization": "Bearer \${GITHUB_TOKEN}"
      }
    }
  },
  "oauthAccount": { "emailAddress": "ana@example.com" }
}
`;

export const DESKTOP =
  '{\r\n\t"globalShortcut": "Ctrl+Space",\r\n\t"mcpServers": {\r\n\t\t"fs": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "server-filesystem", "C:\\\\Users\\\\Ana"]\r\n\t\t}\r\n\t}\r\n}';

export const CURSOR = '{"mcpServers":{"memory":{"command":"npx","args":["-y","server-memory"]}}}';

export const VSCODE = `// Servers of all workspaces
{
    "inputs": [
        { "type": "promptString", "id": "key", "description": "API key", "password": true },
    ],
    "servers": {
        /* the team's */
        "docs": {
            "type": "http",
            "url": "https://docs.example.com/mcp", // slow on Mondays
        }, // the last one
        // "old": { "command": "old" },
    },
}
`;

export const CODEX = `# Codex
model = "gpt-5" # the usual
approval_policy = "on-request"
notify = [
  "python3", # not [mcp_servers.vibe]
  "/home/ana/notify.py",
]

instructions = """
[mcp_servers.vibe]
command = "no table, but text"
"""

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]

[mcp_servers.docs.env]
KEY = 'a # b'

# Projects
[projects."/home/ana/shop"]
trust_level = "trusted"
`;

export const GEMINI = `{
  // Looks
  "theme": "GitHub",
  "mcpServers": {
    "one": { "command": "one" } // only one
  }
}
`;

export const WINDSURF = `\ufeff{
  "mcpServers": {}
}
`;

export const ZED = `// Zed settings
//
// For information on how to configure Zed, see the documentation.
{
  "theme": "One Dark",
  "languages": { "Markdown": { "soft_wrap": "editor_width" } },
  "buffer_font_size": 15, // for the eyes
}
`;

export const REAL: Record<string, string> = {
  "claude-code": CLAUDE_CODE,
  "claude-desktop": DESKTOP,
  cursor: CURSOR,
  vscode: VSCODE,
  codex: CODEX,
  gemini: GEMINI,
  windsurf: WINDSURF,
  zed: ZED,
};
