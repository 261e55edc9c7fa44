import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scanWorkspace } from "../../src/core/storage/walk.ts";
import { unwatchable } from "../../src/core/watch/inotify.ts";
import { listWorkspace } from "../../src/core/workspace/projects.ts";
import { numRuns, SEED, someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace, open, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { DEEDS, type Expected, populate } from "./outside.ts";
import { randomFrom, report } from "./runs.ts";
import { type Served, serve } from "./server.ts";

const skip = process.platform === "win32" && "open files and letter case are those of Unix";
const RUNS = numRuns(78);
/** The table is made with a workspace of a real size. */
const [DOCUMENTS, CHECKED_OUT] = RUNS < 500 ? [300, 80] : [10_000, 5000];
const ways = unwatchable(tmpdir()) === undefined ? ["auto", "off"] : ["off"];

interface Found {
  total_matches: number;
  results: { path: string }[];
}

/** A server that is already watching, if it should watch. */
async function served(t: TestContext, root: string, watch: string): Promise<Served> {
  const server = await serve(t, root, { env: { VIBE_WATCH: watch } });
  await search(server, "note");
  while (watch === "auto" && !server.logged().some((line) => line.includes(" watching "))) await sleep(20);
  return server;
}

function search(server: Served, word: string): Promise<Found> {
  return server.call<Found>("search", { query: `"${word}"`, limit: 5 });
}

async function check(server: Served, expected: Expected, deed: string): Promise<void> {
  for (const [word, paths] of Object.entries(expected)) {
    const { results } = await search(server, word);
    assert.deepEqual(results.map(({ path }) => path).sort(), paths.sort(), `${deed}: ${word}`);
  }
}

type Git = (...args: string[]) => void;

/** A repository with two branches: half of the files differ, the others lie in folders of their own. */
function makeRepository(t: TestContext, repository: string): Git {
  const settings = ["user.name=t", "user.email=t@example.com", "gc.auto=0"].flatMap((one) => ["-c", one]);
  const env = { ...process.env, HOME: temporaryFolder(t) };
  const git: Git = (...args) =>
    execFileSync("git", [...settings, ...args], { cwd: repository, stdio: "ignore", env });
  mkdirSync(repository);
  git("init", "-b", "first");
  fill(repository, "first");
  git("add", "-A");
  git("commit", "-m", "first");
  git("checkout", "-b", "second");
  for (let n = 1; n < 40; n += 2) rmSync(join(repository, `first${n}`), { recursive: true });
  fill(repository, "second");
  git("add", "-A");
  git("commit", "-m", "second");
  return git;
}

function fill(repository: string, branch: string): void {
  for (let n = 0; n < CHECKED_OUT; n++) {
    const folder = `${n % 2 === 0 ? "both" : branch}${n % 40}`;
    writeFiles(repository, { [`${folder}/${n}.md`]: `note ${branch}branch ${n}\n` });
  }
}

// By day one of them, tomorrow the other.
for (const watch of someOf(ways)) {
  const how = watch === "auto" ? "reported by the system" : "found by walking";

  test(`the next call sees changes by others, ${how}`, { skip }, async (t) => {
    const root = temporaryFolder(t);
    const outside = populate(root, DOCUMENTS, randomFrom(SEED));
    const server = await served(t, root, watch);
    for (let run = 0; run < RUNS; run++) {
      const [deed, make] = Object.entries(DEEDS)[(run + SEED) % Object.keys(DEEDS).length] ?? assert.fail();
      await check(server, make(outside), `${run}, ${deed}`);
    }
    const { total_matches } = await search(server, "note");
    assert.equal(total_matches, outside.words.size);
    const lost = server.logged().filter((line) => line.includes("not watching"));
    assert.deepEqual(lost, []);
    const kinds = Object.keys(DEEDS).length;
    report(
      t,
      `${kinds} kinds of changes by others to ${DOCUMENTS} documents, ${how}`,
      RUNS,
      "all known to the next call",
    );
  });

  test(`the next call sees that another root replaced the root, ${how}`, { skip }, async (t) => {
    const base = temporaryFolder(t);
    const [root, other] = [join(base, "root"), join(base, "other")];
    writeFiles(base, {
      "root/p/a.md": "note one",
      "other/p/a.md": "another note two",
      "other/q/b.md": "note two",
    });
    const server = await served(t, root, watch);
    for (let run = 0; run < 6; run++) {
      renameSync(root, join(base, "away"));
      renameSync(other, root);
      renameSync(join(base, "away"), other);
      const [here, gone] = run % 2 === 0 ? ["two", "one"] : ["one", "two"];
      assert.equal((await search(server, here)).total_matches, run % 2 === 0 ? 2 : 1);
      assert.equal((await search(server, gone)).total_matches, 0);
    }
    report(t, `another root instead of the root, ${how}`, 6, "known to the next call");
  });

  test(`after calls during a storm of changes the index matches the files, ${how}`, {
    skip,
  }, async (t) => {
    const root = temporaryFolder(t);
    const { workspace } = open(t, root, { watch: watch === "auto" });
    const script = fileURLToPath(new URL("./churn.ts", import.meta.url));
    const args = ["--import", "tsx", script, root, "200", `${RUNS * 20}`];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const ended = once(child, "exit");
    while (child.exitCode === null) {
      await listWorkspace(workspace);
      await turn();
    }
    assert.deepEqual((await ended)[0], 0);
    const { documents } = await listWorkspace(workspace);
    const { files } = scanWorkspace(root);
    assert.deepEqual(documents.map(({ path }) => path).sort(), files.map(({ path }) => path).sort());
    for (const { path, file } of files) {
      const word = readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "";
      const { results } = await workspace.search({ query: `"${word}"`, filter: {}, limit: 5 });
      assert.deepEqual(
        results.map((one) => one.path),
        [path],
        word,
      );
    }
    report(t, `calls amid a storm of changes by others, ${how}`, RUNS * 20, "the index matches the files");
  });

  test(`the next call sees a checked-out branch, ${how}`, { skip }, async (t) => {
    const root = makeWorkspace(t, { "other/a.md": "note" });
    const git = makeRepository(t, join(root, "repository"));
    const server = await served(t, root, watch);
    for (const branch of ["first", "second", "first"]) {
      git("checkout", branch);
      assert.equal((await search(server, `${branch}branch`)).total_matches, CHECKED_OUT);
      const other = branch === "first" ? "second" : "first";
      assert.equal((await search(server, `${other}branch`)).total_matches, 0);
    }
    report(t, `a checkout of ${CHECKED_OUT} files, ${how}`, 3, "known to the next call");
  });
}
