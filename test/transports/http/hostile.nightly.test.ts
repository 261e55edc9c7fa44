import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeCorpus } from "../../../scripts/bench/corpus.ts";
import { builtFile } from "../../fixtures/built.ts";
import { ATTACKS } from "../../fixtures/load/hostile.ts";
import { attack, startServer, stop, wave } from "../../fixtures/load/run.ts";
import { temporaryFolder } from "../../fixtures/workspace.ts";

const posix = { skip: process.platform === "win32" ? "signals do not exist there" : false };

test("a good client is answered under load and during attacks", posix, async (t) => {
  const root = temporaryFolder(t);
  writeCorpus(root, { documents: 20, seed: 1 });
  mkdirSync(join(root, "load"));
  writeFileSync(join(root, "load", "status.md"), "# Load\n");
  const running = await startServer(builtFile(t), root);
  t.after(() => running.child.kill("SIGKILL"));
  assert.equal(await wave(running, { sessions: 20, requests: 200 }), 0);
  const attacks = await attack(running, 0.01);
  assert.equal(attacks.length, ATTACKS.length);
  for (const { name, answered, failures } of attacks) {
    assert.equal(failures, 0, name);
    assert.ok(answered >= 5, name);
  }
  assert.equal(await stop(running), 0);
});
