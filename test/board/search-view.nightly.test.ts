import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { live, openRoot } from "../fixtures/board.ts";
import { makeDemo } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";

const skip = noBrowser;

const field = (page: Page) => page.getByRole("searchbox", { name: "Search all notes" });

test("/ opens the search, results come while someone types, and arrows and Enter open a document", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t));
  await page.keyboard.press("/");
  await page.locator("input[type=search]:focus[aria-label='Search all notes']").waitFor();
  const answer = page.waitForResponse(
    (response) => response.request().postData()?.includes("shadow mode limiter") === true,
  );
  await page.keyboard.type("shadow mode limiter");
  await answer;
  await page.locator(".search section[aria-busy=false]").waitFor();
  const list = page.locator(".search-result");
  await list.first().locator("mark").getByText("shadow").first().waitFor();
  assert.match((await list.first().textContent()) ?? "", /payments-api\//);
  const second = await list.nth(1).getAttribute("href");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".search-result:focus").getAttribute("href"), second);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.locator("input[type=search]:focus").waitFor();
  await page.keyboard.press("ArrowDown");
  const first = await page.locator(".search-result:focus").getAttribute("href");
  await page.keyboard.press("Enter");
  await page.locator("article.document").waitFor();
  assert.ok(page.url().endsWith(first ?? ""));
  await page.goBack();
  assert.equal(await field(page).inputValue(), "shadow mode limiter");
  await field(page).press("Enter");
  await page.locator("article.document").waitFor();
  assert.ok(page.url().endsWith(first ?? ""));
  await page.keyboard.press("/");
  await page.locator("input[type=search]:focus").waitFor();
  assert.deepEqual(problems, []);
});

test("the field gets the focus back when the result that has it goes", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t), { fragment: "/search?query=webhooks" });
  await field(page).press("ArrowDown");
  await page.locator(".search-result:focus").waitFor();
  await page.evaluate(`location.hash = "#/search?query=zzqqxx"`);
  await page.getByRole("status").getByText("No document matches.").waitFor();
  await page.locator("input[type=search]:focus").waitFor();
  assert.deepEqual(problems, []);
});

test("Enter right after the last letter opens the best document for the whole text", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t), { fragment: "/search" });
  await field(page).pressSequentially("webhooks");
  await page.locator(".search-result").first().waitFor();
  await field(page).fill("partial refunds");
  await field(page).press("Enter");
  await page.getByRole("heading", { level: 1, name: "004 Support partial refunds" }).waitFor();
  assert.deepEqual(problems, []);
});

test("Enter that confirms the text of an input method opens nothing", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t), { fragment: "/search" });
  await field(page).fill("認証トークン");
  await page.locator(".search-result").first().waitFor();
  // As Safari sends it, after the end of the composition.
  await field(page).dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
  assert.match(page.url(), /#\/search/);
  await field(page).press("Enter");
  await page.locator("article.document").waitFor();
  assert.deepEqual(problems, []);
});

test("the best document comes first, and a misspelled word says what was searched for", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t), { fragment: "/search" });
  const best = page.locator(".search-result").first();
  for (const [query, path] of [
    ["rate limiting", /003-add-rate-limiting/],
    ["politica devoluciones", /politica-de-devoluciones/],
    ["認証トークン", /認証トークン/],
  ] as const) {
    await field(page).fill(query);
    await best.locator(".search-where").getByText(path).waitFor();
  }
  await field(page).fill("webhoks");
  await page.getByRole("status").getByText("Results for “webhooks”.").waitFor();
  await best.locator("mark").first().waitFor();
  await field(page).fill("zzqqxx");
  await page.getByRole("status").getByText("No document matches.").waitFor();
  assert.equal(await page.locator(".search-result").count(), 0);
  assert.deepEqual(problems, []);
});

test("what only the archive holds is counted, and one click lists it", { skip }, async (t) => {
  const root = makeDemo(t);
  mkdirSync(join(root, "payments-api/archive/tasks"), { recursive: true });
  writeFileSync(join(root, "payments-api/archive/tasks/900-old.md"), "# Task: Old\n\nA quagga was here.\n");
  const { page, problems } = await openRoot(t, root, { fragment: "/search" });
  await field(page).fill("quagga");
  await page.getByRole("status").getByText("No document matches.").waitFor();
  await page.getByRole("status").getByRole("link", { name: "1 in the archive" }).click();
  await page.locator(".search-where").getByText("payments-api/archive/tasks/900-old.md").waitFor();
  assert.equal(await field(page).inputValue(), "quagga");
  await field(page).fill("webhooks");
  await page.locator(".search-where").getByText("payments-api/tasks/").first().waitFor();
  assert.deepEqual(problems, []);
});

test("the query is part of the address, and survives reload, back and forward", { skip }, async (t) => {
  const board = await openRoot(t, makeDemo(t), { fragment: "/search" });
  const { page, problems } = board;
  await field(page).fill("partial refunds");
  const best = page.locator(".search-where").getByText("004-support-partial-refunds").first();
  await best.waitFor();
  const url = page.url();
  assert.match(url, /search\?query=partial\+refunds$/);
  await page.reload();
  await live(board);
  await best.waitFor();
  assert.equal(await field(page).inputValue(), "partial refunds");
  await page.getByRole("link", { name: /^All tasks/ }).click();
  await page.getByRole("heading", { level: 1, name: "Board" }).waitFor();
  await page.goBack();
  await best.waitFor();
  assert.equal(page.url(), url);
  assert.equal(await field(page).inputValue(), "partial refunds");
  assert.deepEqual(problems, []);
});

test("? lists the keys of the view, which do what it says", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeDemo(t));
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const keys = async () =>
    (await dialog.locator("dl > div").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  await page.keyboard.press("?");
  await dialog.waitFor();
  assert.deepEqual((await keys()).sort(), [
    ", Settings",
    "/ Search",
    "1 Board",
    "2 Today",
    "3 Inbox",
    "? Keyboard shortcuts",
    "Alt+↑ Put the card one place up",
    "Alt+↓ Put the card one place down",
    "Ctrl+A Select all cards of the column",
    "Ctrl+K Jump to a task, a document or a command",
    "Ctrl+Shift+Z Ctrl+Y Redo what you undid last on this page",
    "Ctrl+Z Undo your last change on this page",
    "Enter Space Open the card beside the board",
    "Escape Clear the selection",
    "Escape Close the panel",
    "Shift+← Move the card to the left",
    "Shift+↑ Select this card and the previous",
    "Shift+→ Move the card to the right",
    "Shift+↓ Select this card and the next",
    "a Owner",
    "c Copy link",
    "d Due date",
    "f Filter by text",
    "l Tags",
    "n New task",
    "o Open its page",
    "p Priority",
    "s Status",
    "t Plan the card for today",
    "x Select the card, or not",
    "← Card in the column to the left",
    "↑ k Previous card",
    "→ Card in the column to the right",
    "↓ j Next card",
  ]);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  for (const [key, name] of [
    ["2", "Today"],
    ["1", "Board"],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await page.locator("h1:focus").waitFor();
  await page.getByRole("article", { name: "003 Add rate limiting" }).focus();
  await page.keyboard.press("o");
  await page.getByRole("heading", { level: 1, name: "003 Add rate limiting" }).waitFor();
  await page.keyboard.press("?");
  await dialog.getByText("Copy path").waitFor();
  assert.ok((await keys()).includes("e Edit"));
  assert.deepEqual(problems, []);
});
