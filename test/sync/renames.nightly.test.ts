import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { bareRepository, filesOf, imageOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const NOTE = "p/references/flow.md";
const LINES = "# Flow\n\nFirst.\n\nSecond.\n\nThird.\n";
const options = { skip: noGit };

async function twoMachines(t: TestContext, files: Record<string, string> = {}) {
  const remote = bareRepository(t);
  const ana = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n", ...files } });
  const ben = await startMachine(t, { name: "ben", remote, files: {} });
  return { remote, ana, ben };
}

const read = ({ root }: Machine, path: string) => readFileSync(join(root, path), "utf8");
const write = ({ root }: Machine, path: string, text: string) => writeFiles(root, { [path]: text });
const replace = (machine: Machine, path: string, from: string, to: string) =>
  write(machine, path, read(machine, path).replace(from, to));
const create = (machine: Machine, title: string) =>
  machine.call("create_task", { project: "p", title, objective: `${title} is done.`, steps: ["one", "two"] });
const numbersOf = (machine: Machine) =>
  filesOf(machine.root).flatMap((path) => /tasks\/(\d+)-/.exec(path)?.[1] ?? []);

/** Both, until nothing is left to do; fails if a round does, or if something is left. */
async function settle(...machines: Machine[]) {
  for (const machine of [...machines, ...machines]) assert.equal((await machine.sync()).problem, undefined);
  const [first, ...others] = machines.map(({ root }) => imageOf(root));
  for (const other of others) assert.deepEqual(other, first);
  for (const machine of machines) {
    const { sent, received } = await machine.sync();
    assert.deepEqual([sent, received], [[], []]);
  }
}

for (const isFirst of [true, false])
  test(
    `a note that a tool moved and changed is one with the other's changes, sent ${isFirst ? "first" : "second"}`,
    options,
    async (t) => {
      const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, "p/plans/order.md": "See [[flow]].\n" });
      await ana.call("move_doc", { path: NOTE, to_filename: "sign-in.md" });
      write(
        ana,
        "p/references/sign-in.md",
        "# Sign in\n\nSecond.\n\nAll else is new, and there is more of it.\n",
      );
      replace(ben, NOTE, "Third.", "");
      write(ben, "p/plans/more.md", "See [[flow]] and [it](../references/flow.md).\n");
      await (isFirst ? settle(ana, ben) : settle(ben, ana));
      const notes = filesOf(ana.root).filter((path) => path.includes("references"));
      if (!isFirst) {
        assert.deepEqual(notes, ["p/references/sign-in.md"]);
        assert.equal(read(ana, "p/plans/more.md"), "See [[sign-in]] and [it](../references/sign-in.md).\n");
      }
      assert.equal(read(ana, "p/plans/order.md"), "See [[sign-in]].\n");
    },
  );

test(
  "a note that both renamed has the first name, and its links ask nobody to decide",
  options,
  async (t) => {
    const text = `${LINES}\n[here](flow.md#x), [[flow]]\n`;
    const { ana, ben } = await twoMachines(t, { [NOTE]: text, "p/plans/order.md": "See [[flow]].\n" });
    await ana.call("move_doc", { path: NOTE, to_filename: "login.md" });
    await ben.call("move_doc", { path: NOTE, to_filename: "sign-in.md" });
    replace(ben, "p/references/sign-in.md", "First.", "First, by Ben.");
    await ana.sync();
    const { kept, renumbered } = await ben.sync();
    assert.deepEqual(kept, []);
    assert.deepEqual(renumbered, [{ from: "p/references/sign-in.md", to: "p/references/login.md" }]);
    await settle(ana, ben);
    assert.equal(
      read(ana, "p/references/login.md"),
      text.replaceAll("flow", "login").replace("First.", "First, by Ben."),
    );
    assert.equal(read(ana, "p/plans/order.md"), "See [[login]].\n");
  },
);

