import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openRoot } from "../fixtures/board.ts";
import { makeDemo, makeMany } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";

const skip = noBrowser;

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("Ctrl+K jumps to a task, a project, a document and a command, from anywhere", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t));
  const field = page.getByRole("combobox", { name: "Words of its name or text" });
  const jump = async (words: string) => {
    await page.keyboard.press("Control+k");
    await field.fill(words);
  };
  await page.keyboard.press("f");
  await page.locator("input[type=search]:focus").waitFor();
  await jump("rate limiting");
  await page.getByRole("option", { name: /^003 Add rate limiting/, selected: true }).waitFor();
  await field.press("Enter");
  await heading(page, "003 Add rate limiting").waitFor();
  await page.locator("h1:focus", { hasText: "Add rate limiting" }).waitFor();
  await jump("kiroku");
  await page.getByRole("option", { name: /^kiroku Project/ }).click();
  await heading(page, "kiroku").waitFor();
  await jump("token bucket");
  await page
    .getByRole("option", { name: /Document · payments-api\// })
    .first()
    .waitFor();
  const top = async () => (await field.boundingBox())?.y;
  const before = await top();
  await jump("new task");
  assert.equal(await top(), before);
  await page.getByRole("option", { selected: true, name: "New task Command · n" }).waitFor();
  await field.press("Enter");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await page.keyboard.press("Escape");
  for (const view of ["1", "2", "/"]) {
    await page.keyboard.press(view);
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: "New task" }).waitFor();
    await page.keyboard.press("Escape");
  }
  await jump("publish the node");
  await field.press("Enter");
  await heading(page, "006 Publish the Node.js client").waitFor();
  await page.keyboard.press("1");
  await heading(page, "Board").waitFor({ state: "attached" });
  await jump("");
  await page.getByRole("option", { name: /^006 Publish the Node/, selected: true }).waitFor();
  await page.keyboard.press("Escape");
  await jump("zzzzzz");
  await page.getByText("No results").waitFor();
  assert.equal(await top(), before);
  await field.press("ArrowDown");
  await field.press("Enter");
  assert.deepEqual(problems, []);
});

interface Pressed {
  key: string;
  ctrlKey?: boolean;
}

/** What has the focus once the page has heard of a key, before it draws anything. */
const FOCUS_AFTER = (init: Pressed) => `new Promise((done) => {
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...${JSON.stringify(init)} }));
  setTimeout(() => done(document.activeElement.localName + " " + document.activeElement.className));
})`;

test("letters typed at once after a key that opens a field are for that field", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 1));
  await page.getByRole("article").first().waitFor();
  const after = (init: Pressed) => page.evaluate<string>(FOCUS_AFTER(init));
  const close = async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  assert.equal(await after({ key: "k", ctrlKey: true }), "input jump-field");
  await close();
  assert.match(await after({ key: "n" }), /^(?:input|select)/);
  await close();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("new task");
  await page.getByRole("combobox").press("Enter");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  // A dialog that Escape closed has the focus until the browser says so.
  const closed = 'document.querySelector("dialog").close(), ';
  assert.equal(await page.evaluate(closed + FOCUS_AFTER({ key: "k", ctrlKey: true })), "input jump-field");
  await close();
  assert.equal(await after({ key: "/" }), "input search-field");
  assert.deepEqual(problems, []);
});

test("arrows and j, k reach the cards from anywhere, and Back returns to the card that was left", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 4));
  const focused = () => page.evaluate("document.activeElement.dataset.path");
  await page.getByRole("link", { name: /^All tasks/ }).focus();
  await page.keyboard.press("j");
  const first = await focused();
  assert.match(String(first), /tasks/);
  await page.keyboard.press("j");
  assert.notEqual(await focused(), first);
  await page.keyboard.press("k");
  assert.equal(await focused(), first);
  // Beyond the first part of the column.
  for (let count = 0; count < 60; count++) await page.keyboard.press("ArrowDown");
  const left = await focused();
  for (const [key, shown] of [
    ["Enter", page.getByRole("complementary")],
    ["o", page.getByRole("heading", { level: 1, name: /^0/ })],
  ] as const) {
    await page.keyboard.press(key);
    await shown.waitFor();
    await page.goBack();
    await page.locator(`article:focus[data-path="${left}"]`).waitFor();
  }
  await page.keyboard.press("2");
  await page.keyboard.press("1");
  await page.locator("h1:focus").waitFor();
  assert.deepEqual(problems, []);
});

