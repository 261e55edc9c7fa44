import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { type Git, git } from "../../src/core/git/ask-git.ts";
import { indexOf } from "../../src/core/stale/code.ts";
import { type PastCode, readFiles, readHead, readPast } from "../../src/core/stale/read-code.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const ask: Git = (folder, args, input) => git({ env: process.env, ms: 60_000 }, folder, args, input);
const run = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 2 ** 26 });

const COMMITS = numRuns(40_000);

/** A history by lot, as git takes it: files come, go, return and are renamed, in folders and on a branch that is merged. */
function* history(): Generator<string> {
  let [seed, live, next] = [7, [] as string[], 0];
  const lot = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(seed / 65_536) % most;
  };
  for (let at = 0; at < COMMITS; at++) {
    yield `commit refs/heads/main\ncommitter a <a@b.c> ${1_600_000_000 + at * 3_600} +0000\ndata 1\nx\n`;
    const pick = live[lot(live.length || 1)];
    const act = lot(4);
    if (pick === undefined || act < 2) {
      const name = `d${lot(9)}/f${act === 0 ? lot(400) : next++}.ts`;
      const said = `${name} ${at}\n`.repeat(9);
      yield `M 644 inline ${name}\ndata ${said.length}\n${said}\n`;
      live = [...live.filter((one) => one !== name), name];
    } else if (act === 2) {
      yield `D ${pick}\n`;
      live = live.filter((one) => one !== pick);
    } else {
      const to = `e${lot(9)}/f${next++}.ts`;
      yield `R ${pick} ${to}\n`;
      live = [...live.filter((one) => one !== pick), to];
    }
  }
}

test(`of ${COMMITS} commits, git is read once, gone on with, and agreed with`, async (t) => {
  const folder = temporaryFolder(t);
  run(folder, "init", "-qb", "main");
  execFileSync("git", ["-C", folder, "fast-import", "--quiet"], { input: [...history()].join("") });
  const readAt = async (commit: string, before?: PastCode) => {
    run(folder, "update-ref", "HEAD", commit);
    const now = await readHead(ask, folder);
    assert.ok(now);
    const past = await readPast(ask, folder, now.head, before);
    assert.ok(past);
    return past;
  };
  const head = run(folder, "rev-parse", "main").trim();
  const whole = await readAt(head);
  const early = await readAt(run(folder, "rev-parse", `${head}~${COMMITS * 0.4}`).trim());
  const later = await readAt(head, early);
  const code = await readFiles(ask, folder, whole);
  assert.ok(code);
  assert.deepEqual(await readFiles(ask, folder, later), code, "what is gone on with is what is read at once");

  const files = new Set(run(folder, "ls-tree", "-r", "--name-only", head).trim().split("\n"));
  // Newest first, without renames: when each path went last.
  const log = run(
    folder,
    "log",
    "--no-renames",
    "--name-status",
    "--diff-filter=D",
    "--format=%h %cs",
    "--abbrev=9",
  );
  const went = new Map<string, string>();
  let at = "";
  for (const line of log.split("\n")) {
    const [, path] = /^D\t(.+)$/.exec(line) ?? [];
    if (path === undefined) at = line || at;
    else if (!files.has(path) && !went.has(path)) went.set(path, at);
  }
  const index = indexOf(code);
  const said = [...went.keys()].map((path) => index.fate(path));
  const isRight = said.map((fate) => `${fate?.commit.slice(0, 9)} ${fate?.day}`);
  assert.deepEqual(isRight, [...went.values()]);
  assert.equal(code.left.length, went.size);
  const moves = said.filter((fate) => fate?.to !== undefined);
  assert.ok(moves.length > COMMITS / 40, `${moves.length}`);
  assert.ok(moves.every((fate) => files.has(fate?.to ?? "")));
});
