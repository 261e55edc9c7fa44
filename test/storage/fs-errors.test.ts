import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../src/core/lib/errors.ts";
import { errorCode, fileError, isMissing, reasonOf } from "../../src/core/storage/fs-errors.ts";
import { systemError } from "../fixtures/disk.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const CODES = [
  ..."EACCES,EPERM,EROFS,ENOSPC,EDQUOT,EMFILE,ENFILE,EIO,EBUSY,EISDIR,ENOTDIR,ELOOP".split(","),
  ..."ENOENT,EEXIST,ESTALE,EFOREIGN".split(","),
];

for (const code of CODES) {
  test(`a failure with ${code} reaches a client only in our words`, () => {
    const cause = systemError(code, "/home/alice/secret");
    const error = fileError("write", "p/tasks/a.md", cause);
    assert.ok(error instanceof UserError);
    assert.equal(error.code, "FILESYSTEM_ERROR");
    assert.match(error.message, /^Could not write 'p\/tasks\/a\.md': [a-z][^/\\]+$/);
    const shown = JSON.stringify([error.message, error.details]);
    assert.doesNotMatch(shown, /raw message|alice|E[A-Z]{3,}/);
    assert.deepEqual(error.details, { path: "p/tasks/a.md" });
    assert.equal(error.cause, cause);
  });
}

test("a name that is too long is an invalid path, not a disk error", () => {
  const { code, message } = fileError("read", "p/long.md", systemError("ENAMETOOLONG"));
  assert.equal(code, "INVALID_PATH");
  assert.match(message, /255 bytes/);
});

test("a known failure has its reason, any other says that the system refused it", () => {
  assert.equal(reasonOf(systemError("ENOSPC")), "the disk is full");
  assert.equal(reasonOf(systemError("EEXIST")), "its name is taken");
  for (const unknown of [systemError("ESTRANGE"), new Error("plain"), "text", null, undefined]) {
    assert.equal(reasonOf(unknown), "the system refused it");
  }
  assert.equal(reasonOf(systemError("constructor")), "the system refused it");
});

test("only errors with a code have a code", (t) => {
  const missing = () => readFileSync(join(temporaryFolder(t), "none"));
  assert.throws(missing, (error) => errorCode(error) === "ENOENT" && isMissing(error));
  for (const other of [new Error("ENOENT"), { code: "ENOENT" }, Object.assign(new Error(""), { code: 2 })]) {
    assert.equal(errorCode(other), "");
    assert.equal(isMissing(other), false);
  }
  assert.equal(isMissing(systemError("ENOTDIR")), true);
  assert.equal(isMissing(systemError("EACCES")), false);
});

test("a path is shortened to one line of whole characters", () => {
  const path = `a\n\u001b[31m\0\uD800${"🙂".repeat(400)}`;
  const { message, details } = fileError("read", path, systemError("EIO"));
  for (const text of [message, String(details["path"])]) {
    assert.ok(text.length < 450 && text.isWellFormed());
    assert.doesNotMatch(text, /\p{Cc}/u);
    assert.match(text, /a\\u\{a\}\\u\{1b\}\[31m\\u\{0\}\\u\{d800\}🙂/u);
  }
});
