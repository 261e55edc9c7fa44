import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { live, startBoard } from "../fixtures/board.ts";
import { noBrowser, openPage } from "../fixtures/browser.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const skip = noBrowser;
const CARD = "001 A";

/** A board in a process of its own, open in one tab. */
async function openProcess(t: TestContext) {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  const board = await startBoard(t, ["--root", root, "--no-open"]);
  const page = await openPage(t, { locale: "en-US" });
  await page.goto(board.address());
  await live({ page });
  return { ...board, page };
}

test("a server that stops answering is said, and so is a change that it has not acknowledged", {
  skip: skip || (process.platform === "win32" && "no process can be stopped there"),
}, async (t) => {
  const { page, child } = await openProcess(t);
  const status = page.getByRole("status");
  await page.getByRole("article", { name: CARD }).focus();
  child.kill("SIGSTOP");
  t.after(() => child.kill("SIGCONT"));
  await page.keyboard.press("Shift+ArrowRight");
  await status.getByText("Not saved yet…").waitFor();
  await status.getByText("Connection lost. Trying again…").waitFor();
  child.kill("SIGCONT");
  await live({ page });
  await status.getByText("Not saved yet…").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "In progress" }).getByRole("article", { name: CARD }).waitFor();
});

test("a new tab, and one whose board was started again, ask to open the board again; its address does", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  const home = temporaryFolder(t);
  const start = () => startBoard(t, ["--root", root, "--no-open"], { HOME: home });
  const first = await start();
  const page = await openPage(t, { locale: "en-US" });
  await page.goto(first.address());
  await live({ page });
  await page.reload();
  await live({ page });
  const tab = await page.context().newPage();
  await tab.goto(`${first.origin}/#/board`);
  await tab.getByText("open the board again").waitFor();
  assert.equal(await tab.getByRole("article").count(), 0);
  first.child.kill("SIGINT");
  await first.exit;
  const next = await start();
  assert.equal(next.origin, first.origin);
  await page.getByRole("alert").getByText("Open the board again").waitFor();
  await page.getByLabel("Token").fill("a wrong one");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("alert").getByText("Open the board again").waitFor();
  await page.goto(next.address());
  await live({ page });
});
