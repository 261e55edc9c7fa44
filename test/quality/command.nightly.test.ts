import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readSettings } from "../../scripts/quality/settings.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const DOCUMENT = "shop/tasks/001-login.md";

/** A workspace with one document, and a file with one line. */
function written(t: TestContext, line: string): { root: string; file: string } {
  const file = join(temporaryFolder(t), "queries.jsonl");
  writeFileSync(file, line);
  return { root: makeWorkspace(t, { [DOCUMENT]: "# Login\n\nUse a bearer token.\n" }), file };
}

function quality(args: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", "scripts/quality.ts", ...args], {
    encoding: "utf8",
  });
}

test("a workspace is measured, and nothing is written into it", (t) => {
  const { root, file } = written(t, JSON.stringify({ query: "login", relevant: [DOCUMENT], class: "plain" }));
  const { status, stdout } = quality(["--root", root, "--queries", file, "--boost", "0"]);
  assert.equal(status, 0);
  assert.match(stdout, /^plain +1 +100\.0 +100\.0 +100\.0 +100\.0 +\d+\.\d +(?:-|\d+)$/m);
  assert.match(stdout, /^macro average +1 +100\.0 /m);
  assert.match(stdout, /^A search took [\d.]+ ms \(median\)/m);
  assert.deepEqual(readdirSync(root), ["shop"]);
});

test("what was typed wrong is one line and exit code 2", (t) => {
  const { root, file } = written(t, "{");
  const { status, stdout, stderr } = quality(["--root", root, "--queries", file]);
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^quality: .*:1: not a JSON object\n$/);
  for (const [args, message] of [
    [["--root", file, "--queries", file], /^--root must be a folder; .* is not one$/],
    [["--root", root], /^--root and --queries go together$/],
    [["--boost", "2"], /^--boost must be a number from 0 to 1, not "2"$/],
    [["--roto", root], /^Unknown option '--roto'/],
  ] as const)
    assert.throws(() => readSettings([...args]), { message });
});
