import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openRoot } from "../fixtures/board.ts";
import { makeDemo } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { connect } from "../fixtures/workspace.ts";

const skip = noBrowser;
const CARD = "004 Support partial refunds";
const TASK = { project: "payments-api", task: "004" };
const HOSTILE = "<img src=x onerror=alert(1)> [a](javascript:alert(1))";

const feed = (page: Page) => page.getByRole("region", { name: "What happened" });
const card = (page: Page) => page.getByRole("article", { name: CARD, exact: true });

test("a card that an agent changed is marked until someone looks at it, and shows holder and time left", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root, { apart: true });
  await card(page).waitFor();
  const { call } = await connect(t, root);
  await call("claim_task", { ...TASK, agent: HOSTILE, minutes: 130 });
  const mark = card(page).locator(".board-fresh");
  await mark.getByText(`Changed by ${HOSTILE}`).waitFor({ state: "attached" });
  await card(page).locator(".owner .initials-agent").waitFor();
  assert.match((await card(page).locator(".owner").textContent()) ?? "", /2h (?:9|1[0-2])m left$/);
  await call("update_task", { ...TASK, done_steps: [2] });
  await card(page)
    .getByText(/ ticked “Call the processor.s refund endpoint” · now$/)
    .waitFor();
  await card(page).focus();
  await mark.waitFor({ state: "detached" });
  // One's own changes are no news.
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("log").getByText(`${CARD} moved to`).waitFor();
  await page.goto(`${page.url().split("#")[0]}#/today`);
  await feed(page).getByText("A person on the board").waitFor();
  await page.goBack();
  await card(page).waitFor();
  assert.equal(await mark.count(), 0);
  assert.deepEqual(problems, []);
});

test("what agents, people and other programs changed is in the feed at once, each with its name", {
  skip,
}, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root, { apart: true, fragment: "/today" });
  await feed(page).getByText("No changes are recorded yet.").waitFor();
  const { call } = await connect(t, root);
  await call("claim_task", { ...TASK, agent: "ana" });
  await call("claim_task", { project: "kiroku", agent: HOSTILE });
  const group = (name: string) => feed(page).getByRole("listitem").filter({ hasText: name }).first();
  await group("ana")
    .getByText(/ana claimed 004 Support/)
    .waitFor();
  await group(HOSTILE).getByText("kiroku", { exact: true }).waitFor();
  await call("update_task_status", { ...TASK, status: "done", agent: "ana" });
  await group("ana")
    .getByText(/^(?:Blocked|In progress) → Done$/)
    .waitFor();
  const file = join(root, "payments-api/tasks/003-add-rate-limiting.md");
  writeFileSync(file, `${readFileSync(file, "utf8").replace(/^# .*/m, "# Task: Changed <b>outside</b>")}`);
  await group("Another program")
    .getByRole("link", { name: "003 Changed <b>outside</b>", exact: true })
    .waitFor();
  assert.equal(await feed(page).getByText("Another program").count(), 1);
  await call("update_task", { ...TASK, due: "2031-01-05", done_steps: [2] });
  const changed = feed(page)
    .getByRole("listitem")
    .filter({ hasText: /Jan 5, 2031 · ticked “/ });
  await changed.last().getByRole("button", { name: "Undo:" }).click();
  await page
    .getByRole("log")
    .getByText(/^Undone: /)
    .waitFor();
  await group("ana")
    .getByRole("link", { name: /^Difference/ })
    .first()
    .click();
  await page.getByRole("region", { name: "Differences" }).waitFor();
  await page.getByRole("list", { name: "Versions" }).getByText("ana").first().waitFor();
  await page.goto(`${page.url().split("#")[0]}#/project?name=kiroku`);
  await feed(page).getByText(HOSTILE).waitFor();
  assert.equal(await feed(page).getByText("ana").count(), 0);
  assert.deepEqual(problems, []);
});
