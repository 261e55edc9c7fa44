import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addedConflicts,
  applyTyped,
  differing,
  markerSize,
  mergedLines,
  readDiff,
  saidLines,
  typedText,
  withoutStatusLine,
} from "../../src/board/views/document/text.ts";
import { diffStart } from "../../src/core/lib/diff.ts";
import type { SidedConflict } from "../../src/core/markdown/conflicts.ts";
import { mergeNotes } from "../../src/core/notes/merge/merge.ts";

const piece = fc.constantFrom("a", "b", " ", "\n", "\r\n", "\r", "é", "😀", "- [ ] x");
const raw = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(piece, { maxLength: 30 }))
  .map(([mark, pieces]) => mark + pieces.join(""));
const typed = fc
  .array(fc.constantFrom("a", "b", " ", "\n", "é"), { maxLength: 20 })
  .map((all) => all.join(""));

test("a text that nobody changed stays byte for byte", () => {
  fc.assert(fc.property(raw, (text) => assert.equal(applyTyped(text, typedText(text)), text)));
});

test("the file holds what was typed, and keeps its mark", () => {
  fc.assert(
    fc.property(raw, typed, (text, next) => {
      const file = applyTyped(text, next);
      assert.equal(typedText(file), next);
      assert.equal(file.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
    }),
    {
      examples: [
        ["\r", "\n\n"],
        ["\ra\n", "\n\n"],
      ],
    },
  );
});

test("what stands around a change keeps its line endings", () => {
  const text = "\uFEFFone\r\ntwo\nthree\rfour\r\nfive\r\n";
  assert.equal(
    applyTyped(text, "one\ntwo\nthree\nfour\nnew\nfive\n"),
    "\uFEFFone\r\ntwo\nthree\rfour\r\nnew\r\nfive\r\n",
  );
  assert.equal(applyTyped(text, "one\n2\nthree\nfour\nfive\n"), "\uFEFFone\r\n2\nthree\rfour\r\nfive\r\n");
});

test("the server's diff is read line by line", () => {
  assert.deepEqual(readDiff("@@ line 1 @@\n a\n-b\n+c\n(2 more lines)"), [
    { mark: "@", text: "@@ line 1 @@" },
    { mark: " ", text: "a" },
    { mark: "-", text: "b" },
    { mark: "+", text: "c" },
    { mark: "@", text: "(2 more lines)" },
  ]);
  assert.deepEqual(readDiff(""), []);
});

test("fields that say nothing to people are left out of a difference, in the frontmatter alone", () => {
  const text = "---\nid: A-1\nupdated: 2026-01-01\nowner: ana\n---\n# A\n\nid: one\n";
  const said = (after: string) =>
    saidLines(diffStart(text, after), text).map(({ mark, text: line }) => mark + line);
  const [at, owner, body] = ["@@@ line 1 @@", " owner: ana", [" ---", " # A", " "]];
  const touched = text.replace("01-01", "02-02").replace("A-1", "A-2");
  assert.deepEqual(said(touched), []);
  assert.deepEqual(said(touched.replace("ana", "ben")), [at, " ---", "-owner: ana", "+owner: ben", ...body]);
  const changed = [at, " ---", owner, ...body, "-id: one", "+id: two"];
  assert.deepEqual(said(touched.replace("one", "two")), changed);
  assert.deepEqual(
    said(touched.replace("one", "two").replace("ana\n", "ana\ncreated: 2026-02-02\n")),
    changed,
  );
  assert.deepEqual(saidLines(diffStart("", "id: one\n"), "").length, 2);
});

/** What a save leaves of two texts that came from one base, and the conflicts that it added. */
function saved(base: string, ours: string, theirs: string) {
  const show = { size: markerSize([ours, theirs]), ours: "you", theirs: "Ada" };
  const { text } = mergeNotes({ base, ours, theirs }, { isSession: false, show });
  return { text, added: addedConflicts(theirs, text) };
}

const EARLIER = "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> topic\n";

test("a conflict that stood there before waits, and hides none that a save adds", () => {
  const base = `# A\n\n${EARLIER}\nBetween.\n\nLast.\n`;
  const { text, added } = saved(base, base.replace("Last", "Mine"), base.replace("Last", "Theirs"));
  const sidesOf = (conflicts: SidedConflict[]) =>
    conflicts.map(({ ours, theirs }) => ours.text + theirs.text);
  assert.deepEqual(sidesOf(added), ["Mine.\nTheirs.\n"]);
  assert.deepEqual(sidesOf(addedConflicts(base, text.replace(EARLIER, "One.\n"))), ["Mine.\nTheirs.\n"]);
});

test("what differs between two texts is told in whole words, and how many lines of others are merged", () => {
  const texts: [one: string, other: string, parts: string[][]][] = [
    [
      "bursts of 400.\n",
      "bursts of 500.\n",
      [
        ["bursts of ", "400", ".\n"],
        ["bursts of ", "500", ".\n"],
      ],
    ],
    [
      "a b",
      "a c b",
      [
        ["a ", "", "b"],
        ["a ", "c ", "b"],
      ],
    ],
    [
      "検索する",
      "検証する",
      [
        ["検", "索", "する"],
        ["検", "証", "する"],
      ],
    ],
    [
      "",
      "x",
      [
        ["", "", ""],
        ["", "x", ""],
      ],
    ],
  ];
  for (const [one, other, parts] of texts) assert.deepEqual(differing(one, other), parts);
  const base = "# A\n\n- [ ] One\n- [ ] Two\n\nLast.\n\n## End\n";
  const theirs = base.replaceAll("[ ]", "[x]").replace("Last", "Theirs");
  assert.equal(mergedLines(base, theirs, saved(base, base.replace("Last", "Mine"), theirs).text), 2);
});

test("a save that conflicts in a conflict leaves no marker behind once each is chosen", () => {
  const base = `# A\n\n${EARLIER}`;
  const changes: [ours: string, theirs: string][] = [
    [base.replace("One", "Mine"), base.replace("One", "Theirs")],
    ["# A\n\nMine.\n", base.replaceAll("HEAD", "main").replace("One", "Theirs").replace("Two", "Others")],
  ];
  for (const [ours, theirs] of changes) {
    let { text, added } = saved(base, ours, theirs);
    for (; added.length > 0; added = addedConflicts(theirs, text)) {
      const [{ start, end, ours: side }] = added as [SidedConflict];
      text = text.slice(0, start) + side.text + text.slice(end);
    }
    assert.equal(text, "# A\n\nMine.\n");
  }
});

test("the Status line of a task becomes spaces, so that places in its text stay", () => {
  const texts: [text: string, line: string][] = [
    ["# A\n\nStatus: done\n\nText\n", "Status: done"],
    ["# A\r\n- **Status:** ✅ done\r\n- x\r\n", "- **Status:** ✅ done"],
    ["---\nstatus: pending\n---\nStatus: pending", "Status: pending"],
    ["Status: pending <!-- done, review -->\n", "Status: pending <!-- done, review -->"],
  ];
  for (const [text, line] of texts) {
    const place = text.lastIndexOf(line);
    const shown = text.slice(0, place) + " ".repeat(line.length) + text.slice(place + line.length);
    assert.equal(withoutStatusLine(text), shown, text);
  }
});

test("a line that says more than the fields, or something else, stays", () => {
  for (const text of [
    "Status: done (since May)\n",
    "Status: someday\n",
    "---\nstatus: done\n---\nStatus: pending\n",
    "# No status\n",
    "```\nStatus: done\n```\n",
    "## Status\n\ndone\n",
    "| Status | done |\n|---|---|\n",
  ])
    assert.equal(withoutStatusLine(text), text);
});
