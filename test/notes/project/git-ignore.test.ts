import assert from "node:assert/strict";
import { test } from "node:test";
import { isIgnored } from "../../../src/core/notes/project/git-ignore.ts";

const PATH = "notes/index.db";

test("a pattern ignores the file by its name, its path or a folder above it", () => {
  for (const text of [
    "index.db",
    "index.db*",
    "*.db",
    "/notes/index.db",
    "notes/",
    "notes",
    "**/index.db",
    "/notes/*.db",
    "# x\r\nindex.db\r\n",
    "!index.db\nindex.db",
    "notes/**/index.db",
    "inde?.db",
  ])
    assert.ok(isIgnored([{ text, path: PATH }]), text);
});

test("other patterns do not", () => {
  for (const text of [
    "",
    "#index.db",
    "/index.db",
    "index",
    "db",
    "xindex.db",
    "*.md",
    "notes/*/index.db",
    "index.db/",
    "index.db\n!index.db",
    "[",
    "(",
    "\\",
    "*a".repeat(40),
  ])
    assert.ok(!isIgnored([{ text, path: PATH }]), text);
});

test("the file nearest to it decides", () => {
  const rules = (top: string, inner: string) =>
    isIgnored([
      { text: top, path: PATH },
      { text: inner, path: "index.db" },
    ]);
  assert.ok(rules("", "/index.db"));
  assert.ok(!rules("*.db", "!index.db"));
});
