import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { live, openBoard, openRoot } from "../fixtures/board.ts";
import { blockWrites, makeDemo, makeMany, readFiles, WRITE_PROBLEM } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { serveHttp } from "../fixtures/http.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;
const CARD = "003 Add rate limiting";
const FILE = "payments-api/tasks/003-add-rate-limiting.md";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const cardIn = (page: Page, status: string, name: string) =>
  column(page, status).getByRole("article", { name, exact: true });
const news = (page: Page, text: string) => page.getByRole("log").getByText(text);
/** Waits until it has the focus. */
const gotFocus = (page: Page, element: Locator) => element.and(page.locator(":focus")).waitFor();

/** Moves a card to Done as a person would. */
type Way = (page: Page, name: string) => Promise<void>;

/** Straight to the right, at the height of the card. */
async function drag(page: Page, name: string): Promise<void> {
  const card = page.getByRole("article", { name, exact: true });
  await card.scrollIntoViewIfNeeded();
  const [from, to] = [await card.boundingBox(), await column(page, "Done").boundingBox()];
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 12, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, from.y + 12, { steps: 5 });
  await page.mouse.up();
}

/** In progress → Blocked → Done. */
async function pressKeys(page: Page, name: string): Promise<void> {
  await page.keyboard.press("f");
  const focused = page.locator("article:focus");
  while ((await focused.count()) === 0) await page.keyboard.press("Tab");
  while ((await page.locator("section:focus-within").getAttribute("aria-label")) !== "In progress")
    await page.keyboard.press("ArrowRight");
  for (let last = ""; (await focused.getAttribute("aria-label")) !== name; ) {
    const here = (await focused.getAttribute("aria-label")) ?? "";
    assert.notEqual(here, last, `the keys do not reach ${name}`);
    last = here;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
}

async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();
  await page
    .getByRole("dialog", { name: `Actions: ${name}` })
    .getByRole("button", { name: "Done" })
    .click();
}

async function tapMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).tap();
  await page
    .getByRole("dialog", { name: `Actions: ${name}` })
    .getByRole("button", { name: "Done" })
    .tap();
}

const WAYS: readonly { name: string; move: Way; keepsFocus: boolean; options?: object }[] = [
  { name: "dragged with the mouse", move: drag, keepsFocus: false },
  { name: "moved with the keyboard", move: pressKeys, keepsFocus: true },
  { name: "moved in its menu", move: openMenu, keepsFocus: true },
  { name: "moved in its menu by touch", move: tapMenu, keepsFocus: true, options: PHONE },
];

/** Fails unless the status of one file is now `done`, and each other byte of the workspace is the same. */
function assertDone(root: string, path: string, before: Map<string, string>): void {
  const expected = new Map(before);
  expected.set(path, (before.get(path) ?? "").replace(/^Status: in-progress/m, "Status: done"));
  assert.notEqual(expected.get(path), before.get(path));
  assert.deepEqual(readFiles(root), expected);
}

async function moveToDone(page: Page, name: string, { move, keepsFocus }: (typeof WAYS)[number]) {
  await cardIn(page, "In progress", name).waitFor();
  await move(page, name);
  await news(page, `${name} moved to Done.`).waitFor();
  await cardIn(page, "Done", name).waitFor();
  assert.equal(await page.getByRole("article", { name, exact: true }).count(), 1);
  if (keepsFocus) await gotFocus(page, cardIn(page, "Done", name));
}

test("each way of moving changes the file's status and nothing else, also with CRLF and byte order marks", {
  skip,
}, async (t) => {
  const root = makeMany(t, 4);
  const server = await serveHttp(t, ["--root", root]);
  for (const [at, way] of WAYS.entries()) {
    const fragment = `/board?text=p0${at + 1}`;
    const board = await openBoard(t, server, { ...way.options, fragment });
    await live(board);
    const { page, problems } = board;
    await page.locator("[aria-busy=false]").waitFor();
    const before = readFiles(root);
    await moveToDone(page, `003 Work 003 of p0${at + 1}`, way);
    assertDone(root, `p0${at + 1}/tasks/003-task.md`, before);
    assert.deepEqual(problems, []);
  }
});

test("a long column shows its first cards, and more when they come into view; every filter is in the address, and starts again", {
  skip,
}, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 4), { fragment: "/board?text=finish" });
  await page.setViewportSize({ width: 1280, height: 150 });
  await page.reload();
  const pending = column(page, "Pending");
  const cards = pending.getByRole("article");
  await cards.nth(7).waitFor();
  const first = await cards.count();
  assert.ok(first < 30, `${first}`);
  while ((await cards.count()) < 40) await cards.last().scrollIntoViewIfNeeded();
  assert.equal(await pending.getByRole("button", { name: /^Show/ }).count(), 0);
  await page.keyboard.press("f");
  await page.getByRole("searchbox").fill("work");
  await cards.nth(30).waitFor({ state: "detached" });
  assert.equal(await page.evaluate("scrollY"), 0);
  await cards.last().scrollIntoViewIfNeeded();
  await cards.nth(first).waitFor();
  await page.getByRole("checkbox", { name: "Ready" }).check();
  await page.getByRole("checkbox", { name: "Overdue" }).check();
  await page.locator("summary").getByText("Display").click();
  await page.getByRole("combobox", { name: "Sort" }).selectOption("number");
  await page.waitForURL(/state=ready%2Coverdue&sort=number/);
  await page.reload();
  await page.getByText("State: Ready, Overdue").waitFor();
  assert.deepEqual(problems, []);
});

