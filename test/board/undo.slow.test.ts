import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { live, openRoot } from "../fixtures/board.ts";
import { makeDemo, readFiles } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;
const CARD = "003 Add rate limiting";
const FILE = "payments-api/tasks/003-add-rate-limiting.md";
const OTHER = "payments-api/tasks/004-support-partial-refunds.md";

const log = (page: Page) => page.getByRole("log");
const undoButton = (page: Page) => log(page).getByRole("button", { name: "Undo" }).last();

/** Moves the card one column to the right. */
async function moveCard(page: Page): Promise<void> {
  await page.getByRole("article", { name: CARD, exact: true }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await log(page).getByText(`${CARD} moved to Blocked.`, { exact: true }).last().waitFor();
}

test("a moved card comes back by the notice's button, and goes again by its Redo", { skip }, async (t) => {
  const root = makeDemo(t);
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root);
  await moveCard(page);
  const after = readFiles(root);
  assert.notDeepEqual(after, before);
  await undoButton(page).click();
  await log(page).getByText(`Undone: ${CARD} moved to Blocked.`).waitFor();
  assert.deepEqual(readFiles(root), before);
  await page
    .getByRole("region", { name: "In progress" })
    .getByRole("article", { name: CARD, exact: true })
    .waitFor();
  await log(page).getByRole("button", { name: "Redo" }).click();
  await log(page).getByText(`${CARD} moved to Blocked.`, { exact: true }).last().waitFor();
  assert.deepEqual(readFiles(root), after);
  assert.deepEqual(problems, []);
});

test("a notice folds after five seconds, and goes when what it offers is done or over", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t));
  await page.clock.install();
  await moveCard(page);
  const notice = log(page).locator("p");
  await page.clock.fastForward("00:06");
  await log(page).locator(".folded").getByText(`${CARD} moved to Blocked.`).waitFor();
  await page.keyboard.press("Control+z");
  await notice.getByText(`Undone: ${CARD} moved to Blocked.`).waitFor();
  assert.equal(await notice.count(), 1, "its Undo was used");
  await page.getByRole("article", { name: CARD, exact: true }).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await notice.getByText(`${CARD} moved to Pending.`).waitFor();
  assert.equal(await notice.count(), 1, "its Redo is over");
  await page.clock.fastForward("00:16");
  await notice.waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
});

test("Ctrl+Z takes back the changes of the page, the last first, and only these", { skip }, async (t) => {
  const root = makeDemo(t);
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root, { apart: true });
  await moveCard(page);
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New task: Pending" });
  await dialog.getByLabel("Title").fill("Try it");
  // In a field, it is the browser's.
  await dialog.getByLabel("Title").press("Control+z");
  await dialog.getByLabel("Title").fill("Try it");
  await dialog.getByLabel("Objective").fill("It works");
  await dialog.getByLabel("Project").selectOption("payments-api");
  await dialog.getByLabel("Title").press("Enter");
  await log(page)
    .getByText(/Try it created in Pending/)
    .waitFor();
  await dialog.waitFor({ state: "detached" });
  const { call } = await connect(t, root);
  await call("update_task", { project: "payments-api", task: "004", priority: "low" });
  const theirs = readFileSync(join(root, OTHER), "utf8");
  await page.keyboard.press("Control+z");
  await log(page)
    .getByText(/^Undone: .*Try it/)
    .waitFor();
  await page.keyboard.press("Control+z");
  await log(page).getByText(`Undone: ${CARD}`).waitFor();
  before.set(OTHER, theirs);
  assert.deepEqual(readFiles(root), before);
  await page.keyboard.press("Control+z");
  await log(page).getByText("Nothing to undo").waitFor();
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
});

test("keys pressed before the server answered take back one change each, and do them again", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, calls, problems } = await openRoot(t, root);
  await page.route("**/mcp", async (asked) => {
    if (asked.request().postData()?.includes('"restore_doc"') === true) await sleep(200);
    await asked.continue();
  });
  const states = [readFiles(root)];
  await page.getByRole("article", { name: CARD, exact: true }).focus();
  for (const [key, column] of [
    ["ArrowRight", "Blocked"],
    ["ArrowLeft", "In progress"],
    ["ArrowRight", "Blocked"],
  ] as const) {
    await page.keyboard.press(`Shift+${key}`);
    await log(page).locator("p").last().getByText(`${CARD} moved to ${column}.`, { exact: true }).waitFor();
    states.push(readFiles(root));
  }
  // The same text stands once.
  assert.equal(await log(page).locator("p").count(), 2);
  const press = async (key: string, state: number) => {
    for (let times = 0; times < 3; times++) await page.keyboard.press(key);
    for (let tries = 0; !isDeepStrictEqual(readFiles(root), states[state]) && tries < 2000; tries++)
      await sleep(10);
    assert.deepEqual(readFiles(root), states[state]);
  };
  await press("Control+z", 0);
  await press("Control+Shift+Z", 3);
  await press("Control+z", 0);
  await press("Control+y", 3);
  // Nor does undo wait less for moves that have no answer yet.
  const called = (tool: string) => calls.filter(({ name }) => name === tool).length;
  const [moved, restored] = [called("update_task_status"), called("restore_doc")];
  await page.getByRole("article", { name: CARD, exact: true }).focus();
  for (const way of ["Right", "Left", "Right"]) await page.keyboard.press(`Shift+Arrow${way}`);
  for (let times = 0; times < 3; times++) await page.keyboard.press("Control+z");
  while (called("update_task_status") < moved + 3 || called("restore_doc") < restored + 3) await sleep(20);
  for (let tries = 0; !isDeepStrictEqual(readFiles(root), states[3]) && tries < 2000; tries++)
    await sleep(10);
  assert.deepEqual(readFiles(root), states[3]);
  assert.equal(await log(page).getByText("Nothing to").count(), 0);
  assert.deepEqual(problems, []);
});

