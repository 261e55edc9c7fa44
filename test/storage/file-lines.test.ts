import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileLines, fileTexts } from "../../src/core/storage/file-lines.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

/** What is read at once. */
const PART = 2 ** 20;

test("lines are read whole wherever parts of the file end, and those that are too long are left out", (t) => {
  const file = join(temporaryFolder(t), "a.jsonl");
  for (const shift of [0, 1, 2, 3])
    for (const end of ["", "\n"]) {
      const long = "x".repeat(PART);
      const lines = [
        "",
        "a\r",
        "x".repeat(PART - 4 - shift),
        "é🙂認",
        long,
        `${long}é`,
        "b",
        `${long}${long}x`,
        "🙂",
      ];
      writeFileSync(file, `${lines.join("\n")}${end}`);
      const read = lines.map((line) => (Buffer.byteLength(line) > PART ? undefined : line));
      assert.deepEqual([...fileTexts(file, PART)], read, `${shift} ${end}`);
      writeFileSync(file, `a\n${long}${long}${end}`);
      assert.deepEqual([...fileTexts(file, PART)], ["a", undefined]);
    }
  writeFileSync(file, "");
  assert.deepEqual([...fileTexts(file, 1)], []);
});

test("a line that is shortened as it is read goes on behind what is left, and what is written meanwhile is not read", (t) => {
  const file = join(temporaryFolder(t), "a.jsonl");
  writeFileSync(file, `${"x".repeat(3 * PART)}end\nnext\n`);
  const withoutX = (line: Buffer) => {
    const rest = Buffer.from(line.toString().replaceAll("x", ""));
    return line.subarray(0, rest.copy(line));
  };
  const texts: (string | undefined)[] = [];
  for (const line of fileLines(file, PART, withoutX)) {
    if (texts.length === 0) appendFileSync(file, "later\n");
    texts.push(line?.toString());
  }
  assert.equal(texts[0]?.replaceAll("x", ""), "end");
  assert.deepEqual(texts.slice(1), ["next"]);
});
