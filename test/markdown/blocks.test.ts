import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { closingLine, eachMarkdownLine } from "../../src/core/markdown/blocks.ts";
import { eachLine, indentation, trimBlankLines, writtenLines } from "../../src/core/markdown/lines.ts";
import { lengthOf, numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const regions = (text: string) => [...eachMarkdownLine(text)].map((line) => line.region);

test("lines end at LF and CRLF, not at a lone CR", () => {
  const lines = [...eachLine("a\r\nb\rc\n\nd")];
  assert.deepEqual(lines, [
    { start: 0, end: 1, next: 3, text: "a" },
    { start: 3, end: 6, next: 7, text: "b\rc" },
    { start: 7, end: 7, next: 8, text: "" },
    { start: 8, end: 9, next: 9, text: "d" },
  ]);
});

test("a final terminator starts no further line, and an empty text has none", () => {
  assert.equal([...eachLine("a\n")].length, 1);
  assert.equal([...eachLine("")].length, 0);
});

test("lines stay inside the range that was asked for", () => {
  const lines = [...eachLine("one\ntwo\nthree\n", 4, 10)].map((line) => line.text);
  assert.deepEqual(lines, ["two", "th"]);
});

test("lines cover any text without gap or overlap", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let at = 0;
      for (const line of eachLine(text)) {
        assert.equal(line.start, at);
        assert.equal(line.text, text.slice(line.start, line.end));
        assert.match(text.slice(line.end, line.next), /^(\r?\n)?$/);
        at = line.next;
      }
      assert.equal(at, text.length);
    }),
  );
});

const FENCES: [name: string, text: string, expected: string][] = [
  ["backticks", "```\ncode\n```\ntext", "cccT"],
  ["tildes with an info string that has backticks", "~~~ a`b\ncode\n~~~\ntext", "cccT"],
  ["a shorter closing fence", "````\n```\n````\ntext", "cccT"],
  ["a closing fence of the other kind", "```\n~~~\n```\ntext", "cccT"],
  ["a closing fence with an info string", "```\n``` js\n```\ntext", "cccT"],
  ["four spaces before the opening fence", "    ```\ntext", "cT"],
  ["four spaces before the closing fence", "```\n    ```\ncode", "ccc"],
  ["no closing fence", "```\na\n\nb", "cccc"],
  ["a fence on a list marker's line", "- ```js\n  code\n  ```\ntext", "cccT"],
  ["a fence in a numbered item, closed further right", "12. ~~~\n    code\n       ~~~\ntext", "cccT"],
  ["a fence in a nested item", "- - ```\n    a\n\n    ```\n- b", "ccccT"],
  ["a fence in an item that the next item ends", "- ```\n  code\n- text\n  text", "ccTT"],
  ["a closing fence too far right for its item", "- ```\n      ```\n  code", "ccc"],
  ["a code span on a list marker's line", "- ```a```\ntext", "TT"],
  ["a comment over lines", "<!--\nhidden\n-->\ntext", "!!!T"],
  ["a comment on one line", "<!-- a -->\ntext", "!T"],
  ["a comment that is never closed", "<!-- a\ntext", "TT"],
  ["a comment inside a fence", "```\n<!--\n```\ntext -->", "cccT"],
  ["a fence inside a comment", "<!--\n```\n-->\ntext", "!!!T"],
  ["a comment in the middle of a line", "a <!--\ntext -->", "TT"],
];

for (const [name, text, expected] of FENCES) {
  test(`the regions of lines are right with ${name}`, () => {
    const shown = { text: "T", code: "c", comment: "!", html: "H" };
    assert.equal(
      regions(text)
        .map((region) => shown[region])
        .join(""),
      expected,
    );
  });
}

test("indentation counts to four, and a tab is four", () => {
  assert.deepEqual(
    ["a", " a", "   a", "    a", "     a", "\ta", "  \ta", ""].map(indentation),
    [0, 1, 3, 4, 4, 4, 4, 0],
  );
});

test("texts of millions of characters are read to the last line", () => {
  const hostile = [
    "`".repeat(lengthOf(5_000_000)),
    "- ".repeat(lengthOf(2_500_000)),
    `- \`\`\`\n${" ".repeat(lengthOf(5_000_000))}`,
    "<!--\n".repeat(lengthOf(200_000)),
    "<!--\n-->\n".repeat(lengthOf(100_000)),
    "\n".repeat(lengthOf(1_000_000)),
  ];
  for (const text of hostile) {
    let last = 0;
    for (const line of eachMarkdownLine(text)) last = line.next;
    assert.equal(last, text.length);
  }
});

const OPEN: [name: string, text: string, closing: string | null][] = [
  ["nothing open", "text\n```\ncode\n```\n<!-- a -->", null],
  ["a fence", "```js\ncode\n", "```"],
  ["a longer fence with a shorter one in it", "~~~~\n~~~\n", "~~~~"],
  ["a fence with a comment in it", "```\n<!--", "```"],
  ["a fence that its list item ended", "- ```js\n  code\ntext", null],
];

for (const [name, text, closing] of OPEN) {
  test(`the closing line is right with ${name}`, () => assert.equal(closingLine(text), closing));
}

test("a closed text leaves nothing open, whatever follows", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const closing = closingLine(text);
      const closed = closing === null ? text : `${text}\n${closing}`;
      assert.equal(closingLine(closed), null);
      assert.equal(regions(`${closed}\nnext\n-->`).at(-2), "text");
    }),
    { numRuns: numRuns(1000) },
  );
});

test("blank lines around a text are trimmed, its indentation is not", () => {
  assert.equal(trimBlankLines("\n \r\n    a\n\n  b  \n\n"), "    a\n\n  b");
  assert.equal(trimBlankLines("\n \t"), "");
});

test("written lines are those from the first to the last that is not blank", () => {
  assert.deepEqual(writtenLines("x\n\n a \n\nb\r\n\r\n", 2), { start: 3, end: 9 });
  assert.equal(writtenLines("a\n\n", 2), null);
});
