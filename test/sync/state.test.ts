import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncSettings } from "../../src/together/sync/settings.ts";
import { syncState } from "../../src/together/sync/state.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const WELL = { time: "2026-03-01T12:00:00Z", unsent: 0 };
const FAILED = { ...WELL, problem: "the remote cannot be reached" };
const KEPT = { path: "p/a.md", time: WELL.time, change: undefined, shared: "" };

const rows: [string, Partial<SyncSettings>, string][] = [
  ["never", {}, "not synced yet"],
  ["now", { last: WELL, synced: "2026-03-01T11:59:30Z" }, "synced just now"],
  ["some time ago", { last: WELL, synced: "2026-03-01T11:50:00Z" }, "synced 10 minutes ago"],
  [
    "never, and it failed",
    { last: { ...FAILED, unsent: 2 } },
    "2 changes not sent: the remote cannot be reached",
  ],
  [
    "a moment ago, and it failed since",
    { last: { ...FAILED, unsent: 1 }, synced: "2026-03-01T11:59:30Z" },
    "1 change not sent: the remote cannot be reached; synced last less than a minute ago",
  ],
  [
    "hours ago, and nothing waits",
    { last: FAILED, synced: "2026-03-01T09:00:00Z" },
    "not synced: the remote cannot be reached; synced last 3 hours ago",
  ],
  [
    "near its limit",
    { last: { ...WELL, warning: "it is full" }, synced: WELL.time },
    "synced just now; it is full",
  ],
  [
    "now, with something to decide",
    { last: WELL, synced: WELL.time, kept: [KEPT] },
    "synced just now; 1 note changed in two places",
  ],
];

for (const [name, more, text] of rows)
  test(`the state of a sync in words: ${name}`, () => {
    const settings: SyncSettings = {
      version: 1,
      root: "/r",
      address: "/n.git",
      branch: "b",
      machine: "m",
      kept: [],
      ...more,
    };
    assert.equal(syncState(settings, NOW), text);
  });
