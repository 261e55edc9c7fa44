import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { ELSEWHERE, OTHERS, PROVOKED } from "./messages.ts";

/** The texts in backticks in the first column of the tables. */
function explained(): string[] {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const symptoms = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, symptom = ""]) => symptom);
  return symptoms.flatMap((symptom) => [...symptom.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text));
}

/** Names in that column that are not messages. */
const NAMES = ["vibe-mcp", "tool_create_task"];

test("every message on the page can be provoked", () => {
  const known = [...Object.keys(PROVOKED), ...Object.keys(ELSEWHERE), ...NAMES];
  assert.deepEqual([...new Set(explained())].sort(), known.sort());
});

for (const [message, provoke] of Object.entries({ ...PROVOKED, ...OTHERS })) {
  test(`the program says "${message}"`, { skip: ON_WINDOWS }, async (t) => {
    const said = await provoke(t);
    for (const part of message.split("…")) assert.ok(said.includes(part.trim()), said);
  });
}

for (const [message, file] of Object.entries(ELSEWHERE)) {
  test(`${file} looks for "${message}"`, () => {
    const code = readFileSync(file, "utf8");
    assert.ok(message.split("…").every((part) => code.includes(part.trim())));
  });
}
