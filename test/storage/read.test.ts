import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { errorCode } from "../../src/core/storage/fs-errors.ts";
import {
  contentOf,
  followFile,
  hashOf,
  readBytes,
  readRegular,
  readSmall,
} from "../../src/core/storage/read.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const readContent = (file: string) => contentOf(readBytes(file));

const EXACT: [name: string, bytes: Buffer, text: string][] = [
  ["an empty file", Buffer.alloc(0), ""],
  ["plain text with mixed line endings", Buffer.from("a\r\nb\nc\r"), "a\r\nb\nc\r"],
  ["text of many scripts", Buffer.from("é ガ 한 🙂"), "é ガ 한 🙂"],
  ["a BOM", Buffer.from([0xef, 0xbb, 0xbf, 0x61]), "\uFEFFa"],
  ["NUL and control characters", Buffer.from([0, 1, 0x1b, 0x7f]), "\0\u0001\u001b\u007f"],
  ["a replacement character of its own", Buffer.from("\uFFFD"), "\uFFFD"],
];

for (const [name, bytes, expected] of EXACT) {
  test(`${name} is read exactly`, (t) => {
    const content = readContent(join(makeWorkspace(t, { "a.md": bytes }), "a.md"));
    assert.deepEqual([content.text, content.exact, content.bytes], [expected, true, bytes]);
  });
}

const LOSSY: [name: string, bytes: number[], text: string][] = [
  ["a Latin-1 letter", [0x63, 0xe9, 0x21], "c\uFFFD!"],
  ["a sequence cut at the end", [0x61, 0xf0, 0x9f, 0x99], "a\uFFFD"],
  ["an overlong slash", [0xc0, 0xaf], "\uFFFD\uFFFD"],
  ["half a surrogate pair", [0xed, 0xa0, 0x80], "\uFFFD\uFFFD\uFFFD"],
  ["UTF-16 LE with its BOM", [0xff, 0xfe, 0x61, 0x00, 0x42, 0x30], "\uFEFFaあ"],
  ["UTF-16 BE with its BOM", [0xfe, 0xff, 0x00, 0x61, 0x30, 0x42], "\uFEFFaあ"],
  ["UTF-16 cut in a character", [0xfe, 0xff, 0x00, 0x61, 0xd8, 0x3d, 0xde], "\uFEFFa\uFFFD"],
  ["UTF-16 without a BOM", [0x61, 0x00, 0xe9, 0x00], "a\0\uFFFD\0"],
];

for (const [name, bytes, expected] of LOSSY) {
  test(`${name} is read, but not exact`, (t) => {
    const content = readContent(join(makeWorkspace(t, { "a.md": Buffer.from(bytes) }), "a.md"));
    assert.deepEqual([content.text, content.exact], [expected, false]);
    assert.deepEqual(content.bytes, Buffer.from(bytes));
  });
}

test("a file is exact if and only if its text encodes to its bytes", (t) => {
  const root = temporaryFolder(t);
  const text = fc.string({ unit: "binary" }).map((value) => Buffer.from(value));
  const noise = fc.uint8Array({ maxLength: 6 }).map((value) => Buffer.from(value));
  fc.assert(
    fc.property(fc.array(fc.oneof(text, noise), { maxLength: 3 }), (parts) => {
      writeFiles(root, { "a.md": Buffer.concat(parts) });
      const content = readContent(join(root, "a.md"));
      assert.equal(content.exact, Buffer.from(content.text).equals(Buffer.concat(parts)));
    }),
  );
});

test("the hash is the SHA-256 of the bytes, whatever the text", (t) => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d]);
  const { hash } = readContent(join(makeWorkspace(t, { "a.md": bytes }), "a.md"));
  assert.equal(hash, createHash("sha256").update(bytes).digest("hex"));
  assert.equal(
    hashOf(Buffer.from("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

test("a missing file throws the system's error", (t) => {
  assert.throws(() => readContent(join(temporaryFolder(t), "none.md")), { code: "ENOENT" });
});

test("only a regular file of bounded size is read, and a link only with `follow`", {
  skip: ON_WINDOWS,
}, (t) => {
  const folder = makeWorkspace(t, { text: "four", "folder/": "" });
  const at = (name: string) => join(folder, name);
  assert.equal(spawnSync("mkfifo", [at("pipe")]).status, 0);
  symlinkSync("text", at("link"));
  symlinkSync("/dev/zero", at("device"));
  const failure = (name: string, most = 4, follow = true) => {
    const read = () => readRegular(at(name), most, follow);
    return (code: string) => assert.throws(read, (error) => errorCode(error) === code);
  };
  assert.equal(readRegular(at("link"), 4).bytes.toString(), "four");
  failure("text", 3)("EFBIG");
  failure("folder")("EISDIR");
  failure("pipe")("EFTYPE");
  failure("device")("EFTYPE");
  failure("link", 4, false)("ELOOP");
  failure("none")("ENOENT");
  assert.equal(readSmall(at("pipe")), undefined);
  assert.throws(followFile(at("pipe")), (error) => errorCode(error) === "EFTYPE");
});
