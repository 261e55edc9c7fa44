import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { seeing } from "../../src/core/history/sight.ts";
import { planUndoOf } from "../../src/core/history/undo.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { parseFrontmatter } from "../../src/core/markdown/frontmatter.ts";
import { readStatuses } from "../../src/core/notes/task/status.ts";
import { undoStep } from "../../src/core/workspace/undo.ts";
import { AutoSync } from "../../src/together/sync/auto-sync.ts";
import { recentNews } from "../../src/together/sync/news.ts";
import { remoteAddress } from "../../src/together/sync/setup.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { bareRepository, filesOf, imageOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { eachNight } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const NOTE = "p/references/flow.md";
const LINES = "# Flow\n\nFirst.\n\nSecond.\n\nThird.\n";
const options = { skip: noGit };

function bareRemote(t: TestContext): string {
  const remote = bareRepository(t);
  return remote;
}

async function twoMachines(t: TestContext, files: Record<string, string> = {}) {
  const remote = bareRemote(t);
  const ana = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n", ...files } });
  const ben = await startMachine(t, { name: "ben", remote, files: {} });
  return { remote, ana, ben };
}

const read = ({ root }: Machine, path: string) => readFileSync(join(root, path), "utf8");
const write = ({ root }: Machine, path: string, text: string) => writeFiles(root, { [path]: text });
const replace = (machine: Machine, path: string, from: string, to: string) =>
  write(machine, path, read(machine, path).replace(from, to));

/** Both, until nothing is left to do; fails if a round does. */
async function settle(...machines: Machine[]) {
  for (const machine of [...machines, ...machines]) {
    const { problem } = await machine.sync();
    assert.equal(problem, undefined);
  }
  const [first, ...others] = machines.map(({ root }) => imageOf(root));
  for (const other of others) assert.deepEqual(other, first);
}

test(
  "what one machine has, the other gets: notes and attachments, no index, nothing hidden, no links",
  options,
  async (t) => {
    const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, "p/assets/a.bin": "\u0000x" });
    assert.deepEqual(imageOf(ben.root), imageOf(ana.root));
    assert.deepEqual(ben.first.received, ["p/assets/a.bin", NOTE, "p/status.md"]);
    write(ana, "p/.secret/key.md", "x");
    writeFileSync(join(ana.root, "p/.env"), "x");
    symlinkSync("/etc/passwd", join(ana.root, "p/link.md"));
    write(ana, "q/status.md", "# Q\n");
    rmSync(join(ana.root, NOTE));
    const odd = ON_WINDOWS ? [] : ["p/10:30.md", "p/con.md", "p/ends. /a.md"];
    for (const path of odd) write(ana, path, "x\n");
    const { sent, skipped } = await ana.sync();
    assert.deepEqual(sent, [NOTE, "q/status.md"]);
    assert.deepEqual(skipped.map(({ path }) => path).sort(), odd);
    assert.deepEqual((await ben.sync()).received, [NOTE, "q/status.md"]);
    assert.deepEqual(filesOf(ben.root), ["p/assets/a.bin", "p/status.md", "q/status.md"]);
    const idle = await ben.sync();
    assert.deepEqual([idle.sent, idle.received, idle.kept], [[], [], []]);
  },
);

test("changes of both that do not contradict meet in the note", options, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES });
  replace(ana, NOTE, "First.", "First, by Ana.");
  replace(ben, NOTE, "Third.", "Third, by Ben.");
  await settle(ana, ben);
  assert.equal(read(ana, NOTE), "# Flow\n\nFirst, by Ana.\n\nSecond.\n\nThird, by Ben.\n");
});

