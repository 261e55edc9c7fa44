import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { readAll, scanAll } from "../../fixtures/vault-pages.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const KIB = 1024;
const FILES: Record<string, Buffer | string> = {
  "an empty file": "",
  "one newline": "\n",
  "no final newline": "a\nb",
  "CRLF on the cut": `${"x".repeat(11_999)}\r\n${"y".repeat(20_000)}\r\n`,
  "one line of 100,000 characters": "0123456789".repeat(10_000),
  "an emoji on the cut": `${"x".repeat(11_999)}😀${"y".repeat(30_000)}`,
  "nothing but emoji": `x${"👩‍👩‍👧‍👦".repeat(8_000)}`,
  "a combining mark after the cut": `${"x".repeat(11_999)}e\u0301${"\u0301".repeat(13_000)}`,
  "three bytes a character": "語".repeat(40_000),
  "a BOM": `\ufeff${"x".repeat(12_000)}\n`,
  "a broken sequence on the cut": Buffer.concat([
    Buffer.alloc(11_999, "x"),
    Buffer.from([0xf0, 0x9f, 0x98]),
    Buffer.alloc(13_000, "y"),
  ]),
  "nothing but continuation bytes": Buffer.alloc(100_000, 0x80),
  "nothing but first bytes": Buffer.alloc(100_000, 0xf0),
  "NUL bytes": Buffer.alloc(30_000),
  "a sequence across 32 KiB": `${"x".repeat(32 * KIB - 1)}😀${"x".repeat(32 * KIB - 5)}語\n`,
  "a newline at 32 KiB, and no more": `${"x".repeat(32 * KIB - 1)}\n`,
  "a newline beyond 32 KiB, and no more": `${"x".repeat(32 * KIB)}\n`,
  "exactly 12,000": "x".repeat(12_000),
  "12,001": "x".repeat(12_001),
};

for (const [name, content] of Object.entries(FILES)) {
  test(`pages join to the file without gap or repeat: ${name}`, async (t) => {
    const { call } = await connect(t, makeWorkspace(t, { "p/file.bin": content }), { tools: "vault" });
    const text = Buffer.from(content).toString("utf8");
    const pages = await scanAll(call, "p/file.bin");
    assert.ok(pages.map((page) => page.text).join("") === text);
    assert.ok(pages.every((page) => page.text.length <= 12_000 && page.text.isWellFormed()));
    assert.ok((await readAll(call, "p/file.bin")) === text);
  });
}

// Whole characters of all lengths, newlines, and bytes that are no UTF-8, in runs that reach over the steps of a reader.
const piece = fc.tuple(
  fc.constantFrom<string | Buffer>(
    ...["x", "é", "語", "😀", "\n", "\r\n", "e\u0301", "\ufeff", "line of text\n"],
    ...[[0x80], [0xbf, 0xbf], [0xc3], [0xe8, 0xaa], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xff]].map(
      (bytes) => Buffer.from(bytes),
    ),
  ),
  fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 5_000, max: 14_000 })),
);

test("pages of any file join to it, and its lines are where they are said to be", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root, { tools: "vault" });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.nat(), async (pieces, pick) => {
      const bytes = Buffer.concat(
        pieces.flatMap(([part, count]) => Array.from({ length: count }, () => Buffer.from(part))),
      );
      const path = `p/${round++}.txt`;
      writeFileSync(join(root, ...path.split("/")), bytes);
      const text = bytes.toString("utf8");
      const lines = text.split("\n");
      if (lines.length > 1 && lines.at(-1) === "") lines.pop();
      const wanted = (pick % lines.length) + 1;
      const args = { path, range: { start_line: wanted, end_line: wanted } };
      const line = await call<{ text: string; applied_range: object }>("vault_read", args);
      assert.deepEqual(line.applied_range, { start_line: wanted, end_line: wanted });
      const before = lines.slice(0, wanted - 1).reduce((length, one) => length + one.length + 1, 0);
      const end = Math.min(text.length, before + (lines[wanted - 1] ?? "").length + 1);
      assert.ok(text.slice(before, end).startsWith(line.text));
      assert.ok(line.text.length >= Math.min(end - before, 11_999));
      const pages = await scanAll(call, path);
      assert.ok(pages.map((page) => page.text).join("") === text);
      assert.equal(pages.at(-1)?.applied_range.end_line, lines.length);
    }),
    { numRuns: 150 },
  );
});
