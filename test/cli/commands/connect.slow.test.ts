import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parse } from "smol-toml";
import { IS_PUBLISHED } from "../../../src/core/config/published.ts";
import { commandOf, type Entry } from "../../../src/setup/clients/entry.ts";
import { CLIENTS } from "../../../src/setup/clients/table.ts";
import { builtFile } from "../../fixtures/built.ts";
import { REAL, readAs } from "../../fixtures/client-settings.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

/** A person with an empty home folder. */
function newcomer(t: TestContext) {
  const someone = person(t);
  const home = temporaryFolder(t);
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, ".config"), XDG_CONFIG_HOME: "" };
  const run = (args: string[], more: Record<string, string> = {}) =>
    someone.inPipe(args, { env: { ...env, ...more } });
  const connect = (...args: string[]) => run(["connect", ...args]);
  const machine = {
    platform: process.platform,
    home,
    env,
    folder: someone.cwd,
    node: "",
    script: "",
    npx: false,
  };
  return { ...someone, home, env, run, connect, machine };
}

test("the settings written for each client start a server that answers", async (t) => {
  const { root, machine, home, connect } = newcomer(t);
  writeFiles(root, { "shop/notes.md": "# Refunds\n\nWe refund within 30 days.\n" });
  const commands = new Set<string>();
  for (const client of CLIENTS) {
    const file = client.userFile(machine);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, REAL[client.name] ?? "");
    const { status, stdout, stderr } = connect(client.name, "--yes");
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^\+.*vibe/m);
    assert.match(stdout, /Backup: .*\.bak\n/);
    const servers = readAs(client, readFileSync(file, "utf8"))[client.servers] as Record<string, Entry>;
    commands.add(JSON.stringify(commandOf(servers["vibe"] ?? {})));
  }
  for (const [command = "", ...args] of [...commands].map((one): string[] => JSON.parse(one))) {
    const cwd = temporaryFolder(t);
    const transport = new StdioClientTransport({ command, args, env: { HOME: home }, cwd, stderr: "ignore" });
    const agent = new Client({ name: "client", version: "1" });
    await agent.connect(transport);
    const answer = await agent.callTool({ name: "search", arguments: { query: "refunds" } });
    assert.match(JSON.stringify(answer.structuredContent), /shop\/notes\.md/);
    await agent.close();
  }
});