test("of a day's notes of over 256 KB that both changed, the shared text stays, and no call waits for a merge", {
  skip: noGit || eachNight,
}, async (t) => {
  const of = (chars: number) =>
    `# Session\n\n${`**10:00:00**\n\n${"- done\n".repeat(10)}\n`.repeat(chars / 84)}`;
  const [large, small] = ["p/sessions/2026-03-01.md", "p/sessions/2026-03-02.md"];
  const { ana, ben } = await twoMachines(t, { [large]: of(1_000_000), [small]: of(20_000) });
  for (const path of [large, small]) {
    write(ana, path, `${read(ana, path)}---\n\n**11:00:00**\n\nBy Ana.\n`);
    write(ben, path, `${read(ben, path)}---\n\n**12:00:00**\n\nBy Ben.\n`);
  }
  await ana.sync();
  const { kept } = await ben.sync();
  assert.deepEqual(
    kept.map(({ path }) => path),
    [large],
  );
  assert.deepEqual(
    [large, small].map((path) => /By Ana[\s\S]*By Ben/.test(read(ben, path))),
    [false, true],
  );
  await ben.call("restore_doc", { change: kept[0]?.change });
  assert.match(read(ben, large), /By Ben\.\n$/);
});

test(
  "of two texts that contradict, the shared one stays; the other comes back beside it by its change, for all",
  options,
  async (t) => {
    const { ana, ben } = await twoMachines(t, { [NOTE]: LINES });
    replace(ana, NOTE, "Second.", "Second, by Ana.");
    await ana.sync();
    replace(ben, NOTE, "Second.", "Second, by Ben.");
    write(ben, "p/references/other.md", "# Other\n");
    const { kept } = await ben.sync();
    assert.deepEqual(
      kept.map(({ path }) => path),
      [NOTE],
    );
    assert.match(read(ben, NOTE), /Second, by Ana/);
    assert.doesNotMatch(read(ben, NOTE), /<<<<<<</);
    assert.deepEqual((await ben.sync()).kept, kept, "until somebody decides");
    const { workspace, state, env } = ben;
    workspace.sharing = new AutoSync({ workspace, state, env, log: createLog("error", () => {}) });
    const { sync } = await ben.call<{ sync: { kept: object[] } }>("list_projects");
    assert.deepEqual(sync.kept, [{ path: NOTE, change: kept[0]?.change }]);
    const { sharing } = workspace;
    assert.equal(
      seeing(["other"], () => sharing.state()),
      undefined,
      "it may name any project",
    );
    workspace.sharing = undefined;
    await ben.call("restore_doc", { change: kept[0]?.change });
    assert.deepEqual((await ben.sync()).kept, []);
    await settle(ana, ben);
    assert.match(read(ana, NOTE), /Second, by Ana\.\nSecond, by Ben\./);
  },
);

const TASK = "---\nstatus: pending\n---\n# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] a\n2. [ ] b\n";
const TASK_PATH = "p/tasks/001-a.md";

test(
  "a contradiction in one fact of a task keeps the others, and the other value comes back without taking any",
  options,
  async (t) => {
    const { ana, ben } = await twoMachines(t, { [TASK_PATH]: TASK });
    await ana.call("claim_task", { project: "p", task: "1", agent: "ana agent" });
    await ana.call("update_task", { project: "p", task: "1", done_steps: [1] });
    await ana.sync();
    await ben.call("update_task", { project: "p", task: "1", priority: "high", done_steps: [2] });
    await ben.call("update_task_status", { project: "p", task: "1", status: "blocked" });
    const { kept } = await ben.sync();
    const both = { owner: "ana agent", priority: "high" };
    assert.deepEqual(
      kept.map(({ path }) => path),
      [TASK_PATH],
    );
    await settle(ana, ben);
    assertTask(read(ana, TASK_PATH), { ...both, status: "in-progress" });
    // Only a person changes the status of what another agent holds.
    const { workspace } = ben;
    const steps = await planUndoOf(ben.root, [kept[0]?.change ?? ""]);
    await workspace.history.acting({ isPerson: true }, async () => {
      for (const step of steps) await undoStep(workspace, step);
    });
    await settle(ben, ana);
    assertTask(read(ana, TASK_PATH), { ...both, status: "blocked" });
  },
);

/** A task with these facts, whose steps are all ticked. */
function assertTask(text: string, expected: Record<"owner" | "priority" | "status", string>): void {
  const { owner, priority } = parseFrontmatter(text).data;
  const { frontmatter: status, line } = readStatuses(text);
  assert.deepEqual({ owner, priority, status }, expected);
  assert.equal(line, status);
  assert.doesNotMatch(text, /\[ \]|<<<<<<</);
}

