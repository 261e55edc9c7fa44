import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project } from "../../src/board/model.ts";
import { type File, newestFirst, newestNotes, sessionOf } from "../../src/board/sessions.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("a session note has a day and a topic", () => {
  const cases: [string, string, string][] = [
    ["2026-11-22.md", "2026-11-22", ""],
    ["2026-11-22-debugging-auth.md", "2026-11-22", "debugging auth"],
    ["notes_of_the_week.md", "2026-01-02", "notes of the week"],
  ];
  for (const [filename, day, topic] of cases)
    assert.deepEqual(sessionOf("shop", { filename, updated: "2026-01-02" }), {
      project: "shop",
      path: `shop/sessions/${filename}`,
      day,
      topic,
      updated: "2026-01-02",
    });
});

test("the newest notes come first, by project within a day", () => {
  const note = (project: string, filename: string) => sessionOf(project, { filename, updated: "" });
  const notes = [note("b", "2026-11-20.md"), note("b", "2026-11-22.md"), note("a", "2026-11-22.md")];
  assert.deepEqual(
    newestFirst(notes).map(({ path }) => path),
    ["a/sessions/2026-11-22.md", "b/sessions/2026-11-22.md", "b/sessions/2026-11-20.md"],
  );
});

test("only the newest notes of a long list are asked for", async (t) => {
  const days = Array.from({ length: 25 }, (_, at) => `2026-01-${String(at + 1).padStart(2, "0")}.md`);
  const root = makeWorkspace(t, Object.fromEntries(days.map((day) => [`shop/sessions/${day}`, "# Note\n"])));
  const { call } = await connect(t, root);
  const { projects } = (await call("list_projects")) as { projects: Project[] };
  const [shop] = projects;
  assert.ok(shop);
  const { folders } = (await call("list_projects", newestNotes(shop, 3))) as {
    folders: Record<string, File[]>;
  };
  assert.deepEqual(
    folders["sessions"]?.map(({ filename }) => filename),
    days.slice(-3),
  );
});
