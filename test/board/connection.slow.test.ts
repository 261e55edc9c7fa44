import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { live, startBoard } from "../fixtures/board.ts";
import { noBrowser, openPage } from "../fixtures/browser.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;
const CARD = "001 A";

/** A board in a process of its own, open in one tab. */
async function openProcess(t: TestContext) {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  const board = await startBoard(t, ["--root", root, "--no-open"]);
  const page = await openPage(t, { locale: "en-US" });
  const address = board.address();
  await page.goto(address);
  await live({ page });
  return { ...board, page, used: address };
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

test("a new tab is let in by an open one: with a plain address, or one whose code was used", {
  skip,
}, async (t) => {
  const { page, origin, used } = await openProcess(t);
  for (const address of [`${origin}/#/board`, used]) {
    const tab = await page.context().newPage();
    await tab.goto(address);
    await live({ page: tab });
    await tab.getByRole("article", { name: CARD }).waitFor();
    await tab.close();
  }
  await page.close();
  const stranger = await openPage(t, { locale: "en-US" });
  await stranger.goto(`${origin}/#/board`);
  await stranger.getByLabel("Token").waitFor();
  assert.equal(await stranger.getByRole("article").count(), 0);
});

test("in a browser without channels between tabs, an address with a code lets in", { skip }, async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  const { address, origin } = await startBoard(t, ["--root", root, "--no-open"]);
  const page = await openPage(t, { locale: "en-US" });
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "BroadcastChannel"));
  await page.goto(address());
  await live({ page });
  const tab = await page.context().newPage();
  await tab.addInitScript(() => Reflect.deleteProperty(globalThis, "BroadcastChannel"));
  await tab.goto(`${origin}/#/board`);
  await tab.getByLabel("Token").waitFor();
});
