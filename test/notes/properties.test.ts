import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../src/core/markdown/frontmatter.ts";
import { mergeFrontmatter } from "../../src/core/markdown/frontmatter-edit.ts";
import { propertyText, readAliases } from "../../src/core/notes/properties.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const PROPERTIES: [name: string, yaml: string, expected: string][] = [
  ["texts", "title: Zebra report\nclient: Numbat Ltd", "Zebra report\nNumbat Ltd"],
  ["lists and nested values", "aliases: [a b, c]\nwho: {name: ana, of: [x]}", "a b\nc\nana\nx"],
  ["ids and numbers", "id: BD-7h7\nissue: 4711\nversion: 1.5", "BD-7h7\n4711\n1.5"],
  ["links", 'up: "[[note]]"\nrelated: [[other]]', "[[note]]\nother"],
  ["text of several lines", "summary: |\n  one\n  two", "one\ntwo"],
  [
    "no dates, times, flags and empty values",
    "day: 2026-01-05\nat: 2026-01-05T10:00\ndraft: true\na:\nb: ~",
    "",
  ],
  ["nothing that has a filter of its own", "Tags: [a]\nstatus: done\npriority: high\ndue: x\ntype: task", ""],
  ["nor under another name", "Etiquetas: [a]\nEstado: done\nprioridad: alta\nDue Date: x\n状態: 完了", ""],
  [
    "a block that YAML refuses, as it is written",
    "title: Fix: zebra\nowner: ana",
    "title: Fix: zebra\nowner: ana\n",
  ],
  ["the beginning of long ones", `a: ${"x".repeat(3000)}`, "x".repeat(2000)],
];

for (const [name, yaml, expected] of PROPERTIES) {
  test(`search finds of frontmatter ${name}`, () => {
    const text = `---\n${yaml}\n---\nbody\n`;
    assert.equal(propertyText(text, parseFrontmatter(text)).trim(), expected.trim());
  });
}

test("search finds a block in another language as it is written, and text without one in the text", () => {
  for (const [text, expected] of [
    ['+++\ntitle = "Zebra"\n+++\nbody', 'title = "Zebra"\n'],
    ["---\na: 1\n\nbody", ""],
    ["body", ""],
  ] as const)
    assert.equal(propertyText(text, parseFrontmatter(text)), expected);
});

const ALIASES: [yaml: string, aliases: string[]][] = [
  ["aliases: [walrus memo, X]", ["walrus memo", "X"]],
  ["Aliases:\n  - a\n  - 'b, c'", ["a", "b, c"]],
  ["alias: one", ["one"]],
  ["aliases: a, b", ["a, b", "a", "b"]],
  ["aliases: 17", ["17"]],
  // In the index, all halves of a letter are one.
  ['aliases: ["\\uD800", "\\uD801"]', ["\uFFFD"]],
  ["aliases:\nalias: ''", []],
  ["title: x", []],
];

for (const [yaml, aliases] of ALIASES) {
  test(`aliases are read: ${JSON.stringify(yaml)}`, () =>
    assert.deepEqual(readAliases(parseFrontmatter(`---\n${yaml}\n---\n`).data), aliases));
}

test("aliases that are written are read, and written as they are read they change nothing", () => {
  const name = fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("no", "1e3", "~", "a, b", "- x", "#t", "[[x]]"),
    )
    .map((text) => text.trim())
    .filter((text) => text !== "" && text.isWellFormed());
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });
  const block = fc.constantFrom(
    "",
    "---\ntitle: x\n---\n",
    "---\r\nAliases:\r\n- z\r\n---\r\n",
    "---\naliases: a, b\n---\n",
  );
  const property = fc.property(block, names, (before, aliases) => {
    const key = before.includes("Aliases") ? "Aliases" : "aliases";
    const written = mergeFrontmatter(`${before}# A\n`, { [key]: aliases });
    const { data } = parseFrontmatter(written);
    assert.deepEqual(readAliases(data), aliases);
    assert.equal(mergeFrontmatter(written, { [key]: readAliases(data) }), written);
  });
  fc.assert(property, { numRuns: numRuns(10_000) });
});
