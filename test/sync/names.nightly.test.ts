import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  FILE,
  FOLDER,
  type HostileRemote,
  hostileRemote,
  nested,
  type RawEntry,
  syncedWithHostile,
} from "../fixtures/hostile-remote.ts";
import { filesOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const options = { skip: noGit };
const LINK = "120000";
const BYTES = Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x64]);

/** What others put beside `a.md` of a project, and what is refused of it. */
const NAMES: Record<string, [make: (remote: HostileRemote, id: string) => RawEntry[], refused: string[]]> = {
  "bytes that are no text": [(_, id) => [[FILE, BYTES, id]], ["p/f\uFFFD.md"]],
  "a folder of such a name": [
    ({ rawTree }, id) => [[FOLDER, BYTES, rawTree([[FILE, "x.md", id]])]],
    ["p/f\uFFFD.md/x.md"],
  ],
  "the sign for such bytes": [(_, id) => [[FILE, "f\uFFFD.md", id]], ["p/f\uFFFD.md"]],
  "half a surrogate pair": [
    (_, id) => [[FILE, Buffer.from([0xed, 0xa0, 0x80]), id]],
    ["p/\uFFFD\uFFFD\uFFFD"],
  ],
  "a link": [(_, id) => [[LINK, "link.md", id]], ["p/link.md"]],
  "a repository": [() => [["160000", "sub", "1".repeat(40)]], ["p/sub"]],
  "names that differ in letter case": [
    (_, id) => [
      [FILE, "TWIN.md", id],
      [FILE, "twin.md", id],
    ],
    ["p/twin.md"],
  ],
  "names that differ in composition": [
    (_, id) => [
      [FILE, "e\u0301.md", id],
      [FILE, "\u00e9.md", id],
    ],
    ["p/\u00e9.md"],
  ],
  "folders that differ in letter case": [
    ({ rawTree }, id) =>
      ["Dir", "dir"].map((name): RawEntry => [FOLDER, name, rawTree([[FILE, `${name}.md`, id]])]),
    ["p/dir/dir.md"],
  ],
  "a name of git": [
    ({ rawTree }, id) => [[FOLDER, ".git", rawTree([[FILE, "config", id]])]],
    ["p/.git/config"],
  ],
  "a device": [
    (_, id) => [
      [FILE, "con.md", id],
      [FILE, "tail.", id],
    ],
    ["p/con.md", "p/tail."],
  ],
  "a path that climbs": [(_, id) => [[FILE, "../../up.md", id]], ["p/../../up.md"]],
  "too many folders": [
    (r, id) => [[FOLDER, "deep", nested(r, r.rawTree([[FILE, "x.md", id]]), [1, 80])]],
    [`p/deep${"/d0000".repeat(64)}`],
  ],
};

/** Each case in a project of its own: one machine syncs them all. */
const projectsOf = <T>(cases: Record<string, T>) =>
  Object.values(cases).map((one, at) => [`p${at}`, one] as const);
