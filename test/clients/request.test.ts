import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Machine } from "../../src/clients/machine.ts";
import { type Connection, requestOf } from "../../src/clients/request.ts";
import { CLIENTS } from "../../src/clients/table.ts";
import { resolveConfig } from "../../src/config/options.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const MACHINE: Machine = {
  platform: "linux",
  home: "/home/ana",
  env: {},
  folder: "/home/ana/shop",
  node: "/opt/node/bin/node",
  script: "/opt/vibe-mcp.cjs",
  npx: false,
};

function printed(changes: Partial<Connection>, machine: Partial<Machine> = {}): string {
  const all = { ...MACHINE, ...machine };
  const config = resolveConfig({}, {}, all.home);
  const nothing = { url: undefined, token: undefined, hook: false, project: undefined, here: false };
  return requestOf({ client: "cursor", name: "vibe", ...nothing, config, ...changes }, all).printed;
}

const files = (machine: Partial<Machine>) =>
  Object.fromEntries(CLIENTS.map((client) => [client.name, client.userFile({ ...MACHINE, ...machine })]));

test("each client's settings are where it documents them", { skip: ON_WINDOWS }, () => {
  assert.deepEqual(files({}), {
    "claude-code": "/home/ana/.claude.json",
    "claude-desktop": "/home/ana/.config/Claude/claude_desktop_config.json",
    cursor: "/home/ana/.cursor/mcp.json",
    vscode: "/home/ana/.config/Code/User/mcp.json",
    codex: "/home/ana/.codex/config.toml",
    gemini: "/home/ana/.gemini/settings.json",
    windsurf: "/home/ana/.codeium/windsurf/mcp_config.json",
    zed: "/home/ana/.config/zed/settings.json",
  });
  const mac = files({ platform: "darwin", home: "/Users/ana" });
  const support = "/Users/ana/Library/Application Support";
  assert.equal(mac["claude-desktop"], `${support}/Claude/claude_desktop_config.json`);
  assert.equal(mac["vscode"], `${support}/Code/User/mcp.json`);
  assert.equal(mac["zed"], "/Users/ana/.config/zed/settings.json");
  const windows = files({ platform: "win32", env: { APPDATA: "/C/Roaming" } });
  assert.equal(windows["claude-desktop"], "/C/Roaming/Claude/claude_desktop_config.json");
  assert.equal(windows["vscode"], "/C/Roaming/Code/User/mcp.json");
  assert.equal(windows["zed"], "/C/Roaming/Zed/settings.json");
  const moved = files({ env: { CODEX_HOME: "/c", CLAUDE_CONFIG_DIR: "/d", XDG_CONFIG_HOME: "/x" } });
  assert.equal(moved["codex"], "/c/config.toml");
  assert.equal(moved["claude-code"], "/d/.claude.json");
  assert.equal(moved["zed"], "/x/zed/settings.json");
});

test("a remote server is written as each client documents it, with a reference to the token", () => {
  const url = "https://notes.example.com";
  const remote = (client: string) => printed({ client, url });
  assert.deepEqual(JSON.parse(remote("claude-code")), {
    mcpServers: {
      vibe: { type: "http", url: `${url}/mcp`, ...bearer("{VIBE_AUTH_TOKEN}") },
    },
  });
  assert.deepEqual(JSON.parse(remote("cursor")), {
    mcpServers: { vibe: { url: `${url}/mcp`, ...bearer("{env:VIBE_AUTH_TOKEN}") } },
  });
  assert.deepEqual(JSON.parse(remote("vscode")), {
    servers: {
      vibe: { type: "http", url: `${url}/mcp`, ...bearer("{env:VIBE_AUTH_TOKEN}") },
    },
  });
  assert.equal(
    remote("codex"),
    `[mcp_servers.vibe]\nurl = "${url}/mcp"\nbearer_token_env_var = "VIBE_AUTH_TOKEN"\n`,
  );
  assert.deepEqual(JSON.parse(remote("gemini")), {
    mcpServers: { vibe: { httpUrl: `${url}/mcp`, ...bearer("{VIBE_AUTH_TOKEN}") } },
  });
  assert.deepEqual(JSON.parse(remote("windsurf")), {
    mcpServers: {
      vibe: { serverUrl: `${url}/mcp`, ...bearer("{env:VIBE_AUTH_TOKEN}") },
    },
  });
  assert.deepEqual(JSON.parse(remote("zed")), { context_servers: { vibe: { url: `${url}/mcp` } } });
  assert.throws(() => remote("claude-desktop"), /only start programs/);
});