test("what contradicts in a note that somebody moved comes back with all else that changed", {
  skip: noGit || eachNight,
}, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: `${LINES}\nFourth.\n\nFifth.\n\nSixth.\n` });
  const moved = "p/plans/flow.md";
  write(
    ana,
    moved,
    read(ana, NOTE).replace("Second.", "Second, by Ana.").replace("First.", "First, by Ana."),
  );
  rmSync(join(ana.root, NOTE));
  await ana.sync();
  replace(ben, NOTE, "Second.", "Second, by Ben.");
  replace(ben, NOTE, "Third.", "Third, by Ben.");
  const { kept } = await ben.sync();
  await settle(ben, ana);
  assert.match(read(ana, moved), /First, by Ana\.\n\nSecond, by Ana\.\n\nThird, by Ben/);
  await ben.call("restore_doc", { change: kept[0]?.change });
  await settle(ben, ana);
  assert.match(read(ana, NOTE), /First, by Ana\.\n\nSecond, by Ana\.\nSecond, by Ben\.\n\nThird, by Ben/);
});

test(
  "a task that got a number that others had used gets another, and its links follow",
  options,
  async (t) => {
    const { ana, ben } = await twoMachines(t);
    const create = (machine: Machine, title: string) =>
      machine.call("create_task", { project: "p", title, objective: "It is done." });
    await create(ana, "From Ana");
    await ana.sync();
    await create(ben, "From Ben");
    write(ben, NOTE, "See [the task](../tasks/001-from-ben.md).\n");
    const { renumbered } = await ben.sync();
    assert.deepEqual(renumbered, [{ from: "p/tasks/001-from-ben.md", to: "p/tasks/002-from-ben.md" }]);
    await settle(ana, ben);
    assert.equal(read(ana, NOTE), "See [the task](../tasks/002-from-ben.md).\n");
  },
);

test("a task that cannot get another number is not said to have one", options, async (t) => {
  const { ana, ben } = await twoMachines(t);
  write(ana, "p/tasks/001-from-ana.md", "# Task: From Ana\n");
  await ana.sync();
  write(ben, "p/tasks/001-from-ben.md", "# Task: From Ben\n");
  write(ben, ".vibe-mcp/history/blobs", "Not a folder.");
  const { problem, renumbered } = await ben.sync();
  assert.match(problem ?? "", /must be a folder/);
  assert.deepEqual([renumbered, recentNews(ben.state, ben.root)], [[], []]);
});

test(
  "what one removed and the other changed stays; what one moved takes the other's change along",
  options,
  async (t) => {
    const moved = "p/plans/flow.md";
    const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, "p/references/gone.md": LINES });
    rmSync(join(ana.root, "p/references/gone.md"));
    mkdirSync(join(ana.root, "p/plans"));
    renameSync(join(ana.root, NOTE), join(ana.root, moved));
    await ana.sync();
    replace(ben, NOTE, "Third.", "Third, by Ben.");
    replace(ben, "p/references/gone.md", "First.", "Needed.");
    await settle(ben, ana);
    assert.deepEqual(filesOf(ana.root), [moved, "p/references/gone.md", "p/status.md"]);
    assert.match(read(ana, moved), /by Ben/);
    assert.match(read(ana, "p/references/gone.md"), /Needed/);
  },
);

test("links to the name that a move lost against another move follow, too", options, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES });
  await ana.call("move_doc", { path: NOTE, to_filename: "stream.md" });
  await ana.sync();
  write(ben, "p/plans/order.md", "See [[flow]].\n");
  await ben.call("move_doc", { path: NOTE, to_filename: "river.md" });
  assert.match(read(ben, "p/plans/order.md"), /river/);
  await settle(ben, ana);
  assert.equal(read(ana, "p/plans/order.md"), "See [[stream]].\n");
});

