import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parse } from "smol-toml";
import type { Launch } from "../../../src/clients/entry.ts";
import { CLIENTS } from "../../../src/clients/table.ts";
import { builtFile } from "../../fixtures/built.ts";
import { REAL, readAs } from "../../fixtures/settings.ts";
import { noTerminal, person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

/** Somebody with a home of their own: the paths of other systems are told by the tests of the table. */
function newcomer(t: TestContext) {
  const someone = person(t);
  const home = temporaryFolder(t);
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, ".config"), XDG_CONFIG_HOME: "" };
  const run = (args: string[], more: Record<string, string> = {}) =>
    someone.inPipe(args, { env: { ...env, ...more } });
  const machine = {
    platform: process.platform,
    home,
    env,
    folder: someone.cwd,
    node: "",
    script: "",
    npx: false,
  };
  return { ...someone, home, env, run, machine };
}

test("from the written settings of every client the official client gets its first answer", async (t) => {
  const { run, root, machine, home } = newcomer(t);
  writeFiles(root, { "shop/notes.md": "# Refunds\n\nWe refund within 30 days.\n" });
  for (const client of CLIENTS) {
    const file = client.userFile(machine);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, REAL[client.name] ?? "");
    const { status, stdout, stderr } = run(["connect", client.name, "--yes"]);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^\+.*vibe/m);
    assert.match(stdout, /Backup: .*\.bak\n/);
    const servers = readAs(client, readFileSync(file, "utf8"))[client.servers] as unknown as Record<
      string,
      Launch
    >;
    const transport = new StdioClientTransport({
      command: servers["vibe"]?.command ?? "",
      args: servers["vibe"]?.args ?? [],
      env: { HOME: home },
      cwd: temporaryFolder(t),
      stderr: "ignore",
    });
    const agent = new Client({ name: client.name, version: "1" });
    await agent.connect(transport);
    const answer = await agent.callTool({ name: "search", arguments: { query: "refunds" } });
    assert.match(JSON.stringify(answer.structuredContent), /shop\/notes\.md/);
    await agent.close();
    const again = run(["connect", client.name, "--yes"]);
    assert.match(again.stdout, /^Nothing to do: /);
    assert.equal(run(["connect", client.name, "--remove", "--yes"]).status, 0);
    assert.equal(readFileSync(file, "utf8"), REAL[client.name]);
  }
});

