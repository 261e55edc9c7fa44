import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { localDate } from "../../src/core/lib/clock.ts";
import { live, openBoard, openRoot } from "../fixtures/board.ts";
import { blockWrites, makeDemo, makeMany, readFiles, WRITE_PROBLEM } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { READ_TOKEN, send, serveHttp, TOKEN } from "../fixtures/http.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const skip = noBrowser;

const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const card = (page: Page, name: string | RegExp) => page.getByRole("article", { name, exact: true });
const allRead = (page: Page) => page.locator("[aria-busy=false]").waitFor();

/** Replaces text in a file, as another program would. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(file, text.replace(from, to));
}

test("an outside edit shows, and keeps the scroll position, the focus and what is typed into a filter", {
  skip,
}, async (t) => {
  const root = makeMany(t, 4);
  const { page, problems } = await openRoot(t, root);
  await allRead(page);
  await page.keyboard.press("f");
  await page.keyboard.type("wor");
  await page.waitForURL(/text=wor$/);
  // The lists start again with each letter.
  while ((await page.evaluate("scrollTo(0, 450), scrollY")) !== 450) await sleep(20);
  edit(join(root, "p02/tasks/003-task.md"), "Work 003", "Works 003");
  await card(page, "003 Works 003 of p02").waitFor();
  assert.equal(await page.evaluate("scrollY"), 450);
  await page.keyboard.press("k");
  assert.equal(await page.locator("input:focus").inputValue(), "work");
  await page.waitForURL(/text=work$/);
  const focused = card(page, "008 Work 008 of p03");
  await focused.focus();
  await focused.scrollIntoViewIfNeeded();
  const before = await page.evaluate("scrollY");
  edit(join(root, "p02/tasks/003-task.md"), "Works 003", "Workers 003");
  await card(page, "003 Workers 003 of p02").waitFor();
  assert.equal(await page.evaluate("scrollY"), before);
  assert.equal(await page.locator(":focus").getAttribute("aria-label"), "008 Work 008 of p03");
  assert.deepEqual(problems, []);
});

test("an outside edit keeps what is typed into the form for a new task, and closing the form does, too", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root);
  await page.keyboard.press("n");
  const form = page.getByRole("dialog", { name: "New task: Pending" });
  await form.getByLabel("Title").pressSequentially("Half a ti");
  await form.getByLabel("Project").selectOption("payments-api");
  await form.getByLabel("Objective").pressSequentially("Som");
  edit(join(root, "payments-api/tasks/003-add-rate-limiting.md"), "rate limiting", "rate limits");
  await page.locator("article[aria-label='003 Add rate limits']").waitFor();
  await page.keyboard.type("ething");
  assert.equal(await form.getByLabel("Objective").inputValue(), "Something");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("n");
  assert.equal(await form.getByLabel("Title").inputValue(), "Half a ti");
  assert.equal(await form.getByLabel("Project").inputValue(), "payments-api");
  assert.deepEqual(problems, []);
});

/** Counts the motions that the page starts. */
const COUNT_GLIDES = `(() => {
  const { animate } = Element.prototype;
  window.glides = 0;
  Element.prototype.animate = function (...args) { window.glides++; return animate.apply(this, args); };
})()`;

test("a card that an outside edit moves keeps the focus, and glides; one that goes gives it to its neighbour", {
  skip,
}, async (t) => {
  const root = makeMany(t, 1);
  const { page, problems } = await openRoot(t, root);
  await page.evaluate(COUNT_GLIDES);
  await card(page, "008 Work 008 of p01").focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.getByRole("log").getByText("008 Work 008 of p01 moved to Pending.").waitFor();
  assert.equal(await page.evaluate("glides"), 0);
  await card(page, "003 Work 003 of p01").focus();
  edit(join(root, "p01/tasks/003-task.md"), "Status: in-progress", "Status: blocked");
  await column(page, "Blocked").locator("article:focus[aria-label^='003']").waitFor();
  assert.equal(await page.evaluate("glides"), 1);
  await page.emulateMedia({ reducedMotion: "reduce" });
  edit(join(root, "p01/tasks/003-task.md"), "Status: blocked", "Status: done");
  await column(page, "Done").locator("article:focus[aria-label^='003']").waitFor();
  assert.equal(await page.evaluate("glides"), 1);
  const [gone, next] = await articles(page, "section[aria-label=Blocked] article");
  await column(page, "Blocked").getByRole("article").first().focus();
  rmSync(join(root, `p01/tasks/${gone?.slice(0, 3)}-task.md`));
  await column(page, "Blocked").locator(`article:focus[aria-label="${next}"]`).waitFor();
  assert.equal(await page.locator("article[tabindex='0']").count(), 1);
  assert.deepEqual(problems, []);
});

