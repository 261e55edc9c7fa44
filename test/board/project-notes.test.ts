import assert from "node:assert/strict";
import { test } from "node:test";
import { byDay } from "../../src/board/views/project/notes.ts";

test("the projects of the newest day come first, by name within a day", () => {
  const project = (name: string, last_updated: string | null) => ({ name, last_updated });
  const projects = [
    project("c", null),
    project("b", "2026-11-23T09:00:00Z"),
    project("d", "2026-11-20T23:59:59Z"),
    project("a", "2026-11-23T08:00:00Z"),
  ];
  assert.deepEqual(
    byDay(projects).map(({ name }) => name),
    ["a", "b", "d", "c"],
  );
});
