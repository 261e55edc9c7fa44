import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { closingLine } from "../../../src/core/markdown/blocks.ts";
import { removeProjectBlock, setProjectBlock } from "../../../src/core/notes/project/block.ts";
import { findProjectMarker } from "../../../src/core/notes/project/marker.ts";

const START = "<!-- vibe-mcp:start -->";
const END = "<!-- vibe-mcp:end -->";

test("the block names the project, and removing it restores every byte", () => {
  const line = fc.constantFrom("", "# A", "text", "```", "\uFEFF# B", "  - c", "<!-- d -->");
  const ending = fc.constantFrom("\n", "\r\n");
  fc.assert(
    fc.property(fc.array(line), ending, fc.boolean(), (lines, eol, isEnded) => {
      const text = lines.join(eol) + (isEnded && lines.length > 0 ? eol : "");
      fc.pre(closingLine(text) === null);
      const linked = setProjectBlock(text, "shop");
      assert.equal(findProjectMarker(linked)?.name, "shop");
      assert.ok(linked.startsWith(text));
      assert.equal(setProjectBlock(linked, "shop"), linked);
      assert.equal(removeProjectBlock(linked), text);
    }),
  );
});

test("an update replaces the block alone, wherever it is, and in the file's line endings", () => {
  const before = `# A\r\n${START}\r\nvibe: old\r\nold words\r\n${END}\r\nmore`;
  const after = setProjectBlock(before, "new");
  assert.match(after, /^# A\r\n<!-- vibe-mcp:start -->\r\nvibe: new\r\n/);
  assert.ok(after.endsWith(`\r\n${END}\r\nmore`));
  assert.doesNotMatch(after, /old|[^\r]\n/);
  assert.equal(removeProjectBlock(after), "# A\r\nmore");
});

test("an update keeps the line that narrows the documents", () => {
  const narrowed = setProjectBlock("", "shop").replace("vibe: shop\n", "vibe: shop\nvibe-docs: docs, adr\n");
  assert.equal(setProjectBlock(narrowed, "shop"), narrowed);
});

test("a line that names the project becomes the block", () => {
  const after = setProjectBlock("a\nvibe: old\nb", "new");
  assert.ok(after.startsWith(`a\n${START}\nvibe: new\n`) && after.endsWith(`\n${END}\nb`));
  assert.equal(setProjectBlock(after, "new"), after);
});

test("markers in code are text, and a block without an end is refused", () => {
  const code = `\`\`\`\n${START}\n${END}\n\`\`\`\n`;
  assert.equal(removeProjectBlock(code), code);
  assert.ok(setProjectBlock(code, "a").startsWith(code));
  assert.throws(
    () => setProjectBlock("```\ncode", "a", "AGENTS.md"),
    /^UserError: 'AGENTS.md' ends inside .*```, then/,
  );
  for (const edit of [removeProjectBlock, (text: string) => setProjectBlock(text, "a")])
    assert.throws(() => edit(`x\n${START}\nvibe: a\n`), { code: "CONFLICT", message: /delete that line/ });
});