test("nothing is written without a yes", (t) => {
  const { home, connect } = newcomer(t);
  const { status, stdout, stderr } = connect("cursor");
  assert.equal(status, 1);
  assert.match(stdout, /^~\/\.cursor\/mcp\.json \(new\)\n\+\{\n/);
  assert.match(stderr, /Nothing written\. To write it: vibe-mcp connect cursor --yes\n$/);
  assert.ok(!existsSync(join(home, ".cursor")));
  const typed = connect("cursor", "--root", "my notes", "--name", "work", "--tools=core").stderr;
  assert.match(typed, /: vibe-mcp connect cursor --root "\S+ notes" --name work --tools=core --yes\n$/);
  const json = JSON.parse(connect("cursor", "--json").stdout);
  assert.deepEqual([json.changed, json.written, json.backup], [true, false, null]);
  const printed = connect("codex", "--print").stdout;
  assert.deepEqual(Object.keys(parse(printed)), ["mcp_servers"]);
  assert.ok(!existsSync(join(home, ".codex")));
});

test("on a terminal connect asks, and writes after a yes", (t) => {
  const { onScreen, env, home } = newcomer(t);
  const file = join(home, ".cursor", "mcp.json");
  const no = onScreen(["connect", "cursor"], { env, answer: ["Connect Cursor? [Y/n] ", "n\n"] });
  assert.equal(no.status, 1, no.stdout);
  assert.ok(!existsSync(file));
  const yes = onScreen(["connect", "cursor"], { env, answer: ["Connect Cursor? [Y/n] ", "\n"] });
  assert.equal(yes.status, 0, yes.stdout);
  assert.ok(yes.stdout.includes("\u001b[32m+"));
  assert.equal(JSON.parse(readFileSync(file, "utf8")).mcpServers.vibe.type, "stdio");
});

test("--here writes the settings of the folder, and refuses broken ones with the line", (t) => {
  const { cwd, connect } = newcomer(t);
  assert.equal(connect("vscode", "--here", "--yes", "--name", "notes").status, 0);
  assert.ok(JSON.parse(readFileSync(join(cwd, ".vscode", "mcp.json"), "utf8")).servers.notes);
  const broken = '{\n  "mcpServers": {\n}';
  writeFileSync(join(cwd, ".mcp.json"), broken);
  const { status, stderr } = connect("claude-code", "--here", "--yes");
  assert.equal(status, 1);
  assert.match(stderr, /\.mcp\.json, line 3: not valid JSON, close brace expected\. Nothing was written/);
  assert.equal(readFileSync(join(cwd, ".mcp.json"), "utf8"), broken);
});

test("options that exclude each other are refused", (t) => {
  const { connect } = newcomer(t);
  for (const args of [
    [],
    ["emacs"],
    ["cursor", "--project", "shop", "--url", "https://a.example"],
    ["cursor", "--token-env", "A"],
    ["cursor", "--print", "--yes"],
    ["claude-desktop", "--url", "https://a.example"],
    ["cursor", "--url", "http://a.example"],
  ])
    assert.equal(connect(...args).status, 2, args.join(" "));
});

test("doctor lists the installed clients, and whether each starts this server", (t) => {
  const { run, home, cwd, connect } = newcomer(t);
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
  connect("codex", "--yes");
  const gone = { mcpServers: { notes: { command: join(home, "gone", "vibe-mcp.cjs") } } };
  writeFiles(home, { ".codeium/windsurf/mcp_config.json": JSON.stringify(gone) });
  const [codex, gemini, windsurf, cursor] = clients();
  assert.match(cursor ?? "", /^note: Cursor /);
  assert.match(codex ?? "", /^ok: Codex starts this server \(.*config\.toml\)\.$/);
  assert.match(gemini ?? "", /^problem: Gemini CLI cannot be connected: .*line 1: not valid JSON/);
  assert.match(windsurf ?? "", /^problem: Windsurf .*vibe-mcp\.cjs, /);
  connect("cursor", "--here", "--yes", "--url", "https://notes.example.com");
  assert.match(clients().join("\n"), /^ok: Cursor reaches this server /m);
  assert.ok(existsSync(join(cwd, ".cursor", "mcp.json")));
});

test("a client with the plugin gets no second server, and doctor names one that is left", (t) => {
  const { run, home, connect } = newcomer(t);
  const enabled = { "vibe@vibe-mcp": true };
  writeFiles(home, {
    ".claude/settings.json": JSON.stringify({ enabledPlugins: enabled }),
    ".codex/config.toml": '[plugins."vibe@vibe-mcp"]\nenabled = true\n',
    ".gemini/extensions/vibe/gemini-extension.json": "{}",
    ".gemini/settings.json": "{}",
  });
  for (const client of ["claude-code", "codex", "gemini"]) {
    const { status, stdout } = connect(client, "--yes");
    assert.equal(status, 0);
    assert.match(stdout, /^Nothing to do: its plugin starts this server already /, client);
    const other = connect(client, "--here", "--yes");
    assert.equal(other.status, 1);
    assert.match(
      other.stderr,
      /: (?:claude plugin uninstall vibe@|codex plugin remove vibe@|gemini extensions uninstall vibe\n)/,
    );
  }
  const clients = () =>
    (
      JSON.parse(run(["doctor", "--json"]).stdout).findings as {
        check: string;
        state: string;
        message: string;
      }[]
    )
      .filter(({ check }) => check === "clients")
      .map(({ state, message }) => `${state}: ${message}`);
  assert.equal(clients().length, 3);
  for (const line of clients()) assert.match(line, /^ok: .* starts this server by its plugin /);
  assert.deepEqual(JSON.parse(run(["init", "shop", "--yes", "--json"]).stdout).connected, []);
  writeFiles(home, { ".gemini/settings.json": '{"mcpServers":{"vibe":{"command":"vibe-mcp"}}}' });
  assert.match(clients().join("\n"), /^note: Gemini CLI starts this server twice: by its plugin, and by /m);
  assert.equal(connect("gemini", "--remove", "--yes").status, 0);
  assert.doesNotMatch(clients().join("\n"), /twice/);
});

test("--remove deletes a file that held only the entry, and has nothing to do without one", (t) => {
  const { connect, home } = newcomer(t);
  const file = join(home, ".cursor", "mcp.json");
  assert.match(connect("cursor", "--remove").stdout, /^Nothing to do: .*\n$/);
  assert.match(connect("cursor", "--yes").stdout, /\nWrote ~\/\.cursor\/mcp\.json\.\n/);
  assert.ok(existsSync(file));
  const { stdout } = connect("cursor", "--remove", "--yes");
  assert.match(stdout, /^~\/\.cursor\/mcp\.json \(will be removed: it holds nothing else\)\n/);
  assert.match(stdout, /\nRemoved ~\/\.cursor\/mcp\.json\. Backup: .*\.bak\n/);
  assert.ok(!existsSync(file));
});

test("--json reports what was written, or that there was nothing to do", (t) => {
  const { connect, home, root } = newcomer(t);
  writeFiles(root, { "shop/a.md": "x" });
  writeFiles(home, { ".cursor/mcp.json": "{}" });
  const file = join(home, ".cursor", "mcp.json");
  const first = JSON.parse(connect("cursor", "--json", "--yes").stdout);
  assert.deepEqual(
    [first.file, first.changed, first.written, first.backup],
    [file, true, true, `${file}.bak`],
  );
  const second = JSON.parse(connect("cursor", "--json", "--yes").stdout);
  assert.deepEqual(second, { file, changed: false, written: false, backup: null, diff: [] });
});

test("a workspace without a project is reported, with what to do", (t) => {
  const { connect, root } = newcomer(t);
  const warning =
    /^There is no project in .* yet, so .*\n.*: vibe-mcp init\n.*: vibe-mcp demo, then vibe-mcp connect cursor --root vibe-demo$/m;
  assert.match(connect("cursor", "--yes").stderr, warning);
  assert.match(connect("cursor", "--yes").stderr, warning);
  assertTells(JSON.parse(connect("cursor", "--json").stdout).warning, ["no project"]);
  for (const option of ["--remove", "--url=https://a.example"])
    assert.doesNotMatch(connect("cursor", option, "--yes").stderr, /no project/);
  writeFiles(root, { "shop/a.md": "x" });
  assert.doesNotMatch(connect("cursor", "--yes").stderr, /no project/);
});

test("--print says on stderr what people have to add themselves", (t) => {
  const { connect } = newcomer(t);
  const { stdout, stderr } = connect("zed", "--print", "--url", "https://a.example");
  assert.deepEqual(JSON.parse(stdout), { context_servers: { vibe: { url: "https://a.example/mcp" } } });
  assert.match(stderr, /^Zed .*"headers"/);
});

test("doctor finds an entry of another name that starts this program", (t) => {
  const { home, root, run } = newcomer(t);
  const own = {
    mcpServers: {
      notes: { command: "vibe-mcp", args: ["--root", root] },
      other: { url: "https://x.example" },
    },
  };
  writeFiles(home, { ".cursor/mcp.json": JSON.stringify(own) });
  const { stdout } = run(["doctor"]);
  assert.match(stdout, /^ok +clients +Cursor starts this server/m);
});

test("before npm has the package, npx connects a client to its file, and no message names npx", {
  skip: IS_PUBLISHED,
}, (t) => {
  const cache = join(temporaryFolder(t), "_npx", "1");
  mkdirSync(join(cache, ".bin"), { recursive: true });
  copyFileSync(builtFile(t), join(cache, "vibe-mcp.cjs"));
  symlinkSync("../vibe-mcp.cjs", join(cache, ".bin", "vibe-mcp"));
  const home = temporaryFolder(t);
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, npm_command: "exec" };
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(cache, ".bin", "vibe-mcp"), ...words], {
      env,
      cwd: home,
      encoding: "utf8",
    });
  const { stdout, stderr } = run("connect", "gemini", "--print");
  const { command, args } = JSON.parse(stdout).mcpServers.vibe as { command: string; args: string[] };
  assert.equal(spawnSync(command, [...args, "--version"]).status, 0);
  assert.deepEqual(args, [realpathSync(join(cache, "vibe-mcp.cjs"))]);
  assert.match(stderr, /cache/);
  const [, typed = ""] = /Create one: (.*) init my-project/.exec(run("tasks").stderr) ?? [];
  assert.match(typed, /^node .*vibe-mcp\.cjs$/);
  assert.equal(spawnSync(`${typed} --version`, { shell: true, cwd: home }).status, 0);
});

test("only the entry of this server is shown, without what may be a token in it", (t) => {
  const { connect, home } = newcomer(t);
  const vibe = { command: "vibe-mcp", args: ["--root", "/old"], env: { KEY: "s3cr3t" } };
  const others = { model: "0ther", mcpServers: { docs: { url: "https://0ther.example" }, vibe } };
  writeFiles(home, { ".cursor/mcp.json": JSON.stringify(others) });
  const { stdout } = connect("cursor");
  assert.match(stdout, /^-.*\/old/m);
  assert.match(stdout, /"KEY": "…"/);
  assert.doesNotMatch(stdout, /s3cr3t|0ther/);
});
