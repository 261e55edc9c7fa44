import assert from "node:assert/strict";
import { test } from "node:test";
import { markBlock } from "../../../src/core/notes/session/captured-block.ts";
import { summarizeSession } from "../../../src/core/notes/session/summary.ts";
import { blockLines } from "../../../src/sessions/transcripts/block.ts";

const DAY = {
  client: "claude-code",
  from: new Date("2026-11-24T14:05:00Z"),
  to: new Date("2026-11-24T15:20:00Z"),
  asks: ["Fix `login` for **everyone**", "And the tests", "Then deploy", "Write it down"],
  said: "Done.",
  files: [],
  documents: [],
  tasks: [],
  commits: [],
  failed: [],
  models: ["opus"],
  tokens: { input: 12, cached: 3, output: 4 },
  isLogged: false,
} as unknown as Parameters<typeof blockLines>[0];

const block = (day: typeof DAY, session: string) =>
  markBlock({ client: day.client, session }, day.to, { lines: blockLines(day) });

test("a captured session says what was asked and who held it", () => {
  const codex = { ...DAY, client: "codex", asks: ["Look at it again"], models: [] } as typeof DAY;
  const note = `# Session Log - 2026-11-24\n\nBy hand.\n\n${block(DAY, "a")}\n`;
  assert.deepEqual(summarizeSession(note), {
    lines: ["Fix login for everyone", "And the tests", "Then deploy"],
    holders: [{ client: "Claude Code", model: "opus" }],
  });
  assert.deepEqual(summarizeSession(`${note}\n${block(codex, "b")}\n${block(codex, "c")}\n`), {
    lines: ["Look at it again"],
    holders: [
      { client: "Claude Code", model: "opus" },
      { client: "Codex", model: "unknown" },
    ],
  });
});

test("a note by hand says what was done, or how it begins", () => {
  const lines = (text: string) => summarizeSession(text).lines;
  assert.deepEqual(lines("# Session Log - 2026-11-24\n\n## Done\n\n- [x] Moved [[001-a|the key]]\n"), [
    "Moved the key",
  ]);
  assert.deepEqual(
    lines("---\ntitle: x\n---\n# Log\n\nRead [the docs](docs.md).\n\n\nRead [the docs](docs.md).\n"),
    ["Read the docs."],
  );
  assert.deepEqual(lines("# Session Log\n"), []);
  assert.ok((lines(`# Log\n\n${"word ".repeat(100)}`)[0] ?? "").endsWith("word…"));
});
