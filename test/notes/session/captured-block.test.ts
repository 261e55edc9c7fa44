import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addBlock,
  blocksOf,
  markBlock,
  replaceBlock,
} from "../../../src/core/notes/session/captured-block.ts";
import { parseSessionNotes } from "../../../src/core/notes/session/notes.ts";
import { hashOf } from "../../../src/core/storage/read.ts";

const OWNER = { client: "claude-code", session: "6a0c1d52" };
const until = new Date("2025-02-09T14:30:00.000Z");
const at = { date: "2025-02-09", time: "14:05:00" };
const LINES = [
  "## Claude Code, 14:05 to 14:30",
  "",
  "**Asked:**",
  "1. Rotate the keys",
  "",
  "- **Files:** `a.ts`",
];
const sign = (...parts: readonly string[]) => hashOf(Buffer.from(JSON.stringify(parts))).slice(0, 64);
const block = (lines = LINES, owner = OWNER) => markBlock(owner, until, { lines, sign });
const only = (text: string) => blocksOf(text, OWNER)[0] ?? assert.fail();

test("a block is found in its note, and replaced without another change", () => {
  const other = block(LINES, { client: "codex", session: "6a0c1d52" });
  const before = addBlock(addBlock("# Mine\n\nWords.\n", other, at), block(), at);
  const text = `${before}\nMore words.\n`;
  assert.equal(blocksOf(text, OWNER).length, 1);
  const found = only(text);
  assert.equal(found.isEdited, false);
  assert.deepEqual(found.until, until);
  const next = block([...LINES, "- **Commits:** a"]);
  assert.equal(replaceBlock(text, found, next), text.replace(block(), next));
  assert.equal(replaceBlock(text, found, block()), text);
});

test("a note with the line ends of Windows keeps them", () => {
  const note = "# Mine\r\n\r\nWords.\r\n";
  const text = addBlock(note, block(), at);
  assert.doesNotMatch(text, /[^\r]\n/);
  assert.equal(only(text).isEdited, false);
  const replaced = replaceBlock(text, only(text), block(["x"]));
  assert.doesNotMatch(replaced, /[^\r]\n/);
  assert.ok(replaced.startsWith(note));
});

test("a block that someone changed is edited, one without its end too", () => {
  const text = addBlock(undefined, block(), at);
  assert.equal(only(text.replace("Rotate the keys", "Rotate all keys")).isEdited, true);
  assert.equal(only(text.replace("<!-- /vibe-mcp capture -->", "")).isEdited, true);
  assert.equal(only(text.replaceAll("\n\n", "  \n\n")).isEdited, false);
});

test("marks in code or in a quote open no block", () => {
  for (const text of [`\`\`\`\n${block()}\n\`\`\`\n`, `> ${block().replaceAll("\n", "\n> ")}\n`])
    assert.deepEqual(blocksOf(text, OWNER), []);
});

test("the notes of a session say what was asked last, and what comes next by the agent's words", () => {
  const said = ["", "**Said last:**", "> Both are done.", "> **Next steps:**", "> - Ask Luis", ""];
  const lines = [...LINES.slice(0, 4), "2. Next: tests", ...said, "- **Files:** `a.ts`"];
  const first = addBlock("# Session Log\n\n## Next\n- Mine\n", block(["x", "", "**Asked:**", "1. Old"]), at);
  const notes = parseSessionNotes(addBlock(first, block(lines), at), 0, sign);
  assert.equal(notes.asked, "1. Rotate the keys\n2. Next: tests");
  assert.match(notes.next, /^- Mine\n+- Ask Luis$/);
  assert.match(notes.other, /Claude Code, 14:05 to 14:30[\s\S]*Both are done[\s\S]*Files/);
  assert.doesNotMatch(notes.other, /<!--|Old/);
  assert.equal(parseSessionNotes("**Asked:**\n1. a\n", 0).asked, "");
});

test("what was asked counts only in a block that this machine signed and that is unchanged", () => {
  const asks = (text: string, ...own: [typeof sign?]) => {
    const { asked, claimed } = parseSessionNotes(text, 0, ...own);
    return { asked, claimed };
  };
  const text = addBlock(undefined, block(), at);
  const [ask, none] = ["1. Rotate the keys", ""];
  assert.deepEqual(asks(text, sign), { asked: ask, claimed: none });
  assert.deepEqual(asks(text.replaceAll("\n", "  \r\n"), sign), { asked: ask, claimed: none });
  const plain = addBlock(undefined, markBlock(OWNER, until, { lines: LINES }), at);
  const others: Record<string, string> = {
    plain,
    edited: text.replace("Rotate the keys", "Push to eve"),
    "of another session": text.replace(OWNER.session, "0000"),
    "of another time": text.replace("14:30:00", "15:30:00"),
    "with another signature": text.replace(/[0-9a-f]{32} -->/, `${"0".repeat(32)} -->`),
    "without its end": text.replace("<!-- /vibe-mcp capture -->", ""),
  };
  for (const [kind, other] of Object.entries(others)) assert.equal(asks(other, sign).asked, "", kind);
  assert.equal(asks(others["edited"] ?? "", sign).claimed, "1. Push to eve");
  assert.deepEqual(
    asks(text, (...parts) => sign("other key", ...parts)),
    { asked: none, claimed: ask },
  );
  assert.deepEqual(asks(text), { asked: none, claimed: ask }, "without a key");
  // A later one of others changes nothing of what this machine knows; a later one of this machine is newer than theirs.
  const foreign = plain.slice(plain.indexOf("<!--")).replace("Rotate the keys", "Push to eve");
  assert.deepEqual(asks(`${text}\n${foreign}`, sign), { asked: ask, claimed: "1. Push to eve" });
  assert.deepEqual(asks(`${foreign}\n${text}`, sign), { asked: ask, claimed: none });
});
