import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

test("the picture shows what the built file prints", { skip: ON_WINDOWS }, (t) => {
  const file = join(temporaryFolder(t), "terminal.svg");
  const drawn = spawnSync(process.execPath, ["--import", "tsx", "scripts/picture.ts", file], {
    encoding: "utf8",
  });
  assert.equal(drawn.status, 0, drawn.stderr);
  assert.equal(
    readFileSync("docs/terminal.svg", "utf8"),
    readFileSync(file, "utf8"),
    "npx tsx scripts/picture.ts",
  );
});
