import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { isDateOrDateTime, leadingDate } from "../../src/notes/calendar.ts";

test("a leading date must exist in the calendar", () => {
  assert.equal(leadingDate("2025-02-09-notes"), "2025-02-09");
  assert.equal(leadingDate("2024-02-29"), "2024-02-29");
  for (const text of [
    "2025-02-29",
    "2025-13-01",
    "2025-00-10",
    "2025-01-00",
    "2025-1-1",
    "2025-01-011",
    "x2025-01-01",
    "",
  ]) {
    assert.equal(leadingDate(text), null, text);
  }
});

test("every day between 1000 and 9999 is a date", () => {
  const min = new Date("1000-01-01T00:00:00Z");
  const max = new Date("9999-12-31T00:00:00Z");
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      assert.ok(isDateOrDateTime(date.toISOString()));
      assert.equal(leadingDate(date.toISOString()), date.toISOString().slice(0, 10));
    }),
  );
});

test("a date may carry an ISO time of day and nothing else", () => {
  for (const time of [
    "",
    "T14:30",
    "T14:30:00",
    "T14:30:00Z",
    "T14:30:00.123+02:00",
    " 14:30:00 +0200",
    "t00:00z",
  ]) {
    assert.ok(isDateOrDateTime(`2025-02-09${time}`), time);
  }
  for (const time of ["T24:00", "T14:60", "T14", " noon", "-1", "Z"]) {
    assert.ok(!isDateOrDateTime(`2025-02-09${time}`), time);
  }
});
