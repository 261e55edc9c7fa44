import assert from "node:assert/strict";
import { test } from "node:test";
import { addNoteLine, lastNote, saidIn } from "../../../src/core/notes/task/note-line.ts";

const TASK = "# Task: Refunds\n\nStatus: blocked\n\n## Steps\n- [ ] One\n";

test("the note that was added last is read back as one line", () => {
  for (const ending of ["\n", "\r\n"]) {
    const text = TASK.replaceAll("\n", ending);
    assert.equal(lastNote(text), undefined);
    const once = addNoteLine(text, {
      day: "2026-01-02",
      writer: "ana",
      note: "The `sandbox` is\nnot open yet",
    });
    assert.equal(lastNote(once), "2026-01-02, ana: The sandbox is not open yet");
    assert.equal(saidIn(lastNote(once) ?? ""), "The sandbox is not open yet");
    const twice = addNoteLine(once, { day: "2026-01-03", writer: undefined, note: "Asked **again**" });
    assert.equal(lastNote(twice), "2026-01-03: Asked again");
    assert.equal(saidIn(lastNote(twice) ?? ""), "Asked again");
  }
});

test("notes of any shape end in their last line", () => {
  const last = (notes: string) => lastNote(`${TASK}\n## Notes\n${notes}\n\n## Other\nNo.\n`);
  assert.equal(last("\nWaits for the bank.\n\n"), "Waits for the bank.");
  assert.equal(last("1. One\n2. [Two](x.md)\n   - [[y|Three]]"), "Three");
  assert.equal(last(""), undefined);
  assert.equal(lastNote("# Tarea\n\n## Notas\n- Espera al banco\n"), "Espera al banco");
});
