import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { violationsOf } from "../fixtures/axe.ts";
import { startBoard } from "../fixtures/board.ts";
import { noBrowser, openPage } from "../fixtures/browser.ts";
import { noGit, startMachine } from "../fixtures/machines.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

test("the board says how long ago the notes were synced, and which were changed in two places", {
  skip: noBrowser || noGit,
}, async (t) => {
  const remote = join(temporaryFolder(t), "notes.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const text = "# Flow\n\nFirst.\n";
  const files = { "p/status.md": "# P\n", "p/references/flow.md": text };
  const ana = await startMachine(t, { name: "ana", remote, files });
  const ben = await startMachine(t, { name: "ben", remote, files: {} });
  const board = await startBoard(t, ["--root", ana.root], { HOME: ana.home });
  const page = await openPage(t);
  await page.goto(board.address());
  const chip = page.locator(".rail .chip");
  await chip.getByText(/^Synced/).waitFor();
  const write = (root: string, line: string) =>
    writeFileSync(join(root, "p/references/flow.md"), text.replace("First.", line));
  write(ben.root, "By Ben.");
  await ben.sync();
  write(ana.root, "By Ana.");
  const [decide] = (await ana.sync()).kept;
  await page.reload();
  await chip.getByText("1 note changed in two places").click();
  await page.getByText("By Ben.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await ana.call("restore_doc", { change: decide?.change });
  await ana.sync();
  renameSync(remote, `${remote}.away`);
  write(ana.root, "By Ana again.");
  await ana.sync();
  await page.reload();
  await chip.getByText("Not synced: 1 not sent").waitFor();
});
