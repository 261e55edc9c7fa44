import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { localDate } from "../../src/core/lib/clock.ts";
import { openRoot } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;

const claimed = (until: string) =>
  `---\nowner: ana\nclaimed_until: ${until}\n---\n# Task: Held ${until.slice(-3)}\n\nStatus: in-progress\n`;

test("a task is ready on the board if list_tasks says so: a claim lasts until the end of its day, and in its zone", {
  skip,
}, async (t) => {
  const today = localDate(new Date());
  const root = makeWorkspace(t, {
    "p/tasks/001-today.md": claimed(today),
    "p/tasks/002-zone.md": claimed("2099-01-01T10:00+01"),
    "p/tasks/003-over.md": claimed("2020-01-01"),
    "p/tasks/004-free.md": "# Task: Free\n\nStatus: pending\n",
  });
  const { call } = await connect(t, root);
  const { tasks } = await call<{ tasks: { number: string }[] }>("list_tasks", { project: "p", ready: true });
  const { page, problems } = await openRoot(t, root);
  const ready = page.getByRole("article").filter({ has: page.getByText("Ready", { exact: true }) });
  const shown = await ready.evaluateAll((cards) => cards.map((card) => card.dataset["path"]?.slice(8, 11)));
  assert.deepEqual(shown.sort(), tasks.map(({ number }) => number).sort());
  assert.deepEqual(problems, []);
});

test("links of the page lead where the server says: to archived tasks, and to the exact one of two names", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, {
    "p/archive/tasks/001-a.md": "# Task: Archived one\n\nStatus: done\n",
    "p/notes/flow.md": "# Small flow\n",
    "p/diagrams/Flow.md": "# Great Flow\n",
    "p/notes/guide.md": "# Guide\n\n[[001-a]], [[flow]] and [[Flow]].\n",
  });
  const { page, problems } = await openRoot(t, root, { fragment: "/document?path=p/notes/guide.md" });
  for (const [name, title] of [
    ["001-a", "Archived one"],
    ["flow", "Small flow"],
    ["Flow", "Great Flow"],
  ] as const) {
    await page.locator(".document-text").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Guide" }).waitFor();
  }
  assert.deepEqual(problems, []);
});

test("a tick reaches its own step, whatever an HTML comment holds", { skip }, async (t) => {
  const text =
    "# Task: Steps\n\nStatus: pending\n\n## Steps\n<!--\n- [ ] hidden\n-->\n\n- [ ] one\n- [ ] two\n\n> - [ ] quoted\n";
  const root = makeWorkspace(t, { "p/tasks/001-steps.md": text });
  const { page, problems } = await openRoot(t, root, { fragment: "/document?path=p/tasks/001-steps.md" });
  await page.getByRole("checkbox", { name: "one" }).check();
  const read = () => readFileSync(join(root, "p/tasks/001-steps.md"), "utf8");
  for (let tries = 0; read() === text && tries < 6000; tries++) await sleep(10);
  assert.equal(read(), text.replace("[ ] one", "[x] one"));
  assert.deepEqual(problems, []);
});
