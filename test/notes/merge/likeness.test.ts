import assert from "node:assert/strict";
import { test } from "node:test";
import { likeness, linesOf } from "../../../src/core/notes/merge/likeness.ts";

const rows: [what: string, a: string, b: string, lines: number, characters: number][] = [
  ["the same", "# A\n\nOne.\nTwo.\n", "# A\n\nOne.\nTwo.\n", 1, 1],
  ["half of the lines", "abcd\nefgh\n", "abcd\nijkl\n", 0.5, 0.5],
  [
    "line endings, margins, marks and numbers of steps aside",
    "1. [ ] abcd\r\n- efgh\r\n",
    "2. [x] abcd\n  efgh",
    1,
    1,
  ],
  [
    "headings and the status say nothing",
    "# A\n\nStatus: done\n\n## B\nabcd\n",
    "# A\n\nStatus: done\n\n## B\nefgh\n",
    0,
    0,
  ],
  ["a line counts as often as it stands there", "abcd\nabcd\nefgh\n", "abcd\nijkl\nmnop\n", 1 / 3, 1 / 3],
  ["the longer note counts", "abcd\n", "abcd\nabcdefghijkl\n", 0.5, 0.25],
  ["nothing is like nothing", "", "# A\n\n---\n", 0, 0],
];

for (const [what, a, b, lines, characters] of rows)
  test(`likeness: ${what}`, () => {
    for (const [one, two] of [[a, b] as const, [b, a] as const])
      assert.deepEqual(likeness(linesOf(one), linesOf(two)), { lines, characters });
  });
