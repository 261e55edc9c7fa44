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
import { connect, temporaryFolder } from "../fixtures/workspace.ts";

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
  while ((await page.title()) !== "(1) Board · vibe-mcp") await sleep(20);
  await page.keyboard.press("2");
  const waiting = page.getByRole("region", { name: "Waits for you" });
  await waiting.getByRole("link", { name: "Add rate limiting" }).click();
  await page.getByRole("region", { name: "In review" }).getByRole("button", { name: "Approve" }).click();
  await page.getByRole("log").getByText(`Approved: ${CARD}`).waitFor();
  assert.match(text(), /Status: done/);
  await page.getByRole("button", { name: "Approve" }).waitFor({ state: "detached" });
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