test("without a yes nothing is written", (t) => {
  const { run, home } = newcomer(t);
  const { status, stdout } = run(["connect", "cursor"]);
  assert.equal(status, 1);
  assert.match(stdout, /^~\/\.cursor\/mcp\.json \(new\)\n@@ line 1 @@\n\+\{\n/);
  assert.match(stdout, /Nothing written\. To write it: vibe-mcp connect cursor … --yes\n$/);
  assert.ok(!existsSync(join(home, ".cursor")));
  const told = JSON.parse(run(["connect", "cursor", "--json"]).stdout);
  assert.deepEqual([told.changed, told.written, told.backup], [true, false, null]);
  const printed = run(["connect", "codex", "--print"]).stdout;
  assert.deepEqual(Object.keys(parse(printed)), ["mcp_servers"]);
  assert.ok(!existsSync(join(home, ".codex")));
});

test("on a terminal it asks, and yes writes", { skip: noTerminal() }, (t) => {
  const { onTerminal, env, home } = newcomer(t);
  const file = join(home, ".cursor", "mcp.json");
  const no = onTerminal(["connect", "cursor"], { env, answer: ["[y/N] ", "n\n"] });
  assert.equal(no.status, 1, no.stdout);
  assert.ok(!existsSync(file));
  const yes = onTerminal(["connect", "cursor"], { env, answer: ["[y/N] ", "y\n"] });
  assert.equal(yes.status, 0, yes.stdout);
  assert.ok(yes.stdout.includes("\u001b[32m+"));
  assert.equal(JSON.parse(readFileSync(file, "utf8")).mcpServers.vibe.type, "stdio");
});

test("--here writes the settings of the folder, and broken ones stay with their line named", (t) => {
  const { run, cwd } = newcomer(t);
  assert.equal(run(["connect", "vscode", "--here", "--yes", "--name", "notes"]).status, 0);
  assert.ok(JSON.parse(readFileSync(join(cwd, ".vscode", "mcp.json"), "utf8")).servers.notes);
  const broken = '{\n  "mcpServers": {\n}';
  writeFileSync(join(cwd, ".mcp.json"), broken);
  const { status, stderr } = run(["connect", "claude-code", "--here", "--yes"]);
  assert.equal(status, 1);
  assert.match(stderr, /\.mcp\.json, line 3: not valid JSON, close brace expected\. Nothing was written/);
  assert.equal(readFileSync(join(cwd, ".mcp.json"), "utf8"), broken);
});

test("--hook has each session begin with the briefing, beside other hooks, and goes without a trace", (t) => {
  const { run, home, root, env, cwd } = newcomer(t);
  writeFiles(root, { "shop/status.md": "# Status\n\nAll is well.\n" });
  const file = join(home, ".claude", "settings.json");
  const before = `{
  "model": "opus",
  "hooks": {
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "date" }] }
    ],
    "Stop": []
  }
}
`;
  writeFiles(home, { ".claude/settings.json": before });
  assert.equal(run(["connect", "claude-code", "--hook", "--yes"]).status, 0);
  assert.match(run(["connect", "claude-code", "--hook", "--yes"]).stdout, /^Nothing to do/);
  const settings = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(settings.hooks.SessionStart[0].hooks[0].command, "date");
  const [{ type, command }] = settings.hooks.SessionStart[1].hooks;
  assert.equal(type, "command");
  const inFolder = (name: string) => {
    mkdirSync(join(cwd, name), { recursive: true });
    const place = {
      cwd: join(cwd, name),
      env: { ...env, PATH: process.env["PATH"] },
      encoding: "utf8",
      shell: true,
    } as const;
    return spawnSync(command, place);
  };
  assert.match(inFolder("shop").stdout, /^# Session Start: shop\n/);
  const { status, stdout, stderr } = inFolder("elsewhere");
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  assert.equal(run(["connect", "claude-code", "--hook", "--yes", "--project", "shop"]).status, 0);
  assert.match(
    JSON.parse(readFileSync(file, "utf8")).hooks.SessionStart[1].hooks[0].command,
    / brief shop --quiet/,
  );
  assert.equal(run(["connect", "claude-code", "--hook", "--remove", "--yes"]).status, 0);
  assert.equal(readFileSync(file, "utf8"), before);
  for (const name of readdirSync(join(home, ".claude")).filter((name) => name.includes(".bak")))
    rmSync(join(home, ".claude", name));
  run(["connect", "claude-code", "--hook", "--yes"]);
  rmSync(`${file}.bak`);
  run(["connect", "claude-code", "--hook", "--remove", "--yes"]);
  assert.equal(readFileSync(file, "utf8"), before);
});

test("options that do not go together are refused before anything is read", (t) => {
  const { run } = newcomer(t);
  for (const args of [
    [],
    ["emacs"],
    ["cursor", "--hook"],
    ["cursor", "--project", "shop"],
    ["claude-code", "--hook", "--url", "https://a.example"],
    ["cursor", "--token-env", "A"],
    ["cursor", "--print", "--yes"],
    ["claude-desktop", "--url", "https://a.example"],
    ["cursor", "--url", "http://a.example"],
  ])
    assert.equal(run(["connect", ...args]).status, 2, args.join(" "));
});

test("doctor lists the clients, and whether each starts this server", (t) => {
  const { run, home, cwd } = newcomer(t);
  const clients = () => {
    const { findings } = JSON.parse(run(["doctor", "--json"]).stdout) as {
      findings: { check: string; state: string; message: string; remedy?: string }[];
    };
    return findings
      .filter(({ check }) => check === "clients")
      .map(({ state, message }) => `${state}: ${message}`);
  };
  assert.deepEqual(clients(), []);
  writeFiles(home, { ".cursor/": "", ".gemini/settings.json": "{", ".codex/": "" });
  run(["connect", "codex", "--yes"]);
  const gone = { mcpServers: { notes: { command: join(home, "gone", "vibe-mcp.cjs") } } };
  writeFiles(home, { ".codeium/windsurf/mcp_config.json": JSON.stringify(gone) });
  const [cursor, codex, gemini, windsurf] = clients();
  assert.equal(cursor, "note: Cursor is installed but does not use this server.");
  assert.match(codex ?? "", /^ok: Codex starts this server \(.*config\.toml\)\.$/);
  assert.match(gemini ?? "", /^problem: Gemini CLI cannot be connected: .*line 1: not valid JSON/);
  assert.match(windsurf ?? "", /^problem: Windsurf starts .*vibe-mcp\.cjs, which does not exist\.$/);
  run(["connect", "cursor", "--here", "--yes", "--url", "https://notes.example.com"]);
  assert.match(clients()[0] ?? "", /^ok: Cursor reaches this server /);
  assert.ok(existsSync(join(cwd, ".cursor", "mcp.json")));
});

test("npx is written where npx started it", (t) => {
  const file = builtFile(t);
  const home = temporaryFolder(t);
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, npm_command: "exec" };
  const { stdout } = spawnSync(process.execPath, [file, "connect", "gemini", "--print"], {
    env,
    encoding: "utf8",
  });
  assert.match(stdout, /"npx",? ?/);
});
