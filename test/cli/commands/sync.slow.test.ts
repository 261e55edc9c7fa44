import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noGit } from "../../fixtures/machines.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const options = { skip: noGit };
const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" });

function bareRemote(t: TestContext): string {
  const remote = join(temporaryFolder(t), "notes.git");
  git("init", "-q", "--bare", remote);
  return remote;
}

test(
  "sync is set up once, says in three lines what went, and is ended without touching a note",
  options,
  (t) => {
    const remote = bareRemote(t);
    const [ana, ben] = [person(t), person(t)];
    writeFiles(ana.root, { "p/status.md": "# P\n" });
    const none = ana.inPipe(["sync"]);
    assert.equal(none.status, 1);
    assert.match(none.stderr, /sync --setup <remote>/);
    assert.equal(ana.inPipe(["sync", "--setup", remote]).status, 0);
    const { status, stdout } = ben.inPipe(["sync", "--setup", remote]);
    assert.equal(status, 0);
    assert.deepEqual(stdout.trim().split("\n"), [
      "Received 1 change: p/status.md",
      "Sent 0 changes",
      "Nothing needs a decision.",
    ]);
    writeFiles(ben.root, { "p/new.md": "# New\n" });
    assert.match(ben.inPipe(["sync", "--dry-run"]).stdout, /^Would send 1 change: p\/new\.md$/m);
    assert.match(ana.inPipe(["sync"]).stdout, /^Received 0 changes$/m);
    const { rounds } = JSON.parse(ben.inPipe(["sync", "--json"]).stdout);
    assert.deepEqual(rounds[0].sent, ["p/new.md"]);
    assert.match(ben.inPipe(["sync", "--status"]).stdout, /synced just now/);
    assert.match(ben.inPipe(["doctor"]).stdout, /ok +sync +The notes: synced just now/);
    assert.equal(ben.inPipe(["sync"], { env: { VIBE_SYNC: "off" } }).status, 2);
    assert.equal(ben.inPipe(["sync", "--stop"]).status, 0);
    assert.equal(ben.inPipe(["sync"]).status, 1);
    assert.ok(existsSync(join(ben.root, "p/new.md")));
  },
);

test("a project's notes travel on a branch of its repository's origin, apart from the code", options, (t) => {
  const origin = bareRemote(t);
  const [ana, ben] = [person(t), person(t)];
  writeFiles(ana.root, { "api/status.md": "# API\n", "private/status.md": "# Mine\n" });
  writeFiles(ben.root, { "api/status.md": "# API\n" });
  const clones = [ana, ben].map(() => {
    const clone = join(temporaryFolder(t), "api");
    git("clone", "-q", origin, clone);
    return clone;
  });
  const [first = "", second = ""] = clones;
  writeFiles(first, { "main.c": "int main;\n" });
  const code = ["-C", first, "-c", "user.name=a", "-c", "user.email=a@a.example"];
  git(...code, "add", ".");
  git(...code, "commit", "-qm", "code");
  git(...code, "push", "-q", "origin", "HEAD:refs/heads/main");
  const before = git("-C", first, "status", "--porcelain", "--branch");
  assert.equal(ana.inPipe(["sync", "--setup"], { cwd: first }).status, 0);
  assert.equal(ben.inPipe(["sync", "--setup"], { cwd: second }).status, 0);
  writeFiles(ben.root, { "api/tasks/001-a.md": "# A\n" });
  assert.match(ben.inPipe(["sync"], { cwd: second }).stdout, /api\/tasks\/001-a\.md/);
  assert.match(ana.inPipe(["sync"]).stdout, /api\/tasks\/001-a\.md/);
  assert.equal(readFileSync(join(ana.root, "api/tasks/001-a.md"), "utf8"), "# A\n");
  const sent = git("-C", origin, "ls-tree", "-r", "--name-only", "vibe-notes");
  assert.equal(sent, ".vibe-sync\nstatus.md\ntasks/001-a.md\n");
  assert.equal(git("-C", first, "status", "--porcelain", "--branch"), before);
  const twice = ana.inPipe(["sync", "--setup", origin]);
  assert.match(twice.stderr, /'api' is synced alone/);
});

test("a workspace that is a clone of the remote is told to use git", options, (t) => {
  const remote = bareRemote(t);
  const someone = person(t);
  git("clone", "-q", remote, someone.root);
  assert.match(someone.inPipe(["sync", "--setup", remote]).stderr, /plain git is enough/);
});

test("a key in an address that an earlier version took is shown nowhere", options, (t) => {
  const remote = bareRemote(t);
  const [ana, home] = [person(t), temporaryFolder(t)];
  const run = (command: string[]) => ana.inPipe(command, { env: { HOME: home } });
  writeFiles(ana.root, { "p/status.md": "# P\n" });
  assert.equal(run(["sync", "--setup", remote]).status, 0);
  const state = join(home, ".local", "state", "vibe-mcp", "sync");
  const file = join(state, readdirSync(state)[0] ?? "", "sync.json");
  const key = "ghp_SECRETsecret0123456789SECRETsecret0123";
  const address = `https://${key}@notes.invalid/r.git`;
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), address }));
  const commands = [
    ["sync"],
    ["sync", "--status"],
    ["sync", "--status", "--json"],
    ["doctor"],
    ["brief", "p"],
  ];
  const changes = [
    ["sync", "--setup", address],
    ["sync", "--setup", remote],
    ["sync", "--setup", remote, "--project", "p"],
  ];
  for (const command of [...commands, ...changes, ["sync", "--stop"]]) {
    const { stdout, stderr } = run(command);
    assert.ok(!`${stdout}${stderr}`.includes("SECRET"), `${command}: ${stdout}${stderr}`);
  }
});
