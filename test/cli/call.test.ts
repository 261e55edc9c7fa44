import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTells } from "../fixtures/tells.ts";
import { person } from "../fixtures/terminal.ts";
import { writeVibeMcp } from "../fixtures/vibe-mcp-project.ts";

test("a read-only workspace can be read, and a refused write says why", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const env = { VIBE_READ_ONLY: "1" };
  assert.equal(someone.inPipe(["tasks"], { env }).status, 0);
  const { status, stderr } = someone.inPipe(["new", "x", "--project", "vibeMCP"], { env });
  assert.equal(status, 1);
  assertTells(stderr, ["read-only", "--read-only", "VIBE_READ_ONLY"]);
});
