import assert from "node:assert/strict";
import { existsSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { test } from "node:test";
import { processSpace } from "../../src/core/storage/temp-files.ts";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { locksOf, plantLock } from "../fixtures/locks.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const YEAR_2100 = new Date("2100-01-01T00:00:00Z");
const TASK = { project: "p", title: "New", objective: "Do it" };

test("a lock from the year 2100, even of a living process, delays no write", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const owner = { host: hostname(), ...processSpace(), pid: process.pid };
  const file = plantLock(root, owner);
  utimesSync(file, YEAR_2100, YEAR_2100);
  const { call } = await serve(t, root);
  assert.equal((await call("create_task", TASK))["success"], true);
  assert.deepEqual(locksOf(root), []);
});

test("doctor names a lock from the future, and --fix removes it", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const file = plantLock(root, { host: "elsewhere", pid: 1 });
  utimesSync(file, YEAR_2100, YEAR_2100);
  const program = builtFile(t);
  const doctor = (...more: string[]) =>
    runCommand(program, ["doctor", "--root", root, ...more], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: root },
    });
  const before = doctor();
  assert.equal(before.status, 1);
  assert.match(before.stdout, /1 lock .*: process 1 on elsewhere \(.*\d+ s in the future\)/);
  assert.ok(existsSync(file));
  assert.equal(doctor("--fix").status, 0);
  assert.deepEqual(locksOf(root), []);
});