test("what .vibeignore names stays as it is on every machine", options, async (t) => {
  const before = "p/data/before.csv";
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, [before]: "1\n" });
  write(ana, ".vibeignore", "node_modules/\n/q/\n");
  write(ana, "p/.vibeignore", "data/*\n!data/kept.csv\n");
  for (const path of ["p/data/new.csv", "p/data/kept.csv", "p/node_modules/x/readme.md", "q/a.md", "p/b.md"])
    write(ana, path, "2\n");
  rmSync(join(ana.root, ...before.split("/")));
  const { sent, skipped } = await ana.sync();
  assert.deepEqual([sent, skipped], [["p/b.md", "p/data/kept.csv"], []]);
  await ben.sync();
  assert.equal(read(ben, before), "1\n");
  write(ben, before, "3\n");
  await ben.sync();
  const { received, problem } = await ana.sync();
  assert.deepEqual([received, problem, existsSync(join(ana.root, before))], [[], undefined, false]);
  assert.deepEqual([read(ana, "p/data/new.csv"), read(ben, before)], ["2\n", "3\n"]);
});

test("what a cloud or a power cut took from one machine stays on the others", options, async (t) => {
  const other = "p/references/other.md";
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, [other]: LINES });
  const place = (path: string) => join(ana.root, ...path.split("/"));
  renameSync(place(NOTE), join(dirname(place(NOTE)), `.${basename(NOTE)}.icloud`));
  write(ana, other, "\0".repeat(8192));
  const { skipped, sent } = await ana.sync();
  assert.deepEqual([sent, skipped.map(({ path }) => path)], [[], [other]]);
  await ben.sync();
  assert.deepEqual([read(ben, NOTE), read(ben, other)], [LINES, LINES]);
});

test("two machines that both have notes begin with what is on either", options, async (t) => {
  const remote = bareRemote(t);
  const both = { "p/tasks/001-same.md": "# Same\n", "p/status.md": "# P\n" };
  const ana = await startMachine(t, { name: "ana", remote, files: { ...both, "p/tasks/002-a.md": "# A\n" } });
  const ben = await startMachine(t, { name: "ben", remote, files: { ...both, "p/tasks/002-b.md": "# B\n" } });
  await settle(ana, ben);
  const tasks = ["001-same.md", "002-a.md", "003-b.md"].map((name) => `p/tasks/${name}`);
  assert.deepEqual(filesOf(ana.root), ["p/status.md", ...tasks]);
});

test("an edit amid a round stays, and goes along with the next", options, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES });
  for (let turn = 0; turn < 2; turn++) {
    replace(ana, NOTE, "First", `First ${turn}`);
    await ana.sync();
    const round = ben.sync();
    for (let edit = 0; edit < 20; edit++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      write(ben, NOTE, `${read(ben, NOTE)}\nBen ${turn}.${edit}\n`);
    }
    assert.equal((await round).problem, undefined);
  }
  await settle(ben, ana);
  for (let turn = 0; turn < 2; turn++)
    for (let edit = 0; edit < 20; edit++) assert.ok(read(ana, NOTE).includes(`Ben ${turn}.${edit}\n`));
});

test(
  "a remote that cannot be used says why, nothing changes, and it goes on once it can",
  options,
  async (t) => {
    const { remote, ana, ben } = await twoMachines(t, { [NOTE]: LINES });
    renameSync(remote, `${remote}.away`);
    replace(ana, NOTE, "First", "Changed");
    const away = await ana.sync();
    assert.match(away.problem ?? "", /no repository/);
    assert.equal(away.unsent, 1);
    renameSync(`${remote}.away`, remote);
    execFileSync("git", ["-C", remote, "config", "receive.maxInputSize", "1"]);
    assert.match((await ana.sync()).problem ?? "", /maximum allowed size|remote/);
    assert.match(read(ana, NOTE), /Changed/);
    execFileSync("git", ["-C", remote, "config", "--unset", "receive.maxInputSize"]);
    await settle(ana, ben);
    assert.match(read(ben, NOTE), /Changed/);
  },
);