test("invalid addresses and tokens are refused", () => {
  const remote = (url: string, token?: string) => JSON.parse(printed({ url, token })).mcpServers.vibe;
  assert.deepEqual(remote("http://127.0.0.1:8080/mcp"), { url: "http://127.0.0.1:8080/mcp" });
  assert.match(remote("http://localhost:1/x", "T").headers.Authorization, /env:T/);
  assert.deepEqual(remote("http://notes.lan/mcp", "none"), { url: "http://notes.lan/mcp" });
  for (const [url, token] of [
    ["notes.example.com"],
    ["ftp://notes.example.com"],
    ["https://ana:secret@notes.example.com"],
    ["http://notes.example.com"],
    ["https://notes.example.com", "0123456789abcdef-0123456789abcdef"],
  ] as const)
    assert.throws(() => remote(url, token), { name: "Error", message: /--url|--token-env|https/ }, url);
});

test("an entry starts the program as it was started now, with the settings that differ", () => {
  const entry = (changes: Partial<Connection>, machine: Partial<Machine> = {}) =>
    JSON.parse(printed({ client: "gemini", ...changes }, machine)).mcpServers.vibe;
  assert.deepEqual(entry({}), { command: "/opt/node/bin/node", args: ["/opt/vibe-mcp.cjs"] });
  assert.deepEqual(entry({ project: "shop" }).args, ["/opt/vibe-mcp.cjs", "--project", "shop"]);
  // A variable of this shell says nothing about the client's.
  const here = resolveConfig({}, { VIBE_PROJECT: "shop" }, MACHINE.home);
  assert.deepEqual(entry({ config: here }).args, ["/opt/vibe-mcp.cjs"]);
  assert.deepEqual(entry({}, { npx: true }), { command: "npx", args: ["-y", "vibe-mcp"] });
  assert.deepEqual(entry({}, { npx: true, platform: "win32" }), {
    command: "cmd",
    args: ["/c", "npx", "-y", "vibe-mcp"],
  });
  const flags = {
    root: "/n",
    readOnly: true,
    tools: "core",
    vault: "off",
    boost: "0.5",
    db: "/i.db",
    api: "v1",
  };
  const config = resolveConfig(flags, {}, MACHINE.home);
  assert.deepEqual(entry({ config }).args.slice(1), [
    ...["--root", config.root, "--db", config.db, "--read-only", "--api", "v1", "--tools", "core"],
    ...["--vault", "off", "--boost", "0.5"],
  ]);
  const v1 = resolveConfig({ api: "v1" }, {}, MACHINE.home);
  assert.deepEqual(entry({ config: v1 }).args.slice(1), ["--api", "v1"]);
  assert.match(printed({ client: "codex" }, { npx: true }), /startup_timeout_sec = 60\n/);
});

test("Node is named by its path in PATH, which an update keeps", { skip: ON_WINDOWS }, (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "node-22"), "");
  chmodSync(join(folder, "node-22"), 0o755);
  symlinkSync(join(folder, "node-22"), join(folder, "bin", "node"));
  const machine = { node: join(folder, "node-22"), env: { PATH: `/none:${join(folder, "bin")}` } };
  assert.equal(JSON.parse(printed({}, machine)).mcpServers.vibe.command, join(folder, "bin", "node"));
});

test("what a client cannot do is refused", () => {
  for (const client of ["claude-desktop", "windsurf"])
    assert.throws(
      () => requestOf({ ...connectionTo(client), here: true }, MACHINE),
      /no settings per folder/,
    );
  for (const name of ["", "__proto__", "a b", "a.b", "é", "x".repeat(41)])
    assert.throws(() => printed({ name }), /--name must be/, name);
  assert.throws(() => printed({ client: "emacs" }), /no client/);
});

/** The header with a reference to a variable. */
function bearer(reference: string) {
  return { headers: { Authorization: `Bearer $${reference}` } };
}

function connectionTo(client: string): Connection {
  const config = resolveConfig({}, {}, MACHINE.home);
  return {
    client,
    name: "vibe",
    url: undefined,
    token: undefined,
    hook: false,
    project: undefined,
    here: false,
    config,
  };
}

test("Windows has its own folder for settings, and its own name for Node", { skip: ON_WINDOWS }, (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "node.exe"), "");
  const windows = { platform: "win32" as const, home: "/Users/ana" };
  assert.equal(files({ ...windows, env: {} })["vscode"], "/Users/ana/AppData/Roaming/Code/User/mcp.json");
  const machine = { ...windows, node: join(folder, "node.exe"), env: { Path: folder } };
  assert.equal(JSON.parse(printed({}, machine)).mcpServers.vibe.command, join(folder, "node.exe"));
});

test("settings outside the home are shown by their whole path", { skip: ON_WINDOWS }, async (t) => {
  const folder = temporaryFolder(t);
  const machine = { ...MACHINE, home: join(folder, "home"), env: { CODEX_HOME: join(folder, "codex") } };
  const { shown } = await requestOf(connectionTo("codex"), machine).planWrite();
  assert.equal(shown, join(folder, "codex", "config.toml"));
});
