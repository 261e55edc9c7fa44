import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { markBlock } from "../../src/core/notes/session/captured-block.ts";
import { live, logIn, openBoard, openRoot, startBoard } from "../fixtures/board.ts";
import { makeDemo, makeMany } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const skip = noBrowser;

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Replaces text in a file, as another program would. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(file, text.replace(from, to));
}

test("a project's page says what its files say, and follows outside edits", { skip }, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root, { fragment: "/project?name=payments-api" });
  const file = (path: string) => join(root, "payments-api", path);
  await panel(page, "Status").getByText("Version 0.3 is in staging").waitFor();
  await panel(page, "Plan").getByText("Reach version 1.0").waitFor();
  await panel(page, "Plan").getByText("Matches the tasks").waitFor();
  await panel(page, "Recent decisions").getByText("Token bucket, not a fixed window.").waitFor();
  await panel(page, "Tasks")
    .getByText(/In progress\s*1/)
    .or(panel(page, "Tasks").getByText(/1\s*In progress/))
    .first()
    .waitFor();
  await panel(page, "Latest sessions").getByRole("link").nth(1).waitFor();
  await panel(page, "Files").getByText("Project folder").click();
  await panel(page, "Files").getByRole("link", { name: "status.md" }).waitFor();
  await panel(page, "Files").getByText("references").click();
  edit(file("status.md"), "Version 0.3 is in staging", "Version 0.4 is in staging");
  await panel(page, "Status").getByText("Version 0.4 is in staging").waitFor();
  edit(file("tasks/003-add-rate-limiting.md"), "Status: in-progress", "Status: done");
  await panel(page, "Plan").getByText("Out of date").waitFor();
  edit(
    file("plans/execution-plan.md"),
    "## Decisions\n",
    "## Decisions\n- **Keep it small.** It is enough.\n",
  );
  await panel(page, "Recent decisions").getByText("Keep it small.").waitFor();
  writeFiles(root, { "payments-api/sessions/2026-11-23-closing-time.md": "# Session\n" });
  await panel(page, "Latest sessions")
    .getByRole("link", { name: /closing time/ })
    .waitFor();
  writeFiles(root, { "payments-api/references/new-note.md": "# New\n" });
  await panel(page, "Files").getByRole("link", { name: "new-note.md" }).waitFor();
  const odd = "---\ndue: soon\n---\n# Task: Odd\n\nStatus: pending\n";
  writeFiles(root, { "payments-api/tasks/README.md": "# Tasks\n", "payments-api/tasks/020-odd.md": odd });
  await panel(page, "Tasks").getByText("Left out").click();
  await panel(page, "Tasks").getByText("README.md").waitFor();
  await page.goto(page.url().replace(/#.*/, "#/document?path=payments-api/tasks/020-odd.md"));
  await page.getByText("due: soon is not read; write YYYY-MM-DD").waitFor();
  writeFiles(root, { "payments-api/tasks/020-odd.md": odd.replace("Odd", "Even") });
  while (!(await page.title()).includes("020 Even")) await sleep(20);
  assert.deepEqual(problems, []);
});

test("today shows ten tasks of each kind, and a link to the rest", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 3), { fragment: "/today" });
  const group = panel(page, "In progress");
  await group.getByRole("link", { name: /Work/ }).nth(9).waitFor();
  assert.equal(await group.getByRole("link", { name: /Work/ }).count(), 10);
  await group.getByRole("link", { name: "and 5 more" }).click();
  await page.getByRole("article", { name: "004 Work 004 of p01" }).waitFor();
  assert.deepEqual(problems, []);
});

test("a new project can be made, and opens", { skip }, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root);
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("payments-api");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog
    .or(page.getByRole("log"))
    .getByText(/payments-api.* exist/)
    .first()
    .waitFor();
  await dialog.getByLabel("Name").fill("brand-new");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "brand-new" }).waitFor();
  assert.match(readFileSync(join(root, "brand-new/status.md"), "utf8"), /brand-new/);
  assert.deepEqual(problems, []);
});

