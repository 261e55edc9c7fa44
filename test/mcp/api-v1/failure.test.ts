import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, UserError } from "../../../src/lib/errors.ts";
import { apiV1 } from "../../../src/mcp/api-v1/api.ts";

const told = (code: ErrorCode, details: Record<string, unknown> = {}) =>
  apiV1.failure(new UserError(code, "What happened.", { details }));

test("errors are told in the words of the earlier server", () => {
  assert.equal(told("READ_ONLY"), "AuthError: Server is in read-only mode");
  for (const code of ["INDEX_ERROR", "FILESYSTEM_ERROR"] as const)
    assert.equal(told(code), "RuntimeError: What happened.");
  assert.equal(told("FILE_EXISTS", { path: "a.md" }), "ValueError: File already exists: a.md");
  assert.equal(told("FILE_NOT_FOUND", { path: "a.md" }), "ValueError: File not found: a.md");
  assert.equal(told("FILE_NOT_FOUND", { path: "a.md", task: "4" }), "ValueError: File not found: 4");
  assert.equal(told("INVALID_PATH", { path: "../a" }), "ValueError: Path is outside VIBE_ROOT");
  assert.equal(told("INVALID_PATH"), "ValueError: What happened.");
  assert.equal(
    told("INVALID_STATUS", { status: "someday" }),
    "ValueError: Invalid status: someday. Must be one of: pending, in-progress, done, blocked",
  );
});
