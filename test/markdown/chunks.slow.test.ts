import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { chunkMarkdown, MAX_CHUNK_CHARS } from "../../src/core/markdown/chunks.ts";
import { findHeadings, MAX_HEADINGS, MAX_OUTLINE_CHARS } from "../../src/core/markdown/headings.ts";
import { lengthOf, numRuns } from "../fixtures/num-runs.ts";
import { anyText, longText } from "../fixtures/texts.ts";

const shown = (text: string, from = 0) =>
  chunkMarkdown(text, from).map(({ heading, content }) => [heading, content]);

test("a task is split at its level 1 and 2 headings", () => {
  const text =
    "# Task: Setup\n\nStatus: pending\n\n## Objective\nLorem ipsum...\n\n## Steps\n1. Step one\n2. Step two\n### Part\nx\n\n## Notes\n";
  assert.deepEqual(chunkMarkdown(text), [
    { heading: "# Task: Setup", level: 1, content: "Status: pending", order: 0, offset: 15 },
    { heading: "## Objective", level: 2, content: "Lorem ipsum...", order: 1, offset: 45 },
    { heading: "## Steps", level: 2, content: "1. Step one\n2. Step two\n### Part\nx", order: 2, offset: 70 },
    { heading: "## Notes", level: 2, content: "", order: 3, offset: text.length },
  ]);
});

test("text before the first heading has no heading", () => {
  assert.deepEqual(shown("intro\n\n# A\na"), [
    [null, "intro"],
    ["# A", "a"],
  ]);
});

test("a document without text gives one empty chunk", () => {
  assert.deepEqual(chunkMarkdown(""), [{ heading: null, level: 0, content: "", order: 0, offset: 0 }]);
  assert.deepEqual(shown("\n \n\n"), [[null, ""]]);
  assert.deepEqual(chunkMarkdown("---\n---\n", 8), [
    { heading: null, level: 0, content: "", order: 0, offset: 8 },
  ]);
});

test("setext headings get their # form", () => {
  assert.deepEqual(shown("Title\n===\na\n\nPart\n---\nb"), [
    ["# Title", "a"],
    ["## Part", "b"],
  ]);
});

test("only blank lines are trimmed before the text, so that indented code stays code", () => {
  assert.deepEqual(shown("# A\n\n    code\n    more  \n\n"), [["# A", "    code\n    more"]]);
});

test("a # inside a fence splits nothing", () => {
  assert.deepEqual(shown("# A\n```sh\n# not a heading\n```\n"), [["# A", "```sh\n# not a heading\n```"]]);
});

test("a long section is split between paragraphs, and each piece keeps the heading", () => {
  const paragraph = "word ".repeat(500).trim();
  const chunks = chunkMarkdown(`## A\n${[paragraph, paragraph, paragraph].join("\n\n")}`);
  assert.deepEqual(
    chunks.map(({ heading, content }) => [heading, content]),
    [
      ["## A", `${paragraph}\n\n${paragraph}`],
      ["## A", paragraph],
    ],
  );
});

test("a fence is kept whole when it fits, blank lines included", () => {
  const fence = `\`\`\`\n${"code\n\n".repeat(600)}\`\`\``;
  const chunks = chunkMarkdown(`${"a".repeat(3000)}\n\n${fence}\n\nend`);
  assert.deepEqual(
    chunks.map(({ content }) => content),
    ["a".repeat(3000), `${fence}\n\nend`],
  );
});

test("a long paragraph is split between lines", () => {
  const line = "x".repeat(2500);
  assert.deepEqual(
    chunkMarkdown([line, line, line].join("\n")).map(({ content }) => content),
    [`${line}\n${line}`, line],
  );
});

test("a long line is split at a space, and inside a word only when there is none", () => {
  const words = "word ".repeat(3000);
  assert.ok(chunkMarkdown(words).every(({ content }) => /^word( word)*$/.test(content)));
  assert.deepEqual(
    chunkMarkdown("x".repeat(13_000)).map(({ content }) => content.length),
    [6000, 6000, 1000],
  );
});

