import assert from "node:assert/strict";
import { test } from "node:test";
import { createThrottle } from "../../../src/serve/http/limits.ts";

/** Fails as often as allowed; returns the seconds to wait. */
function exhaust(failed: (address: string) => number, address: string): number {
  for (let n = 0; n < 10; n++) assert.equal(failed(address), 0, `${address} ${n}`);
  return failed(address);
}

test("the eleventh failure of a minute waits for its end, and then counting starts again", () => {
  let now = 0;
  const failed = createThrottle(() => now);
  assert.equal(exhaust(failed, "192.0.2.1"), 60);
  now = 59_001;
  assert.equal(failed("192.0.2.1"), 1);
  assert.equal(failed("192.0.2.2"), 0);
  now = 60_000;
  assert.equal(exhaust(failed, "192.0.2.1"), 60);
});

test("an IPv6 network is one address in any spelling; IPv4 addresses are separate", () => {
  const failed = createThrottle(() => 0);
  assert.equal(exhaust(failed, "2001:db8:0:7::1"), 60);
  for (const same of ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::9:1"]) assert.equal(failed(same), 60, same);
  for (const other of ["2001:db8:0:8::1", "2001:db8::1", "::1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"])
    assert.equal(failed(other), 0, other);
  assert.equal(exhaust(failed, "::ffff:198.51.100.1"), 60);
  assert.equal(failed("::ffff:198.51.100.2"), 0);
});

test("the oldest of too many addresses is forgotten", () => {
  const failed = createThrottle(() => 0);
  assert.equal(exhaust(failed, "first"), 60);
  for (let n = 0; n < 9_999; n++) failed(`other ${n}`);
  assert.equal(failed("first"), 60);
  for (let n = 0; n < 10_000; n++) failed(`another ${n}`);
  assert.equal(failed("first"), 0);
});
