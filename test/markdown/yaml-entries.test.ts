import assert from "node:assert/strict";
import test from "node:test";
import { yamlEntries } from "../../src/core/markdown/yaml-entries.ts";
import { growth, PROPORTIONATE } from "../fixtures/growth.ts";

const shown = (source: string) =>
  yamlEntries(source)?.map(({ name, key, value }) => [
    name,
    source.slice(key.start, key.end),
    value.start === -1 ? null : source.slice(value.start, value.end),
  ]);

const ENTRIES: [name: string, source: string, expected: (string | null)[][]][] = [
  [
    "plain values",
    "a: 1 # c\nb c: x y\n",
    [
      ["a", "a", "1"],
      ["b c", "b c", "x y"],
    ],
  ],
  [
    "quotes",
    "'a': \"x\\n\" # c\n\"b\": 'it''s'\n",
    [
      ["a", "'a'", '"x\\n"'],
      ["b", '"b"', "'it''s'"],
    ],
  ],
  [
    "anchors, tags and aliases",
    "a: &x !!str 1\n&k b: *x\nc: &y\n",
    [
      ["a", "a", "&x !!str 1"],
      ["b", "&k b", "*x"],
      ["c", "c", "&y"],
    ],
  ],
  [
    "no value",
    "a:\nb: # c\n",
    [
      ["a", "a", null],
      ["b", "b", null],
    ],
  ],
  [
    "brackets",
    "a: [1, {b: ']'}, # ]\n  ] # c\nd: {e: , f}\n",
    [
      ["a", "a", "[1, {b: ']'}, # ]\n  ]"],
      ["d", "d", "{e: , f}"],
    ],
  ],
  [
    "a list with comments",
    "a:\n  # c\n  - 1 # d\n\n  -\n# e\nb: 1\n",
    [
      ["a", "a", "- 1 # d\n\n  -"],
      ["b", "b", "1"],
    ],
  ],
  [
    "nested mappings",
    "a:\n  b:\n    c: 1\n    d:\ne: 1\n",
    [
      ["a", "a", "b:\n    c: 1\n    d"],
      ["e", "e", "1"],
    ],
  ],
  [
    "blocks of text",
    "a: |\n  x\n\n  # y\n\nb: >-\n  z\n",
    [
      ["a", "a", "  x\n\n  # y"],
      ["b", "b", "  z"],
    ],
  ],
  [
    "explicit keys",
    "? a\n: - 1\n? [b]\n: 2\n",
    [
      ["a", "a", "- 1"],
      [null, "[b]", "2"],
    ],
  ],
  ["nothing", "# c\n", []],
];

for (const [name, source, expected] of ENTRIES) {
  test(`the entries of a mapping are found with ${name}`, () => assert.deepEqual(shown(source), expected));
}

test("other layouts have no entries of their own", () => {
  for (const source of ["{a: 1}\n", "- a\n", "text\n"]) assert.equal(yamlEntries(source), null);
});

test("the time to read pairs without brackets grows with their number", () => {
  const pairs = (length: number) => `a: [${"? b, ".repeat(length / 5)}]\n`;
  assert.ok(growth(pairs, yamlEntries, 100_000) < PROPORTIONATE);
  assert.deepEqual(shown("a: [? b, ? {c: d}, e]\nf: g\n"), [
    ["a", "a", "[? b, ? {c: d}, e]"],
    ["f", "f", "g"],
  ]);
});
