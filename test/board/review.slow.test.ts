import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { live, openBoard, openRoot } from "../fixtures/board.ts";
import { makeDemo } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { startHttp, TOKEN } from "../fixtures/http.ts";
import { connect, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const CARD = "003 Add rate limiting";
const FILE = "payments-api/tasks/003-add-rate-limiting.md";
const TASK = { project: "payments-api", task: "003" };

test("a person returns a task with a note from its card, writes to its agent, and approves it on its page", {
  skip: noBrowser,
}, async (t) => {
  const root = makeDemo(t);
  const status = join(root, "payments-api/status.md");
  writeFileSync(status, readFileSync(status, "utf8").replace(/^---\n/, "---\nreview: required\n"));
  const text = () => readFileSync(join(root, FILE), "utf8");
  const home = temporaryFolder(t);
  const server = await startHttp(t, ["--root", root], { VIBE_AUTH_TOKEN: TOKEN, XDG_STATE_HOME: home });
  const board = await openBoard(t, server);
  await live(board);
  const { page, problems } = board;
  const column = page.getByRole("region", { name: "In review", exact: true });
  await column.getByRole("heading", { name: "In review 0" }).waitFor();
  const { call } = await connect(t, root, { state: join(home, "vibe-mcp") });
  await call("update_task_status", { ...TASK, status: "done" });
  const card = column.getByRole("article", { name: CARD, exact: true });
  await card.waitFor();
  await card.getByRole("button", { name: `Actions: ${CARD}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Return with a note" }).click();
  const dialog = page.getByRole("dialog", { name: `Return ${CARD}` });
  await dialog.getByLabel("What is missing?").fill("The limit is <b>too</b> low");
  await dialog.getByRole("button", { name: "Return", exact: true }).click();
  await page.getByRole("log").getByText(`Returned: ${CARD}`).waitFor();
  assert.match(text(), /Status: pending[\s\S]*- \d{4}-\d\d-\d\d, .+: The limit is <b>too<\/b> low/);
  await call("claim_task", { ...TASK, agent: "claude-code" });
  await page.getByRole("article", { name: CARD, exact: true }).click();
  const panel = page.getByRole("complementary", { name: CARD });
  const line = panel.getByRole("textbox", { name: "Write a note to claude-code…" });
  await line.fill("Use one Lua script.");
  await line.press("Enter");
  await page.getByRole("log").getByText(`Note written: ${CARD}`).waitFor();
  await panel
    .getByText(/, .+: Use one Lua script\./)
    .first()
    .waitFor();
  assert.equal(await line.inputValue(), "");
  const { news } = await call<{ news: string[] }>("list_tasks", { limit: 1 });
  assert.match(
    news.join("\n"),
    new RegExp(`^.+ wrote under Notes of .${FILE}., quoted: 'Use one Lua script\\.'$`),
  );
  assert.match(text(), /Status: in-progress/);
  await line.fill("Half a th");
  await line.press("Escape");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  assert.equal(await line.inputValue(), "Half a th");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await call("update_task_status", { ...TASK, status: "done", agent: "claude-code" });
  await card.waitFor();
  while ((await page.title()) !== "(4) Board · vibe-mcp") await sleep(20);
  await page.keyboard.press("2");
  await page.getByRole("link", { name: "4 wait for you" }).click();
  await page.getByRole("article", { name: CARD, exact: true }).click();
  await page.getByRole("button", { name: "Approve, next" }).click();
  await page.getByRole("log").getByText(`Approved: ${CARD}`).waitFor();
  assert.match(text(), /Status: done/);
  await page.getByRole("button", { name: "Approve" }).waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
});

const HANDED_IN = {
  "shop/status.md": "---\nreview: required\n---\n# Shop\n",
  "shop/tasks/001-pay.md":
    "# Task: Pay\n\nStatus: pending\n\n## Objective\nUp to 200 euros.\nBy card.\n\n## Steps\n1. [ ] Charge\n2. [ ] Refund\n",
  "shop/tasks/002-ship.md":
    "# Task: Ship\n\nStatus: pending\n\n## Context\n- Dependencies: 001-pay, 006-pack\n\n## Steps\n1. [ ] Box\n",
  "shop/tasks/003-lost.md":
    "---\nowner: codex\nclaimed_until: 2026-01-01T00:00Z\n---\n# Task: Lost\n\nStatus: in-progress\n",
  "shop/tasks/004-stuck.md":
    "# Task: Stuck\n\nStatus: blocked\n\n## Notes\n\n- 2026-11-02, codex: Which currency?\n",
  "shop/tasks/005-waits.md": "# Task: Waits\n\nStatus: blocked\n\n## Context\n- Dependencies: 002-ship\n",
  "shop/tasks/006-pack.md": "# Task: Pack\n\nStatus: done\n",
};

test("the inbox shows what was handed in and all that changed since one looked; each key decides on a task and goes to the next", {
  skip: noBrowser,
}, async (t) => {
  const root = makeWorkspace(t, HANDED_IN);
  const home = temporaryFolder(t);
  const server = await startHttp(t, ["--root", root], { VIBE_AUTH_TOKEN: TOKEN, XDG_STATE_HOME: home });
  const pay = "shop/tasks/001-pay.md";
  const board = await openBoard(t, server, { fragment: `/board?task=${encodeURIComponent(pay)}` });
  await live(board);
  const { page, problems } = board;
  const { call } = await connect(t, root, { state: join(home, "vibe-mcp") });
  const handIn = async (objective: string, note: string) => {
    const [project, task] = ["shop", "001"];
    await call("claim_task", { project, task, agent: "claude-code" });
    for (const content of [objective, `${objective}\nIn euros.`])
      await call("update_doc", { path: pay, section: "Objective", content });
    await call("update_task", { project, task, done_steps: [1] });
    await call("update_task_status", { project, task, status: "done", note, agent: "claude-code" });
  };
  const chosen = (name: string) => page.locator("article:focus", { hasText: name }).waitFor();
  const changed = () =>
    page.locator(".peek > .panel > .diff").locator(".diff-gone, .diff-new").allTextContents();
  await page.keyboard.press("2");
  await handIn("Up to 300 euros.\nBy card.", "One form for all cards.");
  await page.getByText("3", { exact: true }).first().waitFor();
  await page.keyboard.press("3");
  await chosen("Pay");
  assert.deepEqual(await page.getByRole("article").evaluateAll((all) => all.map((card) => card.ariaLabel)), [
    "001 Pay",
    "003 Lost",
    "004 Stuck",
  ]);
  for (const [name, row] of Object.entries({
    "001 Pay": /In review.*shop.*1\/2.*claude-code.*(now|min\. ago)/,
    "003 Lost": /Claim ran out.*shop.*codex.*ago/,
    "004 Stuck": /Question.*shop.*Which currency\?/,
  }))
    await page.getByRole("article", { name }).filter({ hasText: row }).waitFor();
  await page.getByText("One form for all cards. claude-code").waitFor();
  await page.getByRole("heading", { name: /^Since you last looked/ }).waitFor();
  assert.deepEqual((await changed()).slice(0, 3), [
    "− Up to 200 euros.",
    "+ Up to 300 euros.",
    "+ In euros.",
  ]);
  assert.doesNotMatch((await changed()).join("\n"), /Status|owner|Charge/);
  const starts = page.getByRole("navigation", { name: "Approving lets start" });
  assert.deepEqual(await starts.getByRole("link").allTextContents(), ["002 Ship"]);
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("Still too high");
  await page.keyboard.press("Enter");
  await chosen("Lost");
  assert.match(readFileSync(join(root, pay), "utf8"), /Status: pending[\s\S]*: Still too high\n$/);
  await handIn("Up to 100 euros.\nBy card.", "Lower now.");
  await page.getByText("Came back").waitFor();
  await page.keyboard.press("k");
  await chosen("Pay");
  await page.getByText("Lower now. claude-code").waitFor();
  assert.deepEqual((await changed()).slice(0, 2), ["− Up to 300 euros.", "+ Up to 100 euros."]);
  await page.keyboard.press("Enter");
  await chosen("Lost");
  await page.getByRole("log").getByText("Approved: 001 Pay").waitFor();
  assert.match(readFileSync(join(root, pay), "utf8"), /Status: done/);
  await page.getByText("Claim ran out").waitFor();
  await call("claim_task", { project: "shop", task: "003", agent: "codex" });
  await page.getByText("In progress", { exact: true }).first().waitFor();
  await chosen("Lost");
  await page.keyboard.press("j");
  await chosen("Stuck");
  await page.getByText("Which currency? codex").waitFor();
  assert.doesNotMatch(JSON.stringify(await call("list_tasks", { project: "shop" })), /currency/);
  await page.getByRole("textbox", { name: "Write a note to the next agent…" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("Euros");
  await page.keyboard.press("Shift+Enter");
  await page.getByText("Nothing waits for you.").waitFor();
  const now = page.getByRole("main").getByRole("region", { name: "Agents now" });
  assert.deepEqual(await now.getByRole("link").allTextContents(), ["Lost"]);
  await page.keyboard.press("j");
  await chosen("Lost");
  assert.match(
    readFileSync(join(root, "shop/tasks/004-stuck.md"), "utf8"),
    /Status: pending[\s\S]*: Euros\n$/,
  );
  assert.deepEqual(problems, []);
});

/** What a person does with a task in review, what the page says of it, and the status that it gets. */
const WAYS: Record<string, { run: (page: Page) => Promise<void>; said: string; status: string }> = {
  "by key": {
    run: (page) => page.keyboard.press("Shift+ArrowRight"),
    said: `${CARD} moved to Done.`,
    status: "done",
  },
  approved: {
    run: (page) => page.getByRole("button", { name: "Approve" }).click(),
    said: `Approved: ${CARD}`,
    status: "done",
  },
  returned: {
    run: async (page) => {
      await page.getByRole("button", { name: "Return with a note" }).click();
      await page.getByLabel("What is missing?").fill("Too low.");
      await page.getByRole("button", { name: "Return", exact: true }).click();
    },
    said: `Returned: ${CARD}`,
    status: "pending",
  },
};

test("what an agent moved before the page's call came is not moved back: the page asks, and a note never moves", {
  skip: noBrowser,
}, async (t) => {
  const root = makeDemo(t);
  const text = () => readFileSync(join(root, FILE), "utf8");
  const { page, problems } = await openRoot(t, root, { apart: true });
  const { call } = await connect(t, root);
  const card = page.getByRole("article", { name: CARD, exact: true });
  const panel = page.getByRole("complementary", { name: CARD });
  await card.click();
  let isFaster = false;
  await page.route("**/mcp", async (route) => {
    if (isFaster && route.request().postData()?.includes('"update_task_status"')) {
      isFaster = false;
      await call("update_task_status", { ...TASK, status: "in-progress" });
    }
    await route.continue();
  });
  for (const [way, { run, said, status }] of Object.entries(WAYS)) {
    await call("update_task_status", { ...TASK, status: "review" });
    await panel.getByRole("button", { name: "Approve" }).waitFor();
    isFaster = true;
    await run(page);
    const again = page.getByRole("button", { name: "Do it anyway" });
    await again.waitFor();
    assert.match(text(), /^Status: in-progress$/m, way);
    await page.getByText(/The status is In progress now\.$/).waitFor();
    await again.click();
    await page.getByRole("log").getByText(said).waitFor();
    await page.locator("dialog[open]").waitFor({ state: "detached" });
    assert.match(text(), new RegExp(`^Status: ${status}$`, "m"), way);
  }
  assert.match(text(), /: Too low\.$/m);
  await call("update_task_status", { ...TASK, status: "in-progress" });
  isFaster = true;
  await page.getByRole("textbox", { name: /^Write a note/ }).fill("Use one Lua script.");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText(`Note written: ${CARD}`).waitFor();
  assert.match(text(), /Status: in-progress[\s\S]*: Use one Lua script\.$/m);
  assert.deepEqual(problems, []);
});
