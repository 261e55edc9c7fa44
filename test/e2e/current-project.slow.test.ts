import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { builtFile } from "../fixtures/built.ts";
import { UNDER_WINE } from "../fixtures/disk.ts";
import { connectHttp, serveHttp } from "../fixtures/http.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { assertTells } from "../fixtures/tells.ts";
import { callers, makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const FILES = { "payments-api/a.md": "# A\n", "ux/a.md": "# A\n" };

interface Setup {
  cwd?: string;
  env?: Record<string, string>;
  roots?: string[];
  args?: string[];
}

interface Machine {
  root: string;
  home: string;
  /** A repository that is named like a project. */
  repository: string;
  /** The built server, as a client starts it. */
  start: (setup: Setup) => Promise<ReturnType<typeof callers> & { instructions: string }>;
}

/** A person's machine, with a workspace and a repository in the home folder. */
function machine(t: TestContext): Machine {
  const [root, home, file] = [makeWorkspace(t, FILES), temporaryFolder(t), builtFile(t)];
  const repository = join(home, "code", "payments-api");
  writeFiles(repository, { ".git/HEAD": "", "src/": "" });
  const start = async ({ cwd = parse(home).root, env = {}, roots, args = [] }: Setup) => {
    const capabilities = roots === undefined ? {} : { roots: {} };
    const client = new Client({ name: "test", version: "1" }, { capabilities });
    const list = (roots ?? []).map((folder) => ({ uri: pathToFileURL(folder).href }));
    if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: list }));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [file, "--root", root, ...args],
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, ...env },
    });
    await client.connect(transport);
    t.after(() => client.close());
    return { ...callers(client), instructions: client.getInstructions() ?? "" };
  };
  return { root, home, repository, start };
}

/** A repository with a commit, and a worktree of it in another folder. */
function addWorktree(repository: string, worktree: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args]);
  mkdirSync(repository, { recursive: true });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
  git("worktree", "add", "--quiet", worktree);
}

type Start = (place: Machine) => Setup;

const CLIENTS: Record<string, [Start, said: RegExp]> = {
  "in the project's folder": [
    ({ repository }) => ({ cwd: join(repository, "src") }),
    /^Current project: payments-api \(named like the working folder\)/m,
  ],
  "with CLAUDE_PROJECT_DIR only": [
    ({ repository }) => ({ env: { CLAUDE_PROJECT_DIR: repository } }),
    /^Current project: payments-api \(named like CLAUDE_PROJECT_DIR\)/m,
  ],
  "with VIBE_PROJECT only": [
    () => ({ env: { VIBE_PROJECT: "Payments-API" } }),
    /^Current project: payments-api \(from VIBE_PROJECT\)/m,
  ],
  "with roots only": [
    ({ repository }) => ({ roots: [repository] }),
    /^No current project: the working folder belongs to no project\./m,
  ],
  "in the home folder, with roots": [
    ({ home, repository }) => ({ cwd: home, roots: [home, repository] }),
    /^No current/m,
  ],
};

