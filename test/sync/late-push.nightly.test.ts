import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { syncOnce } from "../../src/together/sync/round.ts";
import { builtFile, KILL } from "../fixtures/built.ts";
import { bareRepository, imageOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const GIT = noGit ? "" : execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
const STATUS = "p/status.md";

async function until(isThere: () => boolean) {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A folder with a git that runs these lines of a shell before a push, and those after it. */
function slowGit(t: TestContext, before: string, after = "") {
  const folder = temporaryFolder(t);
  const lines = before.replaceAll("$HERE", folder);
  const script = `#!/bin/sh
case " $* " in *" push "*) ${lines};; *) exec ${GIT} "$@";; esac
${GIT} "$@"
status=$?
${after.replaceAll("$HERE", folder)}
exit $status
`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  return { folder, path: `${folder}:${process.env["PATH"]}` };
}

/** A round of another process, which is killed while its push waits; the result lets the push go on, and waits for its end. */
async function killedRound(t: TestContext, { root, env }: Machine) {
  const wait = "touch $HERE/held; while [ -d $HERE ] && [ ! -e $HERE/go ]; do sleep 0.05; done";
  const { folder, path } = slowGit(t, wait, "touch $HERE/ended");
  const args = [builtFile(t), "sync", "--root", root];
  const child = spawn(process.execPath, args, { env: { ...env, PATH: path }, stdio: "ignore" });
  await until(() => existsSync(join(folder, "held")));
  child.kill(KILL);
  await once(child, "close");
  const go = async () => {
    writeFileSync(join(folder, "go"), "");
    await until(() => existsSync(join(folder, "ended")));
  };
  return { folder, go };
}

/** A round during whose push these killed ones end theirs first. */
function roundAfter(t: TestContext, machine: Machine, folders: readonly string[]) {
  const steps = folders.map(
    (folder) => `touch ${folder}/go; while [ ! -e ${folder}/ended ]; do sleep 0.05; done`,
  );
  const { path } = slowGit(t, steps.join("; ") || ":");
  const { workspace, folder, env } = machine;
  return syncOnce({ workspace, folder, env: { ...env, PATH: path } });
}

const options = { skip: noGit || process.platform === "win32" };

for (const order of someOf([[0], [0, 1], [1, 0]]))
  test(
    `a push of a killed round that arrives during the next one contradicts nothing: ${order}`,
    options,
    async (t) => {
      const remote = bareRepository(t);
      const ana = await startMachine(t, { name: "ana", remote, files: { [STATUS]: "# P\n\nVersion 0\n" } });
      const ben = await startMachine(t, { name: "ben", remote, files: {} });
      const write = (text: string) => writeFiles(ana.root, { [STATUS]: `# P\n\n${text}\n` });
      const killed: Awaited<ReturnType<typeof killedRound>>[] = [];
      for (const at of order.toSorted()) {
        write(`Version ${at + 1}`);
        killed.push(await killedRound(t, ana));
      }
      write("The newest");
      const { problem, kept, sent } = await roundAfter(
        t,
        ana,
        order.map((at) => killed[at]?.folder ?? ""),
      );
      assert.deepEqual([problem, kept, sent], [undefined, [], [STATUS]]);
      assert.equal(readFileSync(join(ana.root, STATUS), "utf8"), "# P\n\nThe newest\n");
      await ben.sync();
      assert.deepEqual(imageOf(ben.root), imageOf(ana.root));
      const refs = execFileSync("git", ["-C", join(ana.folder, "notes.git"), "for-each-ref", "refs/vibe"], {
        encoding: "utf8",
      });
      assert.doesNotMatch(refs, /push|here/, "none is remembered longer than it can arrive");
    },
  );

test(
  "a push of a killed round that arrives between two rounds is taken for what it is",
  options,
  async (t) => {
    const remote = bareRepository(t);
    const ana = await startMachine(t, {
      name: "ana",
      remote,
      files: { [STATUS]: "# P\n\nOne.\n\nTwo.\n\nThree.\n" },
    });
    const ben = await startMachine(t, { name: "ben", remote, files: {} });
    writeFiles(ana.root, { [STATUS]: "# P\n\nOne by Ana.\n\nTwo.\n\nThree.\n" });
    const { go } = await killedRound(t, ana);
    // A round that sends nothing: the text is again as the remote has it.
    writeFiles(ana.root, { [STATUS]: "# P\n\nOne.\n\nTwo.\n\nThree.\n" });
    assert.deepEqual((await ana.sync()).sent, []);
    await go();
    await ben.sync();
    writeFiles(ben.root, {
      [STATUS]: readFileSync(join(ben.root, STATUS), "utf8").replace("Three", "Three by Ben"),
    });
    await ben.sync();
    writeFiles(ana.root, { [STATUS]: "# P\n\nOne, once more.\n\nTwo.\n\nThree.\n" });
    const { problem, kept } = await ana.sync();
    assert.deepEqual([problem, kept], [undefined, []]);
    assert.equal(
      readFileSync(join(ana.root, STATUS), "utf8"),
      "# P\n\nOne, once more.\n\nTwo.\n\nThree by Ben.\n",
    );
  },
);

test("what the remote refuses for good is not remembered as a push that may arrive", options, async (t) => {
  const remote = bareRepository(t);
  const ana = await startMachine(t, { name: "ana", remote, files: { [STATUS]: "# P\n" } });
  mkdirSync(join(remote, "refs/heads/vibe-notes.lock"), { recursive: true });
  writeFiles(ana.root, { [STATUS]: "# P\n\nNew.\n" });
  assert.ok((await ana.sync()).problem);
  const refs = execFileSync("git", ["-C", join(ana.folder, "notes.git"), "for-each-ref", "refs/vibe"], {
    encoding: "utf8",
  });
  assert.doesNotMatch(refs, /push|here/);
});