test("a branch that was removed, or begun anew, takes no note away", {
  skip: noGit || eachNight,
}, async (t) => {
  const { remote, ana, ben } = await twoMachines(t, { [NOTE]: LINES });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", remote, ...args], { encoding: "utf8" }).trim();
  git("update-ref", "-d", "refs/heads/vibe-notes");
  await settle(ben, ana);
  assert.ok(existsSync(join(ana.root, NOTE)));
  const tip = git("rev-parse", "refs/heads/vibe-notes");
  const marker = git("rev-parse", `${tip}:.vibe-sync`);
  const tree = execFileSync("git", ["-C", remote, "mktree"], {
    input: `100644 blob ${marker}\t.vibe-sync\n`,
    encoding: "utf8",
  });
  const who = ["-c", "user.name=x", "-c", "user.email=x@x.example"];
  git("update-ref", "refs/heads/vibe-notes", git(...who, "commit-tree", "-m", "anew", tree.trim()));
  replace(ana, NOTE, "First", "Changed");
  await settle(ana, ben);
  assert.match(read(ben, NOTE), /Changed/);
});

test("a branch of something else is refused, and so is an empty workspace", options, async (t) => {
  const remote = bareRemote(t);
  const clone = temporaryFolder(t);
  const git = (...args: string[]) => execFileSync("git", ["-C", clone, ...args]);
  git("init", "-q", "-b", "vibe-notes");
  writeFiles(clone, { "main.c": "int main;\n" });
  git("add", ".");
  git("-c", "user.name=x", "-c", "user.email=x@x.example", "commit", "-qm", "code");
  git("push", "-q", remote, "vibe-notes");
  const refused = await startMachine(t, { name: "ana", remote });
  assert.match(refused.first.problem ?? "", /something else.*--branch/);
  assert.ok(!existsSync(refused.folder), "nothing is remembered");

  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES });
  rmSync(join(ana.root, "p"), { recursive: true });
  assert.match((await ana.sync()).problem ?? "", /no note is left/);
  await ben.sync();
  assert.ok(existsSync(join(ben.root, NOTE)));
});

test("no other user can read git's copy of the notes, nor what is remembered of them, also where an earlier version left them open", {
  skip: noGit || process.platform === "win32",
}, async (t) => {
  const before = process.umask(0o002);
  t.after(() => process.umask(before));
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES });
  const open = ({ state }: Machine) =>
    [
      state,
      ...readdirSync(state, { recursive: true, encoding: "utf8" }).map((name) => join(state, name)),
    ].filter((file) => (lstatSync(file).mode & 0o077) !== 0);
  replace(ben, NOTE, "First", "Changed");
  await settle(ben, ana);
  assert.deepEqual([...open(ana), ...open(ben)], []);
  for (const name of readdirSync(ana.folder, { recursive: true, encoding: "utf8" }))
    chmodSync(join(ana.folder, name), 0o775);
  chmodSync(ana.folder, 0o775);
  await ana.sync();
  assert.deepEqual(open(ana), []);
});

test("an address is one that git takes, of a kind that is used", () => {
  const rows: [string, string][] = [
    ["https://example.com/ana/notes.git", "https://example.com/ana/notes.git"],
    ["git@example.com:ana/notes.git", "git@example.com:ana/notes.git"],
    ["ssh://git@example.com:2222/notes", "ssh://git@example.com:2222/notes"],
    ["../notes.git", "/home/notes.git"],
    ["file:///srv/notes.git", "/srv/notes.git"],
    ["/srv/notes.git", "/srv/notes.git"],
  ];
  for (const [typed, address] of rows) assert.equal(remoteAddress(typed, "/home/ana"), address);
  const refused = ["http://example.com/n.git", "ext::sh -c x", "git://example.com/n", "--upload-pack=x", ""];
  for (const typed of [
    ...refused,
    "https://ana:secret@example.com/n.git",
    "-oProxyCommand=x:y",
    "ssh://-oProxyCommand=x/y",
  ])
    assert.throws(() => remoteAddress(typed, "/home/ana"), { code: "INVALID_ARGUMENT" }, typed);
});
