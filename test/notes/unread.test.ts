import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { daysIn } from "../../src/core/notes/days.ts";
import { describeDocument } from "../../src/core/notes/document.ts";
import { changeTask } from "../../src/core/notes/task/edit.ts";
import { normalizePriority } from "../../src/core/notes/task/priorities.ts";
import { inAnyLanguage } from "../../src/core/notes/words/languages.ts";
import { PRIORITIES } from "../../src/core/notes/words/type.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const AT = { project: "p", folder: "tasks", filename: "001-a.md" };
const note = (fields: string) => `---\n${fields}\n---\n# Task: A\n\nStatus: pending\n`;
const factsOf = (fields: string) => describeDocument(AT, note(fields));

const READ: [fields: string, due: string | undefined, priority: string | undefined][] = [
  ["due: 2026-12-01", "2026-12-01", undefined],
  ["due: 2026-12-01T10:00:00Z", "2026-12-01", undefined],
  ["due: [[2026-12-01]]", "2026-12-01", undefined],
  ["due:", undefined, undefined],
  ["priority: Urgent", undefined, "high"],
  ["priority: P1", undefined, "high"],
  ["priority: 🔴 High", undefined, "high"],
  ["priority: ⏫", undefined, "high"],
  ["優先度: 低い", undefined, "low"],
];

for (const [fields, due, priority] of READ)
  test(`${fields} is read`, () => {
    const { task, unread } = factsOf(fields);
    assert.deepEqual([task?.due, task?.priority, unread], [due, priority, []]);
  });

const UNREAD: [fields: string, ...said: string[]][] = [
  ["due: 2026-12-1", "due: 2026-12-1 is not read; write 2026-12-01"],
  ["due: 01/12/2026", "due: 01/12/2026 is not read; write 2026-12-01 or 2026-01-12"],
  ["due: 25.12.2026", "due: 25.12.2026 is not read; write 2026-12-25"],
  ["due: Dec 1, 2026", "due: 'Dec 1, 2026' is not read; write 2026-12-01"],
  ["due: 2026年12月1日", "due: 2026年12月1日 is not read; write 2026-12-01"],
  ["due: 2026-02-30", "due: 2026-02-30 is not read; write YYYY-MM-DD"],
  ["Due: soon", "Due: soon is not read; write YYYY-MM-DD"],
  ["priority: 1", "priority: 1 is not read; write high, medium, low"],
  ["order: first", "order: first is not read; write a number"],
  ["order: 1e12", "order: 1000000000000 is not read; write a number"],
  ["claimed_until: later", "claimed_until: later is not read; write a date or an ISO date-time"],
  ["updated: yesterday", "updated: yesterday is not read; write a date or an ISO date-time"],
  ["owner: {name: ana}", `owner: '{"name":"ana"}' is not read; write who does it`],
  ["tags: [a, {b: c}]", `tags: '["a",{"b":"c"}]' is not read; write words`],
  ["tags: #api", "tags: #api is a comment for YAML; write it in quotes"],
  ["status: [a, b]", `status: '["a","b"]' is not read; write one word`],
  ["Due: 2026-01-01\ndue: 2026-01-02", "Due: 2026-01-01 is not read: due stands there, too"],
  [
    "due: soon\npriority: x",
    "priority: x is not read; write high, medium, low",
    "due: soon is not read; write YYYY-MM-DD",
  ],
];

for (const [fields, ...said] of UNREAD)
  test(`${JSON.stringify(fields)} is named`, () => {
    const { unread, task } = factsOf(fields);
    assert.deepEqual([unread, task?.unread], [said, said]);
  });

test("in a note that is no task, only what any note has is named", () => {
  const facts = describeDocument({ ...AT, folder: "plans" }, note("due: soon\npriority: x\nupdated: soon"));
  assert.deepEqual(facts.unread, ["updated: soon is not read; write a date or an ISO date-time"]);
});

test("each word of a priority reads as it, and stays where it says so already", () => {
  for (const priority of PRIORITIES)
    for (const word of inAnyLanguage(({ priorities }) => priorities[priority])) {
      assert.equal(normalizePriority(word), priority, word);
      const text = note(`priority: "${word.toUpperCase()}" # why`);
      assert.equal(changeTask(text, { priority }).text, text);
    }
});

test("each day is offered, however it is written", () => {
  const day = fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  const property = fc.property(day, (date) => {
    const iso = date.toISOString().slice(0, 10);
    const [y = "", m = "", d = ""] = iso.split("-");
    const english = date.toLocaleDateString("en", { dateStyle: "long", timeZone: "UTC" });
    const spanish = date.toLocaleDateString("es", { dateStyle: "long", timeZone: "UTC" });
    for (const text of [
      iso,
      `${y}/${Number(m)}/${Number(d)}`,
      `${y}${m}${d}`,
      `${y}年${Number(m)}月${d}日`,
      english,
      spanish,
    ])
      assert.deepEqual(daysIn(text), [iso], text);
    for (const text of [`${d}/${m}/${y}`, `${Number(m)}.${Number(d)}.${y}`])
      assert.ok(daysIn(text).includes(iso), text);
    const { task, unread } = factsOf(`due: ${iso}`);
    assert.deepEqual([task?.due, unread], [iso, []]);
  });
  fc.assert(property, { numRuns: numRuns(10_000) });
});
