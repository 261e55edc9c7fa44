import assert from "node:assert/strict";
import test from "node:test";
import { sessionDate } from "../../src/domain/session.ts";

const SESSIONS: [filename: string, date: string | null][] = [
  ["2025-02-09.md", "2025-02-09"],
  ["2025-02-09-debugging-auth.md", "2025-02-09"],
  ["2025/2025-02-09.md", "2025-02-09"],
  ["2025-02-30.md", null],
  ["2025-02.md", null],
  ["notes.md", null],
  ["", null],
];

for (const [filename, date] of SESSIONS) {
  test(`the day of the session '${filename}' is ${date}`, () => assert.equal(sessionDate(filename), date));
}
