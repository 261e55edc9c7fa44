import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { handshake, startBuilt } from "../fixtures/built.ts";
import { bareRepository, noGit, startMachine } from "../fixtures/machines.ts";

/** Waits for what another process does by itself. */
async function until(t: TestContext, isThere: () => boolean) {
  for (let waited = 0; !isThere(); waited += 200) {
    assert.ok(waited < 60_000, `nothing came in ${t.name}`);
    await sleep(200);
  }
}

test("servers sync by themselves: at their start, and some seconds after an edit", {
  skip: noGit,
}, async (t) => {
  const remote = bareRepository(t);
  const ana = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n" } });
  const ben = await startMachine(t, { name: "ben", remote, files: {} });
  const manual = startBuilt(t, ["--root", ben.root, "--sync", "manual"], {
    env: { HOME: ben.home, USER: "ben" },
  });
  await handshake(manual);
  writeFileSync(join(ana.root, "p/first.md"), "# First\n");
  const server = startBuilt(t, ["--root", ana.root], { env: { HOME: ana.home, USER: "ana" } });
  await handshake(server);
  const shared = () =>
    execFileSync("git", ["-C", remote, "ls-tree", "-r", "--name-only", "vibe-notes"], { encoding: "utf8" });
  await until(t, () => shared().includes("p/first.md"));
  writeFileSync(join(ana.root, "p/second.md"), "# Second\n");
  await until(t, () => shared().includes("p/second.md"));
  assert.ok(!existsSync(join(ben.root, "p/first.md")), "a server without it took as long, and did nothing");
  await ben.sync();
  assert.equal(readFileSync(join(ben.root, "p/second.md"), "utf8"), "# Second\n");
});