test("a long line without spaces is split after a full stop where it has one", () => {
  const sentence = `${"文".repeat(70)}。`;
  assert.ok(chunkMarkdown(sentence.repeat(200)).every(({ content }) => content.endsWith("。")));
});

test("a surrogate pair is never split", () => {
  for (const chunk of chunkMarkdown(`x${"😀".repeat(10_000)}`)) {
    assert.doesNotMatch(chunk.content, /\p{Cs}/u);
  }
});

test("every character outside level 1 and 2 headings is in exactly one chunk, in order, at its offset", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, longText), (text) => {
      const chunks = chunkMarkdown(text);
      const headings = findHeadings(text).filter(({ level }) => level <= 2);
      let rest = "";
      let from = 0;
      for (const { start, end } of headings) {
        rest += text.slice(from, start);
        from = end;
      }
      rest += text.slice(from);
      const joined = chunks.map(({ content }) => content).join("");
      assert.equal(joined.replace(/\s/g, ""), rest.replace(/\s/g, ""));
      for (const [at, { content, offset, order }] of chunks.entries()) {
        assert.equal(order, at);
        assert.equal(text.slice(offset, offset + content.length), content);
        assert.ok(content.length <= MAX_CHUNK_CHARS);
        assert.equal(content, content.trimEnd());
      }
      assert.ok(chunks.length > 0);
      const headed = chunks.filter(({ heading }) => heading !== null).length;
      assert.ok(headed >= headings.length);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("chunks from an offset are those of the text after it", () => {
  const head = "---\na: 1\n---\n";
  fc.assert(
    fc.property(anyText, (text) => {
      const moved = chunkMarkdown(head + text, head.length);
      assert.deepEqual(
        moved.map((chunk) => ({ ...chunk, offset: chunk.offset - head.length })),
        chunkMarkdown(text),
      );
    }),
  );
});

test("texts of millions of characters are cut to the end", () => {
  assert.equal(chunkMarkdown("a".repeat(5_000_000)).length, Math.ceil(5_000_000 / MAX_CHUNK_CHARS));
  assert.equal(chunkMarkdown(`${" ".repeat(5_000_000)}x`).length, 1);
  assert.ok(chunkMarkdown(`${"a\n".repeat(2_500_000)}---\n`).length > 800);
});

test("the chunks of a document are bounded by its headings and its length", () => {
  for (const line of ["# a\n", "## a\n<!--\n", "a\n=\n", "- [ ] a\n", "```\n\n", "\n", "a "]) {
    for (const length of [100_000, lengthOf(5_000_000)]) {
      const text = line.repeat(length / line.length);
      const { length: count } = chunkMarkdown(text);
      assert.ok(count <= MAX_HEADINGS + (2 * text.length) / MAX_CHUNK_CHARS + 1, `${count} of ${line}`);
    }
  }
});

test("what follows the outline is text of the last section, none of it lost", () => {
  const many = Array.from({ length: MAX_HEADINGS + 10 }, (_, n) => `# ${n}\n`).join("");
  const [last] = chunkMarkdown(many).slice(-1);
  assert.equal(last?.heading, `# ${MAX_HEADINGS - 1}`);
  assert.match(last?.content ?? "", new RegExp(`^# ${MAX_HEADINGS}\n[^]*# ${MAX_HEADINGS + 9}$`));
  const long = `# a\n${"word 😀 ".repeat(MAX_OUTLINE_CHARS / 7)}\n\n  # b\n${"x\n".repeat(10_000)}`;
  const chunks = chunkMarkdown(long);
  const joined = chunks.map(({ content }) => content).join("");
  assert.equal(joined.replace(/\s/g, ""), long.slice(4).replace(/\s/g, ""));
  assert.deepEqual([...new Set(chunks.map(({ heading }) => heading))], ["# a"]);
  for (const { content, offset } of chunks)
    assert.equal(long.slice(offset, offset + content.length), content);
});
