import assert from "node:assert/strict";
import { test } from "node:test";
import { findHeadings } from "../../src/core/markdown/headings.ts";
import { linkRows } from "../../src/core/notes/link/links.ts";
import { addBlock, blocksOf, markBlock } from "../../src/core/notes/session/captured-block.ts";
import { openBoxes } from "../../src/core/notes/task/task.ts";
import { blockLines } from "../../src/sessions/transcripts/block.ts";
import { DAY } from "../fixtures/transcripts.ts";

const many = (count: number, text = "x") => Array.from({ length: count }, (_, at) => `${text}${at + 1}`);

test("a block says who, what was asked and said, and what was done", () => {
  assert.deepEqual(blockLines(DAY), [
    "## Claude Code, 14:05 to 14:30",
    "",
    "**Asked:**",
    "1. Rotate the keys",
    "",
    "**Said last:**",
    "> Done.",
    "",
    "- **Tasks:** [[004-rotate-keys]] (review)",
    "- **Files:** [[api/plans/keys]], `src/keys.ts`",
    "- **Commits:** feat: rotate keys",
    "- **Failed:** `npm test`",
    "- **Model:** claude-sonnet-4-5; 1,085 tokens in (350 from the cache), 140 out",
  ]);
});

test("a block has at most 40 lines with its marks, a logged session fewer", () => {
  const long = "word ".repeat(50);
  const day = {
    ...DAY,
    asks: many(500, long),
    said: many(900).join("\n\n"),
    files: many(99),
    failed: many(99),
  };
  const lines = blockLines(day);
  assert.ok(lines.length <= 38, `${lines.length}`);
  assert.ok(lines.join("\n").includes("9. … 489 more") || lines.some((line) => /… \d+ more/.test(line)));
  assert.ok(lines.every((line) => line.length < 1_200));
  const logged = blockLines({ ...day, isLogged: true });
  assert.ok(logged.length < 15);
  assert.doesNotMatch(logged.join("\n"), /Said last|Failed/);
});

test("a text of someone else begins no block, link, box or comment", () => {
  const texts = [
    "# Heading",
    "## Next",
    "- [ ] box",
    "1. [x] one",
    "> quote",
    "```js",
    "~~~",
    "---",
    "<!-- open",
    "<!-- /vibe-mcp capture -->",
    "<div>",
    "[[004-other]]",
    "![[004-other]]",
    "[a](other.md)",
    "[a]: other.md",
    "* * *",
    "=====",
    "| a | b |",
    "\tcode",
    "---\n**12:00:00**",
  ];
  for (const text of texts) {
    const lines = blockLines({
      ...DAY,
      asks: [text.replace(/\s+/g, " ")],
      said: text,
      commits: [text],
      tasks: [],
      documents: [],
    });
    const owner = { client: "claude-code", session: "a" };
    const at = { date: DAY.day, time: "14:05:00" };
    const note = addBlock(addBlock(undefined, markBlock(owner, DAY.to, { lines }), at), "After", at);
    assert.equal(blocksOf(note, owner)[0]?.isEdited, false, text);
    assert.deepEqual(
      findHeadings(note, 0).map((heading) => heading.text),
      [`Session Log - ${DAY.day}`, "Claude Code, 14:05 to 14:30"],
      text,
    );
    assert.deepEqual(linkRows(note, { bodyOffset: 0, task: null }), [], text);
    assert.deepEqual(openBoxes(note, 0), openBoxes("", 0), text);
  }
});
