import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutStatusLine } from "../../src/board/views/document/status-line.ts";

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
  ])
    assert.equal(withoutStatusLine(text), text);
});