test("filters are part of the address, narrow the board together, and survive reload, back and forward", {
  skip,
}, async (t) => {
  const root = makeMany(t, 4);
  const you = userInfo().username;
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }))
    if (/\/tasks\/.*\.md$/.test(path) && readFileSync(join(root, path), "utf8").includes("owner: ben"))
      edit(join(root, path), "owner: ben", `owner: ${you}`);
  const board = await openRoot(t, root);
  const { page, problems } = board;
  await allRead(page);
  await page.locator("summary").getByText("Filter").click();
  await page.getByLabel("Filter by text").pressSequentially("finish part");
  await page.getByRole("combobox", { name: "Project" }).selectOption("p02");
  await page.getByRole("combobox", { name: "Tag", exact: true }).selectOption("docs");
  await page.getByRole("checkbox", { name: "Mine", exact: true }).check();
  await page.keyboard.press("Escape");
  const expected = ["001 Work 001 of p02", "013 Work 013 of p02", "025 Work 025 of p02"];
  const isFiltered = async () => {
    await page.getByRole("article").nth(2).waitFor();
    assert.deepEqual((await articles(page)).sort(), expected);
    for (const chip of ["“finish part”", "Project: p02", "Owner: Mine", "Tag: docs"])
      assert.equal(await page.locator(".filter-chip").getByText(chip, { exact: true }).count(), 1, chip);
  };
  const url = page.url();
  assert.ok(url.endsWith(`#/board?text=finish+part&project=p02&tag=docs&owner=${you}`), url);
  await isFiltered();
  await page.reload();
  await live(board);
  await isFiltered();
  await page.getByRole("link", { name: "Today" }).click();
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  await page.goBack();
  await isFiltered();
  assert.equal(page.url(), url);
  await page.goForward();
  await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Remove the filter Owner: Mine" }).click();
  await page.getByRole("article").nth(3).waitFor();
  assert.match(page.url(), /#\/board\?text=finish\+part&project=p02&tag=docs$/);
  // The button that had the focus is gone.
  await page.locator("summary:focus").press("Enter");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("article").nth(40).waitFor();
  assert.deepEqual(problems, []);
});

