import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { logIn, startBoard } from "../../fixtures/board.ts";
import { builtFile } from "../../fixtures/built.ts";
import { runCommand } from "../../fixtures/command.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { connectHttp } from "../../fixtures/http.ts";
import { callers, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const noGit = spawnSync("git", ["--version"]).status !== 0 && "git is missing";

/** A repository named shop on a machine with an empty home. */
function machine(t: TestContext) {
  const [place, home] = [realpathSync(temporaryFolder(t)), temporaryFolder(t)];
  const program = builtFile(t);
  const shop = join(place, "shop");
  mkdirSync(shop);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const { status, stdout, stderr } = spawnSync("git", [...who, ...args], { cwd, env, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const vibe = (cwd: string, args: string[], more: Record<string, string> = {}) =>
    runCommand(program, args, { cwd, env: { ...env, ...more } });
  git(shop, "init", "-q", "-b", "main");
  return { place, home, shop, env, git, vibe };
}

function inRepository(t: TestContext, more: string[] = []) {
  const all = machine(t);
  const { status, stderr } = all.vibe(all.shop, ["init", "--in-repo", ...more, "--yes"]);
  assert.equal(status, 0, stderr);
  const commit = (cwd = all.shop) => {
    all.git(cwd, "add", "-A");
    all.git(cwd, "commit", "-qm", "notes");
  };
  commit();
  return { ...all, commit };
}

type Settings = Record<"mcpServers" | "servers", Record<string, { command: string; args: string[] }>>;

const titles = (stdout: string) =>
  (JSON.parse(stdout) as { tasks: { title: string }[] }).tasks.map(({ title }) => title);

test("only notes, the block for agents and git's rules are written", { skip: noGit }, (t) => {
  const { shop, git, vibe } = inRepository(t);
  assert.deepEqual(git(shop, "ls-files").trim().split("\n"), [
    ".vibe/.gitattributes",
    ".vibe/.gitignore",
    ".vibe/shop/status.md",
    "AGENTS.md",
  ]);
  assert.equal(vibe(shop, ["init", "--with-program"]).status, 2);
});

test("a clone in an empty home has notes, program and settings", { skip: noGit }, async (t) => {
  const { place, shop, env, git, vibe, commit } = inRepository(t, ["--with-program"]);
  assert.equal(vibe(shop, ["new", "Add login"]).status, 0);
  commit();
  git(place, "clone", "-q", "shop", "clone");
  const clone = join(place, "clone");
  mkdirSync(join(clone, "src"));
  for (const [file, servers, folder] of [
    [".mcp.json", "mcpServers", `\${CLAUDE_PROJECT_DIR:-.}`],
    [".cursor/mcp.json", "mcpServers", `\${workspaceFolder}`],
    [".vscode/mcp.json", "servers", `\${workspaceFolder}`],
  ] as const) {
    const settings = JSON.parse(readFileSync(join(clone, file), "utf8")) as Settings;
    const { command, args } = settings[servers]["vibe"] ?? assert.fail(file);
    assert.equal(command, "node");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: args.map((word) => word.replace(folder, clone)),
      cwd: place,
      env: { ...env, CLAUDE_PROJECT_DIR: clone },
    });
    const client = new Client({ name: "test", version: "1" });
    t.after(() => client.close());
    await client.connect(transport);
    const { call } = callers(client);
    const { tasks } = await call<{ tasks: { title: string }[] }>("list_tasks", { project: "shop" });
    assert.deepEqual(
      tasks.map(({ title }) => title),
      ["Add login"],
      file,
    );
  }
  const installed = vibe(join(clone, "src"), ["tasks", "--json"]);
  assert.deepEqual(titles(installed.stdout), ["Add login"], installed.stderr);
  assert.equal(git(clone, "status", "--short"), "");
  assert.match(vibe(clone, ["doctor"]).stdout, /AGENTS\.md says .* in '\.vibe': these are served\./);
});

test("a second time, init --in-repo changes nothing", { skip: noGit }, (t) => {
  const { shop, git, vibe } = inRepository(t);
  const before = readFileSync(join(shop, ".git", "config"), "utf8");
  const again = vibe(shop, ["init", "--in-repo", "--yes", "--json"]);
  assert.equal(again.status, 0, again.stderr);
  assert.equal(git(shop, "status", "--short"), "");
  assert.equal(readFileSync(join(shop, ".git", "config"), "utf8"), before);
});

test("without a yes, and without a terminal, nothing is written", { skip: noGit }, (t) => {
  const { shop, git, vibe } = machine(t);
  const { status, stderr } = vibe(shop, ["init", "--in-repo", "--folder", "docs/notes"]);
  assert.equal(status, 1);
  assert.match(stderr, /Nothing written\. To write it: .* init --in-repo --folder docs\/notes --yes\n/);
  assert.equal(git(shop, "status", "--short", "--ignored"), "");
});

test("a worktree serves the notes of its own branch, and VIBE_ROOT decides", { skip: noGit }, (t) => {
  const { place, home, shop, git, vibe, commit } = inRepository(t);
  git(shop, "worktree", "add", "-q", "-b", "other", join(place, "tree"));
  const tree = join(place, "tree");
  assert.equal(vibe(tree, ["new", "In the tree"]).status, 0);
  assert.equal(vibe(shop, ["new", "In the main one"]).status, 0);
  commit(tree);
  assert.deepEqual(titles(vibe(tree, ["tasks", "--json"]).stdout), ["In the tree"]);
  assert.deepEqual(titles(vibe(shop, ["tasks", "--json"]).stdout), ["In the main one"]);
  writeFiles(join(home, "notes"), { "shop/tasks/001-a.md": "# Task: At home\n" });
  const named = vibe(shop, ["tasks", "--json", "--project", "shop"], { VIBE_ROOT: join(home, "notes") });
  assert.deepEqual(titles(named.stdout), ["At home"], named.stderr);
  const brief = vibe(shop, ["brief"], { VIBE_ROOT: join(home, "notes") });
  assert.match(brief.stderr, /AGENTS\.md .*'\.vibe\/shop'/);
  const doctor = vibe(shop, ["doctor"], { VIBE_ROOT: join(home, "notes") });
  assert.match(doctor.stdout, /in '\.vibe', but --root or VIBE_ROOT names others\./);
});

test("a folder of another name, and a further project there", { skip: noGit }, (t) => {
  const { shop, vibe } = machine(t);
  assert.equal(vibe(shop, ["init", "--in-repo", "--folder", "./docs/notes/", "--yes"]).status, 0);
  assert.match(readFileSync(join(shop, "AGENTS.md"), "utf8"), /^vibe: docs\/notes\/shop$/m);
  const further = vibe(shop, ["init", "api", "--link"]);
  assert.equal(further.status, 0, further.stderr);
  assert.match(readFileSync(join(shop, "AGENTS.md"), "utf8"), /^vibe: docs\/notes\/api$/m);
  assert.match(vibe(shop, ["brief"]).stdout, /^# Session Start: api\n/);
  assert.ok(existsSync(join(shop, "docs", "notes", "api", "status.md")));
});

test("a project in a repository has the name that was typed, else that of its origin, not of the clone's folder", {
  skip: noGit,
}, (t) => {
  for (const [address, ...words] of [
    ["git@example.com:ana/web-shop.git"],
    ["https://example.com/ana/web-shop/"],
    ["ssh://git@example.com/ana/web-shop.git/"],
    ["https://example.com/ana/other.git", "web-shop"],
    ["https://example.com/ana/other.git", "--project", "web-shop"],
  ] as const) {
    const { shop, git, vibe } = machine(t);
    git(shop, "remote", "add", "origin", address);
    const { status, stderr } = vibe(shop, ["init", "--in-repo", "--yes", ...words]);
    assert.equal(status, 0, stderr);
    assert.match(readFileSync(join(shop, "AGENTS.md"), "utf8"), /^vibe: \.vibe\/web-shop$/m, address);
    // A second time, the line decides.
    git(shop, "remote", "set-url", "origin", "https://example.com/renamed.git");
    assert.equal(vibe(shop, ["init", "--in-repo", "--yes"]).status, 0);
    assert.match(readFileSync(join(shop, "AGENTS.md"), "utf8"), /^vibe: \.vibe\/web-shop$/m, address);
  }
  const { shop, vibe } = machine(t);
  const named = vibe(shop, ["init", "docs/notes", "--in-repo", "--yes"]);
  assert.equal(named.status, 2);
  assert.match(named.stderr, /use --folder docs\/notes/);
  assert.equal(vibe(shop, ["init", "--folder", "notes"]).status, 2);
  assert.equal(vibe(shop, ["init", "--project", "typed", "--yes"]).status, 0);
  assert.match(readFileSync(join(shop, "AGENTS.md"), "utf8"), /^vibe: typed$/m);
});

test("settings for all folders do not name the notes of one repository", { skip: noGit }, (t) => {
  const { home, shop, vibe } = inRepository(t);
  assert.equal(vibe(shop, ["connect", "claude-code", "--yes"]).status, 0);
  assert.doesNotMatch(readFileSync(join(home, ".claude.json"), "utf8"), /--root/);
  assert.match(vibe(shop, ["doctor"]).stdout, /Claude Code starts this server/);
});

test("connect --here starts the program of the repository", { skip: noGit }, (t) => {
  const { shop, vibe } = inRepository(t, ["--with-program"]);
  assert.equal(vibe(shop, ["connect", "gemini", "--here", "--yes"]).status, 0);
  const { mcpServers } = JSON.parse(readFileSync(join(shop, ".gemini/settings.json"), "utf8")) as Settings;
  const args = ["./.vibe/vibe-mcp.cjs", "--root", "./.vibe"];
  assert.deepEqual(mcpServers["vibe"], { command: "node", args });
});

test("the board in a repository shows its notes", { skip: noGit }, async (t) => {
  const { shop } = inRepository(t);
  const board = await logIn(await startBoard(t, ["--no-open"], {}, shop));
  const { call } = await connectHttp(t, board, board);
  const { projects } = await call<{ projects: { name: string }[] }>("list_projects");
  assert.deepEqual(
    projects.map(({ name }) => name),
    ["shop"],
  );
});

test("notes that git ignores are named", { skip: noGit }, (t) => {
  const { shop, vibe } = machine(t);
  writeFiles(shop, { ".gitignore": ".vibe/\n" });
  assert.match(vibe(shop, ["init", "--in-repo", "--yes"]).stderr, /git ignores \.vibe/);
});

test("notes of the same project elsewhere are named", { skip: noGit }, (t) => {
  const { home, shop, vibe } = machine(t);
  writeFiles(join(home, ".vibe"), { "shop/status.md": "# shop\n" });
  const { stderr } = vibe(shop, ["init", "--in-repo", "--yes"]);
  assert.match(stderr, /has notes of shop, too\. To use them here, move its files to \.vibe\/shop\.\n/);
});

test("outside of a repository, and for impossible folders, init --in-repo says so", (t) => {
  const { place, shop, vibe } = machine(t);
  assert.match(vibe(place, ["init", "--in-repo"]).stderr, /git repository/);
  for (const folder of [".", "..", "a/../..", ".git/notes", "/etc", "a//b", "a\\b"]) {
    const { status, stderr } = vibe(shop, ["init", "--in-repo", "--folder", folder, "--yes"]);
    assert.equal(status, 2, `${folder}: ${stderr}`);
  }
});

test("no link leads out of the repository", { skip: noGit || ON_WINDOWS }, (t) => {
  const { place, home, shop, git, vibe } = inRepository(t);
  const outside = join(place, "outside");
  writeFiles(outside, { "shop/tasks/001-secret.md": "# Task: Secret\n" });
  rmSync(join(shop, ".vibe"), { recursive: true });
  symlinkSync(outside, join(shop, ".vibe"));
  const refused = vibe(shop, ["init", "--in-repo", "--yes"]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /\.vibe/);
  assert.match(vibe(shop, ["doctor"]).stdout, /missing.*link.*repository/);
  writeFiles(join(home, ".vibe"), { "shop/tasks/001-a.md": "# Task: At home\n" });
  const before = cpOf(t, outside);
  assert.deepEqual(titles(vibe(shop, ["tasks", "--json"]).stdout), ["At home"]);
  assert.deepEqual(cpOf(t, outside), before);
  for (const folder of ["..", "../outside", "/etc", ".git", ".GIT/hooks", "%00"]) {
    writeFiles(shop, { "AGENTS.md": `vibe: ${folder}/shop\n` });
    assert.deepEqual(titles(vibe(shop, ["tasks", "--json"]).stdout), ["At home"], folder);
  }
  assert.match(git(shop, "status", "--short"), /AGENTS\.md/);
});

function cpOf(t: TestContext, folder: string): string {
  const copy = temporaryFolder(t);
  cpSync(folder, copy, { recursive: true });
  return spawnSync("ls", ["-R", "."], { cwd: copy, encoding: "utf8" }).stdout;
}