const notesIn = (projects: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(projects.map(([project]) => [`${project}/a.md`, "# A\n"]));

test(
  "names on the remote that no disk takes: left alone there, named, and no round without a change pushes",
  options,
  async (t) => {
    const projects = projectsOf(NAMES);
    const { ana, ...remote } = await syncedWithHostile(t, notesIn(projects));
    const id = remote.blob("# Theirs\n");
    for (const [project, [make]] of projects)
      remote.change(project, (entries) => [...entries, ...make(remote, id)]);
    const expected = projects.flatMap(([project, [, refused]]) =>
      refused.map((path) => path.replace("p/", `${project}/`)),
    );
    const pushed = remote.tip();
    for (let round = 0; round < 3; round++) {
      const report = await ana.sync();
      assert.deepEqual([report.problem, report.sent], [undefined, []]);
      assert.deepEqual(report.refused.map(({ path }) => path).sort(), expected.sort());
      assert.equal(remote.tip(), pushed);
    }
    const changed = projects.map(([project]) => `${project}/a.md`).sort();
    writeFiles(ana.root, Object.fromEntries(changed.map((path) => [path, "# A\n\nChanged.\n"])));
    assert.deepEqual((await ana.sync()).sent.toSorted(), changed);
    const left = (tree: string) =>
      remote
        .git(["ls-tree", "-r", "-z", tree])
        .split("\0")
        .filter((line) => !line.endsWith("/a.md"));
    assert.deepEqual(left("vibe-notes"), left(pushed), "a change of another note leaves them there");
  },
);

/** What is twice in the folder of one project, which git itself never writes. */
const TWICE: Record<string, (remote: HostileRemote, id: string) => RawEntry[]> = {
  "a file and a folder": ({ rawTree }, id) => [
    [FILE, "dup", id],
    [FOLDER, "dup", rawTree([[FILE, "x.md", id]])],
  ],
  "two files": ({ blob }, id) => [
    [FILE, "dup", id],
    [FILE, "dup", blob("second")],
  ],
  "two folders": ({ rawTree }, id) =>
    ["x.md", "y.md"].map((name): RawEntry => [FOLDER, "dup", rawTree([[FILE, name, id]])]),
};

for (const [name, make] of someOf(Object.entries(TWICE)))
  test(`${name} of one name on the remote: nothing is taken over`, options, async (t) => {
    const { ana, ...remote } = await syncedWithHostile(t);
    const id = remote.blob("# Theirs\n");
    remote.change("p", (entries) => [...entries, [FILE, "b.md", id], ...make(remote, id)]);
    const pushed = remote.tip();
    const { problem = "" } = await ana.sync();
    assert.match(problem, /^the remote's branch is damaged: 'p\/dup' is there twice/);
    assert.deepEqual([filesOf(ana.root), remote.tip()], [["p/a.md"], pushed]);
  });

/** A file here, and what others have meanwhile in its way. */
const PLACES: Record<string, [own: string, theirs: (remote: HostileRemote, id: string) => RawEntry]> = {
  "a folder": ["p/x", ({ rawTree }, id) => [FOLDER, "x", rawTree([[FILE, "inner.md", id]])]],
  "a file for a folder": ["p/x/inner.md", (_, id) => [FILE, "x", id]],
  "a link": ["p/x", (_, id) => [LINK, "x", id]],
};

for (const [name, [path, make]] of Object.entries(PLACES))
  test(
    `others have ${name} where a file of ours is: a round goes on once it is renamed`,
    options,
    async (t) => {
      const { ana, ...remote } = await syncedWithHostile(t);
      const entry = make(remote, remote.blob("# Theirs\n"));
      remote.change("p", (entries) => [...entries, entry]);
      const pushed = remote.tip();
      writeFiles(ana.root, { [path]: "ours\n" });
      const { problem = "" } = await ana.sync();
      assert.match(problem, /^'p\/x' is a file on one side, and a folder or a link on the other/);
      assert.deepEqual([filesOf(ana.root), remote.tip()], [["p/a.md", path], pushed]);
      renameSync(join(ana.root, "p/x"), join(ana.root, "p/own"));
      const { sent } = await ana.sync();
      assert.deepEqual(sent, [path.replace("p/x", "p/own")]);
      assert.equal(readFileSync(join(ana.root, String(sent[0])), "utf8"), "ours\n");
    },
  );

async function twoMachines(t: TestContext, [ours, theirs]: [Record<string, string>, Record<string, string>]) {
  const { remote, tip } = hostileRemote(t);
  const ana = await startMachine(t, { name: "ana", remote, files: ours });
  const ben = await startMachine(t, { name: "ben", remote, files: theirs });
  return { ana, ben, tip };
}

/** The commits of the remote after each of some rounds of both. */
async function rounds(tip: () => string, ...machines: Machine[]): Promise<string[]> {
  const tips: string[] = [];
  for (const machine of [...machines, ...machines, ...machines]) {
    assert.equal((await machine.sync()).problem, undefined);
    tips.push(tip());
  }
  return tips;
}

for (const [from, to] of someOf([
  ["p/Dir", "p/dir"],
  ["p/Dir/A.md", "p/Dir/a.md"],
  ["p/Dir", "p/Di\u0301r"],
]))
  test(`${from} becomes ${to} on all machines, by one commit`, options, async (t) => {
    const { ana, ben, tip } = await twoMachines(t, [{ "p/Dir/A.md": "# A\n", "p/b.md": "# B\n" }, {}]);
    renameSync(join(ana.root, String(from)), join(ana.root, String(to)));
    assert.equal(new Set(await rounds(tip, ana, ben)).size, 1);
    assert.deepEqual(filesOf(ben.root), filesOf(ana.root));
  });

test(
  "folders of two machines whose names differ in letter case alone: each keeps its own",
  options,
  async (t) => {
    const { ana, ben, tip } = await twoMachines(t, [{ "p/Dir/a.md": "# A\n" }, { "p/dir/b.md": "# B\n" }]);
    assert.equal(new Set(await rounds(tip, ana, ben)).size, 1);
    assert.deepEqual([filesOf(ana.root), filesOf(ben.root)], [["p/Dir/a.md"], ["p/dir/b.md"]]);
    const { refused } = await ana.sync();
    assert.deepEqual(refused, [
      { path: "p/dir/b.md", reason: "some disks cannot tell its name from 'p/Dir'" },
    ]);
  },
);
