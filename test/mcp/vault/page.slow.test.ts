import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { createPageIndex } from "../../../src/core/storage/pages.ts";
import { openVault } from "../../../src/core/workspace/vault.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { type Page, readAll, scanAll } from "../../fixtures/vault-pages.ts";
import { connect, makeWorkspace, open, temporaryFolder } from "../../fixtures/workspace.ts";

const KIB = 1024;
const FILES: Record<string, Buffer | string> = {
  "an empty file": "",
  "an emoji on the cut": `${"x".repeat(11_999)}😀${"y".repeat(30_000)}`,
  "a broken sequence on the cut": Buffer.concat([
    Buffer.alloc(11_999, "x"),
    Buffer.from([0xf0, 0x9f, 0x98]),
    Buffer.alloc(13_000, "y"),
  ]),
  "nothing but continuation bytes": Buffer.alloc(100_000, 0x80),
  "a sequence across 32 KiB": `${"x".repeat(32 * KIB - 1)}😀${"x".repeat(32 * KIB - 5)}語\n`,
  "a newline beyond 32 KiB, and no more": `${"x".repeat(32 * KIB)}\n`,
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
    "x",
    "é",
    "語",
    "😀",
    "\n",
    "\r\n",
    "e\u0301",
    "\ufeff",
    "line of text\n",
    ...[[0x80], [0xbf, 0xbf], [0xc3], [0xe8, 0xaa], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xff]].map(
      (bytes) => Buffer.from(bytes),
    ),
  ),
  fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 5_000, max: 14_000 })),
);

test("the pages of any file join to its text, and its lines are at their numbers", async (t) => {
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
    { numRuns: numRuns(500) },
  );
});

test("a changed file is paged again from the disk", async (t) => {
  const root = makeWorkspace(t, { "p/a.log": "one\ntwo\n" });
  const { call, fail } = await connect(t, root, { tools: "vault" });
  const file = join(root, "p", "a.log");
  assert.equal((await call("vault_scan", { path: "p/a.log", start_line: 2 }))["text"], "two\n");
  writeFileSync(file, "one\ntwo\nthree\n");
  assert.equal((await call("vault_scan", { path: "p/a.log", start_line: 3 }))["text"], "three\n");
  writeFileSync(file, "1\n2345\nthree\n");
  utimesSync(file, 1, 1);
  assert.equal((await call("vault_scan", { path: "p/a.log", start_line: 3 }))["text"], "three\n");
  writeFileSync(file, "");
  assert.equal((await fail("vault_scan", { path: "p/a.log", start_line: 2 })).code, "invalid_parameter");
});

test("the positions of the last sixteen files are cached", (t) => {
  const { workspace } = open(t, temporaryFolder(t));
  const vault = openVault({ config: { db: "/none", vault: undefined }, workspace });
  const first = vault.pages("/f0", "1");
  for (let n = 1; n < 16; n++) vault.pages(`/f${n}`, "1");
  assert.equal(vault.pages("/f0", "1"), first);
  assert.notEqual(vault.pages("/f0", "2"), first);
  vault.pages("/f17", "1");
  assert.equal(vault.pages("/f0", "1"), first);
  vault.forget("/f0", "1");
  assert.notEqual(vault.pages("/f0", "1"), first);
  assert.deepEqual(vault.pages("/f0", "1"), createPageIndex());
});

const LINE = `2026-02-03T10:00:00Z info "héllo wörld 😀" ${"x".repeat(60)}\n`;
const LINES = 480_000;

test("pages anywhere in a 50 MB file are complete", {
  timeout: 60_000,
}, async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const file = join(root, "p", "big.log");
  writeFileSync(file, LINE.repeat(LINES));
  const { call } = await connect(t, root, { tools: "vault" });
  const textOf = async (args: object) =>
    (await call<Page>("vault_scan", { path: "p/big.log", ...args })).text;
  const pageAt = (page: number) => ({ cursor: { char_offset: page * 12_000 } });
  for (const args of [pageAt(0), pageAt(3_000), { start_line: 400_000 }])
    assert.ok((await textOf(args)).length >= 11_999);
  assert.equal(await textOf({ start_line: LINES }), LINE);
});

test("the positions of a 50 MB file take little memory", (t) => {
  const file = join(makeWorkspace(t, { "big.log": LINE.repeat(LINES) }), "big.log");
  const child = fileURLToPath(new URL("../../fixtures/memory-child.ts", import.meta.url));
  const run = spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", child, file, String(LINES)]);
  const { grown, marks } = JSON.parse(run.stdout.toString()) as { grown: number; marks: number };
  assert.ok(marks > 1000, `${marks} marks`);
  assert.ok(grown < 256 * 1024, `${grown} bytes`);
});