test("a card goes to its place in a column by the mouse, where a line shows it, and by keys", {
  skip,
}, async (t) => {
  const files = ["a", "b", "c"].map((name, at) => [
    `p/tasks/00${at + 1}-${name}.md`,
    `# Task: ${name}\n\nStatus: pending\n`,
  ]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const { page, problems } = await openRoot(t, root);
  const pending = column(page, "Pending").getByRole("article");
  const inOrder = async (...names: string[]) => {
    for (const [at, name] of names.entries())
      await pending
        .nth(at)
        .and(page.getByLabel(name, { exact: true }))
        .waitFor();
  };
  const orders = () => [...readFiles(root).values()].map((text) => /^order: (.*)$/m.exec(text)?.[1]);
  await inOrder("001 a", "002 b", "003 c");
  /** Where a card is, and how to hold another one over a part of it. */
  const over = async (at: number) => {
    const box = await pending.nth(at).boundingBox();
    assert.ok(box !== null);
    return async (x: number, y: number) => {
      for (const step of [0, 1, 2])
        await page.mouse.move(box.x + box.width * x + step, box.y + box.height * y);
    };
  };
  const lineAt = (side: string, name: string) =>
    page
      .locator(`article[data-line=${side}]`)
      .and(page.getByLabel(name, { exact: true }))
      .waitFor();
  // On a tablet, cards stand side by side.
  for (const [width, side] of [
    [500, "above"],
    [620, "left"],
  ] as const) {
    await page.setViewportSize({ width, height: 720 });
    const [first, last] = [await over(0), await over(2)];
    await last(0.2, 0.2);
    await page.mouse.down();
    await first(0.9, 0.9);
    await lineAt(side, "002 b");
    await first(0.1, 0.1);
    await lineAt(side, "001 a");
    if (width === 500) await page.keyboard.press("Escape");
  }
  await page.mouse.up();
  await inOrder("003 c", "001 a", "002 b");
  await news(page, "003 c: place 1 of 3.").waitFor();
  assert.deepEqual(orders(), [undefined, undefined, "1000"]);
  await pending.nth(2).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await inOrder("003 c", "002 b", "001 a");
  await gotFocus(page, pending.nth(1));
  await news(page, "002 b: place 2 of 3.").waitFor();
  assert.deepEqual(orders(), [undefined, "2000", "1000"]);
  await page.keyboard.press("Alt+ArrowDown");
  await inOrder("003 c", "001 a", "002 b");
  await news(page, "002 b: place 3 of 3.").waitFor();
  assert.deepEqual(orders(), ["2000", "3000", "1000"]);
  for (const undone of [3, 2, 1]) {
    await page.keyboard.press("Control+z");
    await news(page, `Undone: 00${undone === 1 ? "3 c" : "2 b"}: place ${undone} of 3.`).waitFor();
  }
  await inOrder("001 a", "002 b", "003 c");
  assert.deepEqual(readFiles(root), new Map(files as [string, string][]));
  await page.goto(`${page.url()}?sort=number`);
  await pending.nth(2).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("ArrowUp");
  await gotFocus(page, pending.nth(1));
  assert.deepEqual(readFiles(root), new Map(files as [string, string][]));
  // From another column, too.
  writeFileSync(join(root, "p/tasks/004-d.md"), "# Task: d\n\nStatus: in-progress\n");
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(page.url().replace("?sort=number", ""));
  await cardIn(page, "In progress", "004 d").hover();
  await page.mouse.down();
  await (await over(0))(0.5, 0.9);
  await lineAt("above", "002 b");
  await page.mouse.up();
  await news(page, "004 d moved to Pending.").waitFor();
  await inOrder("001 a", "004 d", "002 b", "003 c");
  assert.deepEqual(orders(), ["1000", undefined, undefined, "2000"]);
  // Several keep their order, whichever was selected first.
  for (const at of [3, 2]) {
    await pending.nth(at).focus();
    await page.keyboard.press("x");
  }
  await pending.nth(2).hover();
  await page.mouse.down();
  await (await over(0))(0.5, 0.1);
  await lineAt("above", "001 a");
  await page.mouse.up();
  await inOrder("002 b", "003 c", "001 a", "004 d");
  assert.deepEqual(problems, []);
});

test("a move that is refused or does not reach the server puts the card back, and the page says why", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root);
  blockWrites(t, root);
  for (const move of [drag, openMenu]) {
    await move(page, CARD);
    await news(page, `${CARD} was not moved. ${WRITE_PROBLEM}`).waitFor();
    await cardIn(page, "In progress", CARD).waitFor();
    await page.getByRole("log").getByRole("button", { name: "Close" }).click();
    await page.getByRole("log").getByText("was not moved").waitFor({ state: "detached" });
  }
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
  await page.context().setOffline(true);
  await openMenu(page, CARD);
  await news(page, `${CARD} was not moved. The server cannot be reached.`).waitFor();
  await cardIn(page, "In progress", CARD).waitFor();
});

test("a card whose file is gone when it is dropped leaves the board, and the file stays gone", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root);
  const card = page.getByRole("article", { name: CARD, exact: true });
  const [from, to] = [await card.boundingBox(), await column(page, "Done").boundingBox()];
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, from.y + 12, { steps: 8 });
  rmSync(join(root, FILE));
  await page.mouse.up();
  await card.waitFor({ state: "detached" });
  assert.equal(existsSync(join(root, FILE)), false);
  assert.deepEqual(problems, []);
});
