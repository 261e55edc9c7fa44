import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { resolveConfig } from "../../src/core/config/options.ts";
import { isFromRegistry, type Machine } from "../../src/setup/clients/machine.ts";
import { type Connection, requestOf } from "../../src/setup/clients/request.ts";
import { CLIENTS } from "../../src/setup/clients/table.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

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
  const { printed, notes } = requestOf({ client: "cursor", config, ...changes }, all);
  NOTES.splice(0, NOTES.length, ...notes);
  return printed;
}

/** What the last request noted. */
const NOTES: string[] = [];

const files = (machine: Partial<Machine>) =>
  Object.fromEntries(CLIENTS.map((client) => [client.name, client.userFile({ ...MACHINE, ...machine })]));

test("each client's settings are where it documents them", { skip: ON_WINDOWS }, () => {
  assert.deepEqual(files({}), {
    "claude-code": "/home/ana/.claude.json",
    "claude-desktop": "/home/ana/.config/Claude/claude_desktop_config.json",
    cursor: "/home/ana/.cursor/mcp.json",
    vscode: "/home/ana/.config/Code/User/mcp.json",
    codex: "/home/ana/.codex/config.toml",
    copilot: "/home/ana/.copilot/mcp-config.json",
    opencode: "/home/ana/.config/opencode/opencode.json",
    gemini: "/home/ana/.gemini/settings.json",
    antigravity: "/home/ana/.gemini/config/mcp_config.json",
    devin: "/home/ana/.config/devin/mcp_config.json",
    windsurf: "/home/ana/.codeium/windsurf/mcp_config.json",
    junie: "/home/ana/.junie/mcp/mcp.json",
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
  assert.equal(windows["devin"], "/C/Roaming/devin/mcp_config.json");
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
  assert.match(NOTES.join(), /VS Code .*token/);
  assert.equal(
    remote("codex"),
    `[mcp_servers.vibe]\nurl = "${url}/mcp"\nbearer_token_env_var = "VIBE_AUTH_TOKEN"\n`,
  );
  assert.deepEqual(JSON.parse(remote("gemini")), {
    mcpServers: { vibe: { httpUrl: `${url}/mcp`, ...bearer("{VIBE_AUTH_TOKEN}") } },
  });
  assert.deepEqual(JSON.parse(remote("copilot")).mcpServers.vibe, {
    type: "http",
    url: `${url}/mcp`,
    tools: ["*"],
    ...bearer("{VIBE_AUTH_TOKEN}"),
  });
  assert.deepEqual(JSON.parse(remote("opencode")).mcp.vibe, {
    type: "remote",
    url: `${url}/mcp`,
    oauth: false,
    headers: { Authorization: "Bearer {env:VIBE_AUTH_TOKEN}" },
  });
  assert.deepEqual(JSON.parse(remote("devin")).mcpServers.vibe, {
    url: `${url}/mcp`,
    ...bearer("{env:VIBE_AUTH_TOKEN}"),
  });
  assert.deepEqual(JSON.parse(remote("windsurf")), {
    mcpServers: {
      vibe: { serverUrl: `${url}/mcp`, ...bearer("{env:VIBE_AUTH_TOKEN}") },
    },
  });
  for (const [client, key] of [
    ["zed", "url"],
    ["antigravity", "serverUrl"],
  ] as const) {
    assert.ok(remote(client).includes(`"vibe": {\n      "${key}": "${url}/mcp"\n    }`));
    assert.match(NOTES.join(), /"headers": \{ "Authorization"/);
  }
  for (const client of ["claude-desktop", "junie"])
    assert.throws(() => remote(client), /only start programs/);
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
    "--root",
    config.root,
    "--db",
    config.db,
    "--read-only",
    "--api",
    "v1",
    "--tools",
    "core",
    "--vault",
    "off",
    "--boost",
    "0.5",
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
  for (const client of ["claude-desktop", "copilot", "antigravity", "windsurf"])
    assert.throws(() => requestOf({ ...connectionTo(client), here: true }, MACHINE), /per folder/);
  for (const name of ["", "__proto__", "a b", "a.b", "é", "x".repeat(41)])
    assert.throws(() => printed({ name }), /--name must be/, name);
  assert.throws(() => printed({ client: "emacs" }), /no client/);
});

/** The header with a reference to a variable. */
function bearer(reference: string) {
  return { headers: { Authorization: `Bearer $${reference}` } };
}

function connectionTo(client: string): Connection {
  return { client, config: resolveConfig({}, {}, MACHINE.home) };
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
  assert.equal(requestOf(connectionTo("codex"), machine).shown, join(folder, "codex", "config.toml"));
});

test("Claude Desktop's package for Windows has settings of its own", { skip: ON_WINDOWS }, (t) => {
  const home = temporaryFolder(t);
  const place = () => files({ platform: "win32", home, env: {} })["claude-desktop"];
  const old = join(home, "AppData/Roaming/Claude/claude_desktop_config.json");
  writeFiles(home, { "AppData/Local/Packages/Other_1/": "" });
  assert.equal(place(), old);
  writeFiles(home, { "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/": "" });
  const own = "LocalCache/Roaming/Claude/claude_desktop_config.json";
  assert.equal(place(), join(home, "AppData/Local/Packages/Claude_pzs8sxrjxfjjc", own));
});

test("--here names no file of this machine if the program is in the folder or in PATH", {
  skip: ON_WINDOWS,
}, (t) => {
  const home = temporaryFolder(t);
  const folder = join(home, "shop");
  writeFiles(home, { "bin/": "", "else/vibe-mcp.cjs": "", "shop/tools/vibe-mcp.cjs": "" });
  const launch = (client: string, machine: Partial<Machine>, root = join(folder, "notes")) => {
    const config = resolveConfig({ root }, {}, home);
    const all = { ...MACHINE, home, folder, ...machine };
    const text = printed({ client, config, here: true }, all);
    assert.equal(/commit/.test(NOTES.join()), text.includes(home), text);
    const servers = Object.values(JSON.parse(text) as Record<string, Record<string, object>>)[0];
    return Object.values(servers?.["vibe"] ?? {}).flat();
  };
  const inside = { script: join(folder, "tools/vibe-mcp.cjs") };
  const variable = `\${CLAUDE_PROJECT_DIR:-.}`;
  assert.deepEqual(launch("claude-code", inside), [
    "stdio",
    "node",
    `${variable}/tools/vibe-mcp.cjs`,
    "--root",
    `${variable}/notes`,
  ]);
  assert.deepEqual(launch("opencode", inside), [
    "local",
    "node",
    "./tools/vibe-mcp.cjs",
    "--root",
    "./notes",
  ]);
  const outside = { script: join(home, "else/vibe-mcp.cjs"), env: { PATH: join(home, "bin") } };
  assert.equal(launch("gemini", outside)[1], outside.script);
  symlinkSync(outside.script, join(home, "bin/vibe-mcp"));
  assert.deepEqual(launch("gemini", outside, join(home, "work")), ["vibe-mcp", "--root", "~/work"]);
  assert.deepEqual(launch("gemini", { ...outside, npx: true }), [
    "npx",
    "-y",
    "vibe-mcp",
    "--root",
    "./notes",
  ]);
});

test("only what npx took from the registry by its name can be taken from there again", (t) => {
  const home = temporaryFolder(t);
  const script = join(home, "_npx", "1f", "node_modules", "vibe-mcp", "dist", "vibe-mcp.cjs");
  assert.equal(isFromRegistry(script), false);
  for (const [name, expected] of [
    ["vibe-mcp", true],
    ["vibe-mcp@0.2.0", true],
    ["./vibe-mcp-0.2.0.tgz", false],
    ["vibe-mcp@file:../vibe-mcp", false],
    ["github:ana/vibe-mcp", false],
  ] as const) {
    writeFiles(home, { "_npx/1f/package.json": JSON.stringify({ _npx: { packages: [name] } }) });
    assert.equal(isFromRegistry(script), expected, name);
  }
  assert.equal(isFromRegistry("/opt/vibe-mcp.cjs"), false);
});