test("what an agent wrote meanwhile in the same task stays, and its own change of the same place is said", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page } = await openRoot(t, root, { apart: true });
  const { call } = await connect(t, root);
  const text = () => readFileSync(join(root, FILE), "utf8");
  const agent = (args: object) => call("update_task", { project: "payments-api", task: "003", ...args });
  await moveCard(page);
  await agent({ due: "2031-01-01" });
  await page.keyboard.press("Control+z");
  await log(page).getByText(`Undone: ${CARD}`).waitFor();
  assert.match(text(), /Status: in-progress/);
  assert.match(text(), /2031-01-01/);
  await moveCard(page);
  await call("update_task_status", { project: "payments-api", task: "003", status: "done" });
  await page.keyboard.press("Control+z");
  await log(page).getByText(`Not undone: ${CARD} moved to Blocked. Someone changed`).waitFor();
  assert.match(text(), /Status: done/);
  await log(page).getByRole("button", { name: "Show history" }).click();
  await page.getByRole("heading", { name: "History" }).waitFor();
});

test("ticks, fields, text, moves and deletions of a document are undone one by one", { skip }, async (t) => {
  const root = makeDemo(t);
  const before = readFiles(root);
  const fragment = `/document?path=${encodeURIComponent(FILE)}`;
  const { page, problems } = await openRoot(t, root, { fragment });
  const said = (text: string | RegExp) => log(page).getByText(text).last().waitFor();
  await page.getByRole("checkbox", { checked: false }).first().click();
  await said(`Ticked: ${CARD}`);
  await page.getByRole("button", { name: "Priority: High" }).click();
  await page.getByRole("dialog", { name: "Priority" }).getByRole("button", { name: "Low" }).click();
  await said(`${CARD} changed.`);
  await live({ page });
  const menu = page.getByRole("button", { name: "More actions" });
  await menu.click();
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await said("Moved to payments-api/archive/");
  await menu.click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await said("Deleted payments-api/archive/");
  for (const undone of ["Deleted", "Moved to", CARD, "Ticked"]) {
    await page.keyboard.press("Control+z");
    await said(`Undone: ${undone}`);
  }
  assert.ok(page.url().endsWith(addressPart(FILE)), page.url());
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
});

const addressPart = (path: string) => `path=${encodeURIComponent(path)}`;

test("what an agent did since the last look stands together, and one click takes it back but for what changed since", {
  skip,
}, async (t) => {
  const paths = [1, 2, 3, 4, 5].map((number) => `p/tasks/00${number}-a.md`);
  const files = Object.fromEntries(
    paths.map((path) => [path, "# Task: A\n\nStatus: pending\n\n- [ ] One\n"]),
  );
  const root = makeWorkspace(t, { "p/status.md": "# P\n", ...files });
  const { page, problems } = await openRoot(t, root, { apart: true, fragment: "/today" });
  const go = (view: string) => page.goto(`${page.url().split("#")[0]}#/${view}`);
  const { call } = await connect(t, root);
  const agent = (task: number, agent: string, args: object) =>
    call("update_task_status", { project: "p", task, agent, ...args });
  await agent(1, "codex", { status: "in-progress" });
  const feed = page.getByRole("region", { name: "What happened" });
  await feed.getByText("Pending → In progress").waitFor();
  await go("board");
  await page.getByRole("region", { name: "Pending" }).waitFor();
  for (let task = 1; task <= 5; task++) await agent(task, "codex", { status: "done" });
  await agent(3, "ben", { status: "blocked", note: "Not yet" });
  await go("today");
  const run = feed.getByRole("listitem").filter({ hasText: "codex finished 5 tasks in p" });
  await run.getByText("001, 002, 003 and 2 more").waitFor();
  await feed.getByText("Done → Blocked · “Not yet”").waitFor();
  const items = await feed.getByRole("listitem").allInnerTexts();
  assert.deepEqual(
    items.map((text) => /^You last looked at |ben|codex/.exec(text.replace(/^Agent: /, ""))?.[0]),
    ["ben", "codex", "You last looked at ", "codex"],
  );
  await run.getByRole("button", { name: "Show" }).click();
  assert.equal(await run.getByRole("link", { name: "A", exact: false }).count(), 11);
  await run.getByRole("button", { name: "Undo these 5" }).click();
  await log(page)
    .getByText("Undone but for 1: codex finished 5 tasks in p Someone changed the same place in 003 A since.")
    .waitFor();
  const statuses = paths.map((path) => /Status: (.*)/.exec(readFileSync(join(root, path), "utf8"))?.[1]);
  assert.deepEqual(statuses, ["in-progress", "pending", "blocked", "pending", "pending"]);
  assert.deepEqual(problems, []);
});

test("without a history, or without the tool, nothing offers to undo", { skip }, async (t) => {
  const root = makeDemo(t);
  writeFileSync(join(root, "payments-api/note.md"), "# Note\n");
  const { page } = await openRoot(t, root, { args: ["--history", "off"] });
  await moveCard(page);
  assert.equal(await undoButton(page).count(), 0);
});