test("by keys alone: open a card, change its fields, tick, go on, return it from review, and be back at it", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const file = join(root, "payments-api/tasks/003-add-rate-limiting.md");
  const { page, problems } = await openRoot(t, root);
  const panel = page.getByRole("complementary");
  const news = (text: string) => page.getByRole("log").getByText(text).last().waitFor();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole("article", { name: "003 Add rate limiting" }).focus();
  await press("p");
  await page.getByRole("dialog", { name: "Priority" }).getByRole("button", { name: "Low" }).press("Enter");
  await news("003 Add rate limiting changed.");
  await page.locator("article:focus").waitFor();
  await press("Space");
  await panel.getByRole("heading", { level: 2, name: "Add rate limiting" }).waitFor();
  assert.match(page.url(), /task=payments-api%2Ftasks%2F003/);
  await press("a");
  await page.getByRole("textbox", { name: "Owner" }).fill("ana");
  await press("ArrowDown", "ArrowUp", "Enter");
  await panel.getByRole("button", { name: /^Owner: .*ana$/ }).waitFor();
  await panel.getByText("+ owner: ana").waitFor();
  await panel.getByRole("checkbox", { name: /^Answer 429/ }).press("Space");
  await news("Ticked: 003 Add rate limiting");
  await panel.getByText("+ 4. [x] Answer 429 with `Retry-After`").waitFor();
  await panel.getByRole("navigation", { name: "Blocks" }).getByRole("link", { name: /^006/ }).waitFor();
  await panel.getByRole("button", { name: "Status: In progress" }).focus();
  await press("s");
  await page
    .getByRole("dialog", { name: "Status" })
    .getByRole("button", { name: "In review" })
    .press("Enter");
  await panel.getByRole("button", { name: "Return with a note" }).press("Enter");
  await page.getByRole("dialog").getByLabel("What is missing?").fill("Too low");
  await press("Tab", "Enter");
  await panel.getByRole("button", { name: "Status: Pending" }).waitFor();
  for (const line of ["owner: ana", "priority: low", "Status: pending", "- \\d{4}-\\d\\d-\\d\\d.*: Too low"])
    assert.match(readFileSync(file, "utf8"), new RegExp(`^${line}$`, "m"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press("k");
  await page.locator('aside:not([aria-label="003 Add rate limiting"])').waitFor();
  const next = await panel.getAttribute("aria-label");
  await panel.locator("h2:focus").waitFor();
  await press("Escape");
  await page.locator(`article:focus[aria-label="${next}"]`).waitFor();
  assert.equal(await panel.count(), 0);
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("article", { name: "003 Add rate limiting" }).click({ modifiers: ["ControlOrMeta"] }),
  ]);
  assert.match(tab.url(), /#\/document\?path=payments-api%2Ftasks%2F003/);
  assert.deepEqual(problems, []);
});

test("theme and language can be chosen, and are kept", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t), { colorScheme: "light" });
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const light = await background();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Theme").selectOption("Dark");
  const dark = await background();
  assert.notEqual(dark, light);
  await page.getByLabel("Language").selectOption("Español");
  await heading(page, "Tablero").waitFor();
  assert.equal(await page.evaluate("document.documentElement.lang"), "es");
  assert.equal(await background(), dark);
  await page.reload();
  await heading(page, "Tablero").waitFor();
  await page.keyboard.press(",");
  await page.getByLabel("Tema").selectOption("Como el sistema");
  assert.equal(await background(), light);
  await page.getByLabel("Idioma").selectOption("Como el navegador");
  await heading(page, "Board").waitFor();
  assert.deepEqual(problems, []);
});