test("today shows each task once, in one list, and follows outside edits", { skip }, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root, { fragment: "/today" });
  const file = join(root, "payments-api/tasks/003-add-rate-limiting.md");
  const row = (group: string) => panel(page, group).getByRole("article", { name: "003 Add rate limiting" });
  await row("In progress").waitFor();
  await panel(page, "For today")
    .getByText("The refund sandbox of the card processor is not open yet.")
    .waitFor();
  await panel(page, "Stuck")
    .getByRole("article", { name: /端末間の同期/ })
    .waitFor();
  edit(file, /due: \S+/.exec(readFileSync(file, "utf8"))?.[0] ?? "", "due: 2026-01-02");
  await row("For today")
    .getByText(/days late$/)
    .waitFor();
  await row("In progress").waitFor({ state: "detached" });
  edit(file, "due: 2026-01-02\n", "");
  edit(file, "Status: in-progress", "Status: blocked");
  await row("Stuck").waitFor();
  appendFileSync(file, "\n## Notes\n- 2026-01-02, ana: The `sandbox` is not open yet\n");
  await row("Stuck").getByText("The sandbox is not open yet", { exact: true }).waitFor();
  assert.equal(await page.getByRole("article", { name: "003 Add rate limiting" }).count(), 1);
  edit(file, "Status: blocked", "Status: done");
  await row("Stuck").waitFor({ state: "detached" });
  await page.getByText("6 done since yesterday").waitFor();
  assert.deepEqual(problems, []);
});

test("sessions that were captured say who held them", { skip }, async (t) => {
  const root = makeDemo(t);
  const { page, problems } = await openRoot(t, root, { fragment: "/project?name=kiroku" });
  const owner = { client: "codex", session: "s" };
  const held = ["## Codex, 14:05 to 15:20", "", "**Asked:**", "1. Draw a `map`", "", "- **Model:** gpt-5"];
  const block = markBlock(owner, new Date(), { lines: held });
  writeFiles(root, { "kiroku/sessions/2099-01-01-far-ahead.md": `# Session\n\n${block}\n` });
  await panel(page, "Latest sessions")
    .getByRole("link", { name: /far ahead/ })
    .waitFor();
  await panel(page, "Latest sessions").getByText("Draw a map", { exact: true }).waitFor();
  await panel(page, "Latest sessions")
    .getByText(/Codex\s+gpt-5/)
    .waitFor();
  assert.deepEqual(problems, []);
});

test("the board lists the notes that name what is gone: one is right, an agent gets the others", {
  skip,
}, async (t) => {
  const notes = { "one.md": "`src/a.ts`\n", "two.md": "`src/a.ts`, `src/b.ts`\n" };
  const root = makeWorkspace(t, { "shop/status.md": "# Shop\n" });
  writeFiles(join(root, "shop/references"), notes);
  const folder = join(temporaryFolder(t), "shop");
  writeFiles(folder, { "src/a.ts": "a\n", "src/b.ts": "b\n", "README.md": "`src/b.ts`\n" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "a");
  git("rm", "-qr", "src");
  git("commit", "-qm", "b");
  const board = await startBoard(t, ["--root", root, "--no-open"], {}, folder);
  const { token } = await logIn(board);
  const { page, problems } = await openBoard(t, board, { token, fragment: "/project?name=shop" });
  await live({ page });
  const outdated = panel(page, "Outdated notes");
  const right = outdated.getByRole("button", { name: "Right as it is" });
  await outdated.getByRole("link", { name: "references/two.md" }).waitFor();
  await outdated
    .getByText(/line 1: `src\/b\.ts` is gone since/)
    .first()
    .waitFor();
  await outdated.getByRole("listitem").filter({ hasText: "one.md" }).getByRole("button").click();
  await outdated.getByRole("link", { name: "references/one.md" }).waitFor({ state: "detached" });
  await outdated.getByRole("link", { name: "repo:README.md" }).waitFor();
  assert.equal(await right.count(), 1, "a file of the repository is its editor's");
  assert.match(readFileSync(join(root, "shop/references/one.md"), "utf8"), /^---\nconfirmed: /);
  await outdated.getByRole("button", { name: "Ask an agent" }).click();
  await page.getByText("Review outdated notes created in Pending.").waitFor();
  const task = readFileSync(join(root, "shop/tasks/001-review-outdated-notes.md"), "utf8");
  assert.match(
    task,
    /`shop\/references\/two\.md`: line 1: `src\/a\.ts` is gone since .*; line 1: `src\/b\.ts`/,
  );
  assert.doesNotMatch(task, /one\.md/);
  await outdated.getByRole("link", { name: "references/two.md" }).click();
  await panel(page, "No longer holds").getByText("`src/a.ts` is gone").waitFor();
  const { hash } = new URL(page.url());
  await page.goto(page.url().replace(hash, "#/document?path=shop/repo:README.md&show=edit"));
  await page.locator(".document-text", { hasText: "src/b.ts" }).waitFor();
  const controls = page.locator(".document-head .toolbar").locator("a, button");
  assert.deepEqual(await controls.allTextContents(), ["History"], "git keeps it, and an editor changes it");
  await page.keyboard.press("e");
  assert.equal(await page.getByRole("textbox").count(), 0);
  assert.deepEqual(problems, []);
});
