import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { localDate, localTime, systemClock } from "../../src/lib/clock.ts";

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

test("the system's clock gives another date each time, so that nobody can change the time of others", () => {
  const first = systemClock.now();
  first.setTime(0);
  assert.ok(systemClock.now().getTime() > 0);
});
