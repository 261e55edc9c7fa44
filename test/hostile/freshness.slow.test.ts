import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scanWorkspace } from "../../src/core/storage/walk.ts";
import { unwatchable } from "../../src/core/watch/inotify.ts";
import { listWorkspace } from "../../src/core/workspace/projects.ts";
import { numRuns, SEED, someOf } from "../fixtures/num-runs.ts";
import { open, temporaryFolder } from "../fixtures/workspace.ts";
import { DEEDS, type Expected, populate } from "./outside.ts";
import { randomFrom, report } from "./runs.ts";
import { type Served, serve } from "./server.ts";

const skip = process.platform === "win32" && "open files and letter case are those of Unix";
const RUNS = numRuns(78);
/** The table is made with a workspace of a real size. */
const DOCUMENTS = RUNS < 500 ? 300 : 10_000;
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
}
