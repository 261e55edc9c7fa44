import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { closingLine } from "../../../src/core/markdown/blocks.ts";
import { findHeadings } from "../../../src/core/markdown/headings.ts";
import { headingLine } from "../../../src/core/markdown/sections.ts";
import { checkNewFilename } from "../../../src/core/notes/names.ts";
import {
  appendSession,
  renderSession,
  sessionDate,
  sessionFilename,
} from "../../../src/core/notes/session/file.ts";
import { parseSessionNotes } from "../../../src/core/notes/session/notes.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { anyText } from "../../fixtures/texts.ts";

const DAY = "2025-02-09";

const NAMES: [suffix: string | undefined, filename: string][] = [
  [undefined, "2025-02-09.md"],
  ["", "2025-02-09.md"],
  ["debugging-auth", "2025-02-09-debugging-auth.md"],
  ["Depuración de auth.md", "2025-02-09-depuracion-de-auth.md"],
  ["con", "2025-02-09-con.md"],
];

for (const [suffix, filename] of NAMES) {
  test(`the session file with the suffix ${JSON.stringify(suffix)} is ${filename}`, () =>
    assert.equal(sessionFilename(DAY, suffix), filename));
}

test("a session file has a name that may be written, and the date in it", () => {
  fc.assert(
    fc.property(anyText, (suffix) => {
      const filename = sessionFilename(DAY, suffix);
      checkNewFilename(filename);
      assert.equal(sessionDate(filename), DAY);
    }),
  );
});

test("a new session stands under the header of its day, also when it has a title", () => {
  assert.equal(renderSession(DAY, "## Done\n\n- a"), "# Session Log - 2025-02-09\n\n## Done\n\n- a\n");
  assert.equal(renderSession(DAY, "\n# Mine\r\na\r\n\r\n"), "# Session Log - 2025-02-09\n\n# Mine\na\n");
});

const SEPARATOR = "---\n**14:30:15**\n\nnew\n";

const ADDITIONS: [name: string, text: string, expected: string][] = [
  [
    "to what was written",
    "# Session Log - 2025-02-09\n\nold\n",
    `# Session Log - 2025-02-09\n\nold\n\n${SEPARATOR}`,
  ],
  ["to a last line without newline", "old", `old\n\n${SEPARATOR}`],
  ["after a blank line", "old\n\n", `old\n\n${SEPARATOR}`],
  ["to an empty file", "", `\n${SEPARATOR}`],
  ["with a byte order mark", "\uFEFFold\n", `\uFEFFold\n\n${SEPARATOR}`],
  ["with CRLF", "old\r\n", `old\r\n\r\n${SEPARATOR.replaceAll("\n", "\r\n")}`],
];

for (const [name, text, expected] of ADDITIONS) {
  test(`a session is added ${name}`, () =>
    assert.equal(appendSession(text, "\nnew\n\n", "14:30:15"), expected));
}

test("an added session leaves every byte before it, and makes no heading of it", () => {
  fc.assert(
    fc.property(anyText, anyText, (text, content) => {
      const edited = appendSession(text, content, "14:30:15");
      assert.ok(edited.startsWith(text));
      fc.pre(closingLine(text) === null && !text.endsWith("\r"));
      const before = findHeadings(text).map(headingLine);
      const after = findHeadings(edited);
      assert.deepEqual(after.slice(0, before.length).map(headingLine), before);
      assert.ok(after.slice(before.length).every(({ start }) => start > text.length));
    }),
    { numRuns: numRuns(1000) },
  );
});

test("hostile texts are added to", () => {
  for (const part of ["\n", " ", "\r", "\n "]) {
    const text = part.repeat(1_000_000);
    assert.ok(appendSession(text, text, "14:30:15").startsWith(text));
  }
});

const SESSIONS: [filename: string, date: string | null][] = [
  ["2025-02-09.md", "2025-02-09"],
  ["2025-02-09-debugging-auth.md", "2025-02-09"],
  ["2025-02-30.md", null],
  ["", null],
];

for (const [filename, date] of SESSIONS) {
  test(`the day of the session '${filename}' is ${date}`, () => assert.equal(sessionDate(filename), date));
}

test("a fence or a comment that a note leaves open hides no later note", () => {
  for (const open of ["```js\nlet a;", "a\n\n<!-- b", "> ~~~\n> c"]) {
    const logged = appendSession(renderSession("2025-02-09", open), "## Next\nd", "14:30:15");
    const byHand = appendSession(`# Session Log\n\n${open}`, "## Next\nd", "14:30:15");
    for (const text of [logged, byHand]) assert.equal(parseSessionNotes(text, 0).next, "d", open);
  }
});
