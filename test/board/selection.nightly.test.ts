import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { live, openRoot } from "../fixtures/board.ts";
import { makeMany, readFiles } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { connect } from "../fixtures/workspace.ts";

const skip = noBrowser;

const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const bar = (page: Page) => page.getByRole("region", { name: "Selected tasks" });
const said = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true }).last();
const selects = (page: Page, count: number) => bar(page).getByText(`${count} selected`).waitFor();

/** The paths of the files that differ. */
function changedFiles(before: Map<string, string>, root: string): string[] {
  const after = readFiles(root);
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

test("x, Shift and a click, Shift and arrows, and the menu select cards; Escape clears", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 2));
  const pending = column(page, "Pending").getByRole("article");
  await pending.first().focus();
  await page.keyboard.press("x");
  await selects(page, 1);
  await pending
    .nth(3)
    .getByRole("link")
    .click({ modifiers: ["Shift"] });
  await selects(page, 4);
  assert.match(page.url(), /#\/board$/);
  await page.keyboard.press("Shift+ArrowDown");
  await selects(page, 5);
  await page.keyboard.press("x");
  await selects(page, 4);
  const other = column(page, "Blocked").getByRole("article").first();
  await other.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Select" }).click();
  await selects(page, 5);
  assert.equal(await page.locator("article.selected").count(), 5);
  await page.keyboard.press("Escape");
  await bar(page).waitFor({ state: "detached" });
  await page.locator("article:focus-within").waitFor();
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await page.locator(".inbox article").first().focus();
  await page.keyboard.press("x");
  for (const count of [2, 3]) {
    await page.keyboard.press("Shift+ArrowDown");
    await selects(page, count);
  }
  await page.keyboard.press("Control+a");
  await selects(page, 10);
  assert.deepEqual(problems, []);
});

test("Ctrl+A selects the whole column, also what is not shown yet, and filters narrow the selection", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 3));
  await column(page, "Pending").getByRole("article").first().focus();
  await page.keyboard.press("Control+a");
  await selects(page, 30);
  await page.keyboard.press("f");
  await page.getByLabel("Filter by text").fill("p03");
  await selects(page, 10);
  await page.getByLabel("Filter by text").fill("");
  await column(page, "Pending").getByRole("article").nth(10).waitFor();
  await selects(page, 10);
  assert.deepEqual(problems, []);
});

test("status, priority, owner, due date and tags of several change as one, and one Undo takes exactly that back", {
  skip,
}, async (t) => {
  const root = makeMany(t, 2);
  const before = readFiles(root);
  const { page, calls, problems } = await openRoot(t, root, { fragment: "/board?text=p01" });
  /** All of them have their answer. */
  const called = async (tool: string, count: number) => {
    while (calls.filter(({ name }) => name === tool).length < count) await sleep(20);
    await live({ page });
  };
  const choose = async (field: string, value: string) => {
    await bar(page).getByRole("button", { name: field, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: value, exact: true }).click();
  };
  await column(page, "Blocked").getByRole("article").first().focus();
  await page.keyboard.press("Control+a");
  await selects(page, 5);
  await choose("Status", "In progress");
  await said(page, "5 tasks moved to In progress.").waitFor();
  const moved = changedFiles(before, root);
  assert.equal(moved.length, 5);
  // A key means the selection, as the bar does.
  await column(page, "In progress").getByRole("article").first().focus();
  await page.keyboard.press("p");
  await page.getByRole("dialog").getByRole("button", { name: "High", exact: true }).click();
  await said(page, "5 tasks changed.").waitFor();
  let updated = 5;
  for (const [field, value] of [
    ["Owner", "dora"],
    ["Due date", "2031-02-03"],
    ["Tags", "Later, API"],
  ] as const) {
    await bar(page).getByRole("button", { name: field, exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(value);
    await page.keyboard.press("Enter");
    updated += 5;
    await called("update_task", updated);
  }
  assert.deepEqual(changedFiles(before, root), moved);
  for (const path of moved) {
    const text = readFileSync(join(root, path), "utf8");
    assert.match(text, /^Status: in-progress\r?$/m);
    assert.match(text, /^priority: high\r?$/m);
    assert.match(text, /^owner: dora\r?$/m);
    assert.match(text, /^due: 2031-02-03\r?$/m);
    assert.match(text, /^tags: \[(?:(?:docs|ops|web), Later, API|api, Later)\]\r?$/m);
  }
  for (let undone = 5; undone <= 25; undone += 5) {
    await page.keyboard.press("Control+z");
    await called("restore_doc", undone);
  }
  await page.getByText("Undone: 5 tasks moved to In progress.").waitFor();
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
});

test("done ones of a selection go to the archive, and come back at once", { skip }, async (t) => {
  const root = makeMany(t, 2);
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root);
  await column(page, "Done").getByRole("article").first().focus();
  await page.keyboard.press("Control+a");
  await column(page, "Blocked").getByRole("article").first().focus();
  await page.keyboard.press("x");
  await selects(page, 11);
  await bar(page).getByRole("button", { name: "Archive 10" }).dblclick();
  await said(page, "10 tasks moved to the archive.").waitFor();
  await selects(page, 1);
  assert.equal(await page.locator(".notice.problem").count(), 0);
  await page.getByRole("log").getByRole("button", { name: "Undo" }).click();
  await said(page, "Undone: 10 tasks moved to the archive.").waitFor();
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
});

test("a selected card takes the others along when it is dropped, by keys and from its menu", {
  skip,
}, async (t) => {
  const root = makeMany(t, 1);
  const { page } = await openRoot(t, root);
  const [first, second] = [card(page, "004 Work 004 of p01"), card(page, "009 Work 009 of p01")];
  await first.focus();
  await page.keyboard.press("x");
  await second.focus();
  await page.keyboard.press("x");
  await first.dragTo(column(page, "In progress"));
  await said(page, "2 tasks moved to In progress.").waitFor();
  await column(page, "In progress").getByRole("article", { name: "009 Work 009 of p01" }).waitFor();
  await card(page, "005 Work 005 of p01").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await said(page, "2 tasks moved to Blocked.").waitFor();
  await second.getByRole("button", { name: "Actions:" }).click();
  await page.getByRole("dialog", { name: "Actions: 2 tasks" }).getByRole("button", { name: "Done" }).click();
  await page.getByRole("log").getByText("2 tasks moved to Done.").waitFor();
});

test("Undo keeps what someone else changed since in one of the tasks, and takes back the others", {
  skip,
}, async (t) => {
  const root = makeMany(t, 1);
  const before = readFiles(root);
  const { page } = await openRoot(t, root, { apart: true });
  await column(page, "Blocked").getByRole("article").first().focus();
  await page.keyboard.press("Control+a");
  await bar(page).getByRole("button", { name: "Priority", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Low" }).click();
  await said(page, "5 tasks changed.").waitFor();
  const { call } = await connect(t, root);
  await call("update_task", { project: "p01", task: "014", priority: "high" });
  await page.keyboard.press("Control+z");
  await page
    .getByRole("log")
    .getByText("Undone but for 1: 5 tasks changed. Someone changed the same place in 014 Work 014 of p01")
    .waitFor();
  assert.deepEqual(changedFiles(before, root), ["p01/tasks/014-task.md"]);
});