for (const [name, [setup, said]] of someOf(Object.entries(CLIENTS))) {
  test(`a client ${name} gets the briefing of its project`, async (t) => {
    const place = machine(t);
    const { call, instructions } = await place.start(setup(place));
    assert.match(instructions, said);
    const { project, text } = await call<{ project: string; text: string }>("get_briefing");
    assert.equal(project, "payments-api");
    assert.match(text, /^# Session Start: payments-api\n/);
  });
}

const LOST: Record<string, Start> = {
  "at the top of the disk": () => ({}),
  "in the home folder": ({ home }) => ({ cwd: home }),
  "in the folder for temporary files": () => ({ cwd: tmpdir() }),
  "whose variable and root are the home folder": ({ home }) => ({
    env: { CLAUDE_PROJECT_DIR: home },
    roots: [home],
  }),
};

for (const [name, setup] of someOf(Object.entries(LOST))) {
  test(`a client ${name} learns that no project is known, and what to do`, async (t) => {
    const place = machine(t);
    // Neither a line nor a name in such a folder counts.
    writeFileSync(join(place.home, "AGENTS.md"), "vibe: ux\n");
    mkdirSync(join(place.root, place.home.split(/[\\/]/).at(-1) ?? ""));
    const { call, fail, instructions } = await place.start(setup(place));
    assert.match(instructions, /^No current project: .*`here`/m);
    const { code, message } = await fail("get_briefing");
    assert.equal(code, "PROJECT_NOT_FOUND");
    assert.match(message, /'project': payments-api, ux, vibe-test-\w+\.$/);
    assert.equal(
      (await call("get_briefing", { here: join(place.repository, "src") }))["project"],
      "payments-api",
    );
  });
}

test("a worktree belongs to its main repository: by its name, or by a line that only the main folder has", {
  skip: UNDER_WINE,
}, async (t) => {
  const { home, start } = machine(t);
  const [main, worktree] = [join(home, "main", "ux"), join(home, "trees", "fix-login")];
  addWorktree(main, worktree);
  writeFileSync(join(home, "trees", "AGENTS.md"), "vibe: gone\n");
  const byName = await start({ cwd: worktree });
  assert.match(byName.instructions, /^Current project: ux \(named like the working folder\)/m);
  assert.equal((await byName.call("get_briefing"))["project"], "ux");
  writeFileSync(join(main, "CLAUDE.md"), "vibe: payments-api\n");
  const byLine = await start({ env: { CLAUDE_PROJECT_DIR: worktree } });
  const line = "from the line `vibe: payments-api` in CLAUDE.md of the main repository";
  assert.ok(byLine.instructions.includes(`Current project: payments-api (${line})`), byLine.instructions);
  assert.equal((await byLine.call("get_briefing", { here: worktree }))["project"], "payments-api");
});

test("each source wins over the next: the flag, the variable, Claude's folder, roots, the working folder", async (t) => {
  const { home, repository, start } = machine(t);
  const ux = join(home, "code", "ux");
  mkdirSync(ux);
  const briefed = async (setup: Setup) => (await (await start(setup)).call("get_briefing"))["project"];
  const flag = ["--project", "ux"];
  assert.equal(await briefed({ args: flag, env: { VIBE_PROJECT: "payments-api" }, cwd: repository }), "ux");
  assert.equal(await briefed({ env: { VIBE_PROJECT: "ux", CLAUDE_PROJECT_DIR: repository } }), "ux");
  assert.equal(
    await briefed({ env: { CLAUDE_PROJECT_DIR: ux }, roots: [repository], cwd: repository }),
    "ux",
  );
  assert.equal(await briefed({ roots: [ux], cwd: repository }), "ux");
});

test("a project that does not exist stops no server, and is found once it is created", async (t) => {
  const { start } = machine(t);
  const { call, fail, instructions } = await start({ args: ["--project", "shop"] });
  assert.match(instructions, /^No current project: --project .*'shop'/m);
  assertTells((await fail("get_briefing")).message, ["--project", "shop"]);
  await call("init_project", { project: "shop" });
  assert.equal((await call("get_briefing"))["project"], "shop");
});

test("over HTTP the server's own folder says nothing: the setting, or the name of the folder in 'here'", {
  skip: UNDER_WINE,
}, async (t) => {
  const root = makeWorkspace(t, FILES);
  const linked = makeWorkspace(t, { "AGENTS.md": "vibe: ux\n" });
  const { client, call, fail } = await connectHttp(t, await serveHttp(t, ["--root", root]));
  assert.match(client.getInstructions() ?? "", /^No current project: /m);
  const unknown = await fail("get_briefing");
  assert.equal(unknown.code, "PROJECT_NOT_FOUND");
  assertTells(unknown.message, ["'project'"]);
  for (const here of ["/home/ana/payments-api/", "C:\\code\\Payments-API"])
    assert.equal((await call("get_briefing", { here }))["project"], "payments-api");
  // The client's disk is elsewhere, and the server's is none of its business.
  assert.match((await fail("get_briefing", { here: linked })).message, /none is named 'vibe-test-/);
  const set = await connectHttp(t, await serveHttp(t, ["--root", root, "--project", "ux"]));
  assert.match(set.client.getInstructions() ?? "", /^Current project: ux \(from --project\)/m);
  assert.equal((await set.call("get_briefing"))["project"], "ux");
});

test("'here' must be the absolute path of a folder, and excludes 'project'", async (t) => {
  const { home, repository, start } = machine(t);
  const { fail } = await start({ cwd: repository });
  const assertFails = async (args: object, code: string, facts: [string, ...string[]]) => {
    const error = await fail("get_briefing", { ...args });
    assert.equal(error.code, code, JSON.stringify(args));
    assertTells(error.message, facts);
  };
  for (const here of ["payments-api", "~/code", "//server/share/payments-api", "\\\\server\\share"])
    await assertFails({ here }, "INVALID_ARGUMENT", ["'here'", "absolute path"]);
  await assertFails({ here: repository, project: "ux" }, "INVALID_ARGUMENT", ["'project'", "'here'"]);
  await assertFails({ here: home }, "PROJECT_NOT_FOUND", ["'here'", "'project'"]);
  await assertFails({ here: `${repository}\0` }, "PROJECT_NOT_FOUND", ["'project'"]);
});