/** The names of cards. */
function articles(page: Page, selector = "article"): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.getAttribute("aria-label"))`,
  );
}

test("done is the last ten and a count, until all are asked for", { skip }, async (t) => {
  const root = makeMany(t, 4);
  const { page, problems } = await openRoot(t, root);
  await allRead(page);
  const done = column(page, "Done");
  assert.equal(await done.getByRole("article").count(), 10);
  assert.equal(await done.getByRole("heading", { level: 2 }).textContent(), "Done 20");
  await done.getByRole("button", { name: "Show all 20" }).click();
  await done.getByRole("article").nth(19).waitFor();
  assert.match(page.url(), /done=all/);
  await done.getByRole("button", { name: "Show only the last ten" }).click();
  await done.getByRole("article").nth(10).waitFor({ state: "detached" });
  assert.equal(await done.getByRole("article").count(), 10);
  assert.deepEqual(problems, []);
});

test("a task that is created in an empty column has its status, and the focus", { skip }, async (t) => {
  const root = makeDemo(t);
  rmSync(join(root, "payments-api/tasks/004-support-partial-refunds.md"));
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root, { fragment: "/board?project=payments-api" });
  await page.getByRole("button", { name: "New task: Blocked" }).click();
  const form = page.getByRole("dialog", { name: "New task: Blocked" });
  await form.getByLabel("Title").fill("Ask the auditor");
  await form.getByLabel("Objective").fill("The audit has a date.");
  await form.getByRole("button", { name: "Create" }).click();
  await column(page, "Blocked").locator("article:focus[aria-label='008 Ask the auditor']").waitFor();
  await page.getByRole("log").getByText("008 Ask the auditor created in Blocked.").waitFor();
  const path = "payments-api/tasks/008-ask-the-auditor.md";
  const text = readFileSync(join(root, path), "utf8");
  assert.match(text, /^# Task: Ask the auditor\n\nStatus: blocked\n/m);
  assert.match(text, /^The audit has a date\.$/m);
  const after = readFiles(root);
  after.delete(path);
  assert.deepEqual(after, before);
  assert.deepEqual(problems, []);
});

test("a title and Enter make a task at the end of a column and in the dialog, where the last one was made", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root, { fragment: "/board?project=payments-api" });
  const line = page.getByRole("textbox", { name: "New task in Pending: title" });
  const said = (text: string) => page.getByRole("log").getByText(text, { exact: true }).waitFor();
  await line.fill("First");
  await line.press("Enter");
  await page.keyboard.type("Second");
  await page.keyboard.press("Enter");
  await said("payments-api 008 First created in Pending.");
  await said("payments-api 009 Second created in Pending.");
  assert.equal(await line.inputValue(), "");
  await line.and(page.locator(":focus")).waitFor();
  await column(page, "Pending").getByRole("article", { name: "009 Second" }).waitFor();
  await page.keyboard.press("Enter");
  await page.goto(page.url().replace("?project=payments-api", ""));
  assert.equal(await line.getAttribute("placeholder"), "+ Add · payments-api");
  await line.press("Escape");
  await page.keyboard.press("n");
  await page.getByRole("dialog").getByLabel("Title").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Third");
  await page.keyboard.press("Enter");
  await said("payments-api 010 Third created in Pending.");
  await column(page, "Pending").locator("article:focus[aria-label='010 Third']").waitFor();
  assert.match(
    readFileSync(join(root, "payments-api/tasks/010-third.md"), "utf8"),
    /^# Task: Third\n\nStatus: pending\n/,
  );
  for (const title of ["010 Third", "009 Second", "008 First"]) {
    await page.keyboard.press("Control+z");
    await said(`Undone: payments-api ${title} created in Pending.`);
  }
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
});

test("a new task that the server refuses keeps the form open with what was typed, and says why", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root);
  blockWrites(t, root);
  await page.keyboard.press("n");
  const form = page.getByRole("dialog");
  await form.getByLabel("Title").fill("Something");
  await form.getByLabel("Objective").fill("Anything");
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByRole("alert").getByText(WRITE_PROBLEM).waitFor();
  await form.getByRole("button", { name: "Create" }).and(page.locator(":focus")).waitFor();
  assert.equal(await form.getByLabel("Objective").inputValue(), "Anything");
  // Another view does not go on with it.
  await page.goto(page.url().replace("#/board", "#/today"));
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await page.goBack();
  await column(page, "Blocked").waitFor();
  assert.equal(await form.count(), 0);
  const line = page.getByRole("textbox", { name: "New task in Blocked: title" });
  await line.fill("Something");
  await line.press("Enter");
  await page.getByRole("log").getByText(`“Something” was not created. ${WRITE_PROBLEM}`).waitFor();
  assert.equal(await line.inputValue(), "Something");
  assert.deepEqual(problems, []);
});

test("t plans a card for today, where it stands once and opens beside the list", { skip }, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root);
  const name = "005 Send signed webhooks";
  const file = join(root, "payments-api/tasks/005-send-signed-webhooks.md");
  const before = readFileSync(file, "utf8");
  await card(page, name).focus();
  await page.keyboard.press("t");
  await page.getByRole("log").getByText(`${name} changed.`).waitFor();
  assert.match(readFileSync(file, "utf8"), new RegExp(`^due: ${localDate(new Date())}$`, "m"));
  await page.goto(page.url().replace(/#.*/, "#/today"));
  await column(page, "For today").getByRole("article", { name }).click();
  await page.getByRole("complementary", { name }).getByText("is retried for 24 hours").waitFor();
  await page.keyboard.press("j");
  await page.getByRole("complementary", { name: /003/ }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("complementary").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await card(page, name).waitFor({ state: "detached" });
  assert.equal(readFileSync(file, "utf8"), before);
  await page.getByRole("textbox", { name: "New task in For today: title" }).fill("Call the bank");
  await page.keyboard.press("Enter");
  await column(page, "For today")
    .getByRole("article", { name: /Call the bank/ })
    .waitFor();
  await page
    .getByRole("link", { name: /^\d wait for you$/ })
    .first()
    .click();
  await page.waitForURL(/#\/inbox/);
  assert.deepEqual(problems, []);
});

test("archiving done tasks asks first, moves only those that the filters show, and says how to undo it", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root, { fragment: "/board?project=payments-api" });
  const tasks = () => readdirSync(join(root, "payments-api/tasks")).sort();
  const before = tasks();
  const done = column(page, "Done");
  await done.getByRole("button", { name: "Archive" }).click();
  const dialog = page.getByRole("dialog", { name: "Archive done tasks" });
  await dialog.getByText("2 done tasks of 1 project").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await done.getByRole("button", { name: "Archive" }).and(page.locator(":focus")).waitFor();
  assert.deepEqual(tasks(), before);
  await done.getByRole("button", { name: "Archive" }).click();
  await dialog.getByRole("button", { name: "Archive 2" }).click();
  await page.getByRole("log").getByText("2 tasks moved to the archive.").waitFor();
  await done.getByRole("heading", { name: "Done 0" }).waitFor();
  // The button that had the focus is gone.
  await page.locator("h1:focus").waitFor();
  assert.deepEqual(
    tasks(),
    before.filter((name) => !/^00[12]/.test(name)),
  );
  assert.ok(existsSync(join(root, "payments-api/archive")));
  const last = card(page, "003 Add rate limiting");
  await last.focus();
  rmSync(join(root, "payments-api/tasks/003-add-rate-limiting.md"));
  await last.waitFor({ state: "detached" });
  await page.locator("h1:focus").waitFor();
  assert.deepEqual(readdirSync(join(root, "kiroku/tasks")).filter((name) => /^00[12]/.test(name)).length, 2);
  assert.deepEqual(problems, []);
});

test("a read-only token sees the same cards, and nothing that writes", { skip }, async (t) => {
  const root = makeDemo(t);
  const before = readFiles(root);
  const { page, problems } = await openRoot(t, root, { token: READ_TOKEN });
  const one = card(page, "003 Add rate limiting");
  await one.focus();
  for (const key of ["Shift+ArrowRight", "n", "x", "Control+a"]) await page.keyboard.press(key);
  await one.click({ modifiers: ["Shift"] });
  assert.equal(await page.locator("dialog, [draggable=true], article.selected, .board-bar").count(), 0);
  assert.equal(await page.getByRole("button", { name: /^(?:New task|Actions|Archive)/ }).count(), 0);
  await one.press("Enter");
  const panel = page.getByRole("complementary", { name: "003 Add rate limiting" });
  await panel.getByRole("checkbox", { disabled: true }).first().waitFor();
  assert.deepEqual(await panel.getByRole("button").allTextContents(), ["⋯", ""]);
  for (const key of ["s", "p", "a", "d", "l"]) await page.keyboard.press(key);
  assert.equal(await page.locator("dialog").count(), 0);
  await page.keyboard.press("o");
  await page.getByRole("heading", { level: 1, name: "003 Add rate limiting" }).waitFor();
  await page.keyboard.press("e");
  assert.equal(
    await page.getByRole("button", { name: /^(?:Edit|Archive|Delete|Rename|Restore)/ }).count(),
    0,
  );
  await page.getByRole("checkbox", { disabled: true }).first().waitFor();
  assert.equal(await page.getByRole("checkbox", { disabled: false }).count(), 0);
  assert.equal(await page.getByRole("checkbox", { disabled: true }).count(), 8);
  assert.equal(await page.getByRole("textbox").count(), 0);
  assert.deepEqual(readFiles(root), before);
  assert.deepEqual(problems, []);
});

test("an empty board adds the example project, once, and only for who may write", { skip }, async (t) => {
  const root = temporaryFolder(t);
  const server = await serveHttp(t, ["--root", root]);
  const add = (token: string) => send(server, { path: "/example", method: "POST", token });
  assert.equal((await add(READ_TOKEN)).status, 403);
  const reader = await openBoard(t, server, { token: READ_TOKEN });
  await reader.page.getByText("There are no projects yet.").waitFor();
  assert.equal(await reader.page.getByRole("button", { name: "Add an example" }).count(), 0);
  const { page, problems } = await openBoard(t, server);
  await page.getByRole("button", { name: "Add an example project" }).click();
  await card(page, "003 Add rate limiting").waitFor();
  const again = await add(TOKEN);
  assert.equal(again.status, 409);
  assert.match(await again.text(), /has projects already/);
  const readOnly = await serveHttp(t, ["--root", temporaryFolder(t), "--read-only"]);
  assert.equal((await send(readOnly, { path: "/example", method: "POST" })).status, 404);
  assert.deepEqual(problems, []);
});
