import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import {
  isDateOrDateTime,
  leadingDate,
  localDate,
  localTime,
  systemClock,
} from "../../src/core/lib/clock.ts";

function setZone(t: TestContext, zone: string): void {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  t.after(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
}

const DATES: [zone: string, instant: string, date: string, time: string][] = [
  ["UTC", "2025-03-01T00:00:00Z", "2025-03-01", "00:00:00"],
  ["Pacific/Auckland", "2024-12-31T12:30:00Z", "2025-01-01", "01:30:00"],
  ["America/Los_Angeles", "2025-01-01T07:59:59Z", "2024-12-31", "23:59:59"],
  ["America/Los_Angeles", "2025-01-01T08:00:00Z", "2025-01-01", "00:00:00"],
  ["Europe/Madrid", "2024-02-28T23:30:07Z", "2024-02-29", "00:30:07"],
  ["Asia/Kolkata", "2024-07-28T23:31:59Z", "2024-07-29", "05:01:59"],
  ["UTC", "0099-11-09T12:00:00Z", "0099-11-09", "12:00:00"],
];

for (const [zone, instant, date, time] of DATES) {
  test(`in ${zone} it is ${date}, ${time} at ${instant}`, (t) => {
    setZone(t, zone);
    assert.equal(localDate(new Date(instant)), date);
    assert.equal(localTime(new Date(instant)), time);
  });
}

test("each call of the system's clock gives a date of its own, so that no caller can change another's", () => {
  const first = systemClock.now();
  first.setTime(0);
  assert.ok(systemClock.now().getTime() > 0);
});

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
