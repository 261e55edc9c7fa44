import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeDocument } from "../../src/core/notes/document.ts";
import { plainTag } from "../../src/core/notes/tag.ts";
import { changeTask } from "../../src/core/notes/task/edit.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const BLOCKS = [
  "",
  "---\n---\n",
  "---\nTags: [API, '#ui']\n---\n",
  '---\ntag: "#api, #ui"\nstatus: done\n---\n',
  "---\ntitle: a b\ntags: api\n---\n",
];
const LINES = [
  "",
  "# A",
  "Tags: #api #x",
  "- [ ] do #Area/API ^id",
  "see #ui, #db/",
  "#123 #fff `#no` [[a#no]]",
  "%% #no",
  "%%",
  "```",
  "<!-- #no -->",
  "> #認証",
];

test("tags that are written are read beside those of the text, and written as read change nothing", () => {
  const tag = fc.constantFrom("api", "#UI", "area/api", "認証", "new", "New tag", "x/y", "123");
  const text = fc.tuple(fc.constantFrom(...BLOCKS), fc.shuffledSubarray(LINES));
  const property = fc.property(text, fc.array(tag, { maxLength: 4 }), ([block, lines], tags) => {
    const before = block + lines.join("\n\n");
    const read = (one: string) =>
      describeDocument({ project: "p", folder: "tasks", filename: "001-a.md" }, one).tags;
    assert.equal(changeTask(before, { tags: read(before) }).text, before);
    const { text: after } = changeTask(before, { tags });
    const bare = read(changeTask(before, { tags: [] }).text);
    assert.deepEqual(read(after).sort(), [...new Set([...tags.map(plainTag), ...bare])].sort());
    assert.equal(changeTask(after, { tags }).text, after);
  });
  fc.assert(property, { numRuns: numRuns(2000) });
});
