import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openRoot } from "../fixtures/board.ts";
import { makeDemo } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { connect } from "../fixtures/workspace.ts";

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
  const { page, problems } = await openRoot(t, root, { apart: true });
  const column = page.getByRole("region", { name: "In review", exact: true });
  await column.getByRole("button", { name: "In review 0", expanded: false }).waitFor();
  const { call } = await connect(t, root);
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
  await line.press("Escape");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await call("update_task_status", { ...TASK, status: "done" });
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