test("a task retitled here and ticked there is one task with both, under its number", options, async (t) => {
  for (const isFirst of [true, false]) {
    const { ana, ben } = await twoMachines(t);
    await create(ana, "Rotate keys");
    await settle(ana, ben);
    await ana.call("update_task", { project: "p", task: "1", title: "Rotate all signing keys" });
    await ben.call("update_task", { project: "p", task: "1", done_steps: [1] });
    write(ben, "p/plans/order.md", "First [[001-rotate-keys]].\n");
    await (isFirst ? settle(ana, ben) : settle(ben, ana));
    const path = "p/tasks/001-rotate-all-signing-keys.md";
    assert.deepEqual(filesOf(ben.root), ["p/plans/order.md", "p/status.md", path]);
    assert.match(read(ben, path), /# Task: Rotate all signing keys[\s\S]*\[x\] one/);
    assert.equal(read(ana, "p/plans/order.md"), "First [[001-rotate-all-signing-keys]].\n");
  }
});

test("a number that stands twice on the remote is settled once, and stays so", options, async (t) => {
  const { remote, ana, ben } = await twoMachines(t, { "p/tasks/001-a.md": "# A\n" });
  const clone = temporaryFolder(t);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", clone, "-c", "user.name=x", "-c", "user.email=x@x.example", ...args]);
  git("clone", "-q", "-b", "vibe-notes", remote, ".");
  writeFiles(clone, { "p/tasks/001-b.md": "# B\n", "p/plans/order.md": "See [[001-b]].\n" });
  git("add", ".");
  git("commit", "-qm", "By hand");
  git("push", "-q");
  await Promise.all([ana.sync(), ben.sync()]);
  await settle(ana, ben);
  assert.deepEqual(numbersOf(ana), ["001", "002"]);
  assert.equal(read(ana, "p/plans/order.md"), "See [[002-b]].\n");
});

test("a move to a name that others used meanwhile is taken back, with its links", options, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, "p/plans/order.md": "See [[flow]].\n" });
  write(ana, "p/references/sign-in.md", "# Sign in\n\nOf Ana.\n");
  await ana.sync();
  await ben.call("move_doc", { path: NOTE, to_filename: "sign-in.md" });
  assert.equal(read(ben, "p/plans/order.md"), "See [[sign-in]].\n");
  await settle(ben, ana);
  assert.match(read(ana, "p/references/sign-in.md"), /Of Ana/);
  assert.equal(read(ana, NOTE), LINES);
  assert.equal(read(ana, "p/plans/order.md"), "See [[flow]].\n");
});

test("a contradiction is told though a link of the note follows in the same round", options, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, "p/plans/order.md": "# Order\n\nFirst.\n" });
  await ben.call("move_doc", { path: NOTE, to_filename: "sign-in.md" });
  replace(ana, "p/plans/order.md", "First.", "By Ana, see [[flow]].");
  await ana.sync();
  replace(ben, "p/plans/order.md", "First.", "By Ben.");
  const { kept } = await ben.sync();
  assert.equal(read(ben, "p/plans/order.md"), "# Order\n\nBy Ana, see [[sign-in]].\n");
  assert.deepEqual(
    kept.map(({ path }) => path),
    ["p/plans/order.md"],
  );
  assert.deepEqual((await ben.sync()).kept, kept);
});

test("a renamed project takes changes, new notes and their links along", options, async (t) => {
  const { ana, ben } = await twoMachines(t, { [NOTE]: LINES, "r/status.md": "# R\n" });
  renameSync(join(ana.root, "p"), join(ana.root, "q"));
  await ana.sync();
  replace(ben, NOTE, "Third.", "Third, by Ben.");
  write(ben, "p/plans/order.md", "See [it](../references/flow.md).\n");
  write(ben, "r/status.md", "# R\n\n[order](../p/plans/order.md), [flow](../p/references/flow.md)\n");
  await settle(ben, ana);
  const notes = ["q/plans/order.md", "q/references/flow.md", "q/status.md", "r/status.md"];
  assert.deepEqual(filesOf(ana.root), notes);
  assert.match(read(ana, "q/references/flow.md"), /by Ben/);
  assert.equal(
    read(ana, "r/status.md"),
    "# R\n\n[order](../q/plans/order.md), [flow](../q/references/flow.md)\n",
  );
});

test(
  "after the remote's history was replaced, a session note that one side edited stands once",
  options,
  async (t) => {
    const { remote, ana, ben } = await twoMachines(t);
    await ana.call("log_session", { project: "p", content: "Did this." });
    const path = filesOf(ana.root).find((one) => one.includes("sessions")) ?? "";
    await settle(ana, ben);
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", remote, "-c", "user.name=x", "-c", "user.email=x@x.example", ...args], {
        encoding: "utf8",
      }).trim();
    git("update-ref", "refs/heads/vibe-notes", git("commit-tree", "-m", "anew", "vibe-notes^{tree}"));
    replace(ana, path, "Did this.", "Did that.");
    await settle(ana, ben);
    assert.equal(read(ben, path).split("Did ").length, 2, read(ben, path));
    assert.match(read(ben, path), /Did that/);

    const older = git("rev-parse", "vibe-notes^{tree}");
    replace(ben, path, "Did that.", "Did all.");
    await settle(ben, ana);
    git("update-ref", "refs/heads/vibe-notes", git("commit-tree", "-m", "from a backup", older));
    await settle(ana, ben);
    assert.match(read(ben, path), /Did all/, "a remote that went back takes nothing back");
  },
);
