import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeFiles } from "../fixtures/workspace.ts";
import { newcomer } from "./newcomer.ts";

/** Part of every secret value. */
const SECRET = /s3cr3t/;

const JSON_TEXT = `{
  // "old": { "env": { "API_KEY": "s3cr3t-1" } },
  "inputs": [{ "password": "s3cr3t-2", "pin": 73737 }],
  "mcpServers": {
    "github": { "url": "https://mcp.example.com/?token=s3cr3t-3", "args": ["--token=s3cr3t-4"], "env": { "KEY": "s3cr3t-5" } },
    "vibe": { "command": "/old", "args": ["--root", "/notes"], "env": { "MINE": "s3cr3t-6" } }
  }
}
`;

const TOML_TEXT = `notify = ["s3cr3t-1", 73737] # s3cr3t-2
[mcp_servers.vibe]
command = "/old"
args = ["--root", "/notes"]
env = { MINE = "s3cr3t-3" }

[mcp_servers.docs.env]
API_KEY = "s3cr3t-4"
`;

const SETTINGS = [
  { client: "cursor", path: ".cursor/mcp.json", text: JSON_TEXT },
  { client: "codex", path: ".codex/config.toml", text: TOML_TEXT },
];

test("what connect and doctor print of settings holds no value of another server, and every key", (t) => {
  for (const { client, path, text } of SETTINGS) {
    const { run, home } = newcomer(t);
    writeFiles(home, { [path]: text });
    const commands = [
      ["connect", client],
      ["connect", client, "--json"],
      ["connect", client, "--remove"],
      ["connect", client, "--name", "other"],
      ["connect", client, "--print"],
      ["connect", client, "--url", "https://notes.example.com"],
    ];
    for (const args of commands) {
      const { stdout, stderr } = run(...args);
      assert.doesNotMatch(stdout + stderr, SECRET, args.join(" "));
      assert.doesNotMatch(stdout, /73737/);
    }
    const { stdout } = run("connect", client);
    assert.match(stdout, /MINE"?(?: =|:) ?"…"/);
    assert.match(stdout, /^\+.*vibe-mcp/m);
    assert.equal(readFileSync(join(home, path), "utf8"), text);
  }
});

test("messages about broken settings and missing programs hold none either", (t) => {
  const { run, home } = newcomer(t);
  writeFiles(home, {
    ".cursor/mcp.json": '{"mcpServers": {"vibe": "s3cr3t"}}',
    ".gemini/settings.json": '{"a": s3cr3t}',
    ".codex/config.toml": "a = s3cr3t\n",
    ".codeium/windsurf/mcp_config.json":
      '{"mcpServers": {"vibe": {"command": "/gone/vibe-mcp --token=s3cr3t"}}}',
    ".claude.json":
      '{"mcpServers": {"vibe": {"command": "node", "args": ["/gone/run TOKEN=s3cr3t vibe-mcp"]}}}',
  });
  for (const client of ["cursor", "gemini", "codex"]) {
    const { status, stderr } = run("connect", client, "--yes");
    assert.equal(status, 1);
    assert.doesNotMatch(stderr, SECRET);
  }
  const { stdout } = run("doctor");
  assert.match(stdout, /Windsurf starts \/gone\/vibe-mcp …, .*not exist/);
  assert.match(stdout, /Claude Code starts \/gone\/run …, .*not exist/);
  assert.doesNotMatch(stdout, SECRET);
});
