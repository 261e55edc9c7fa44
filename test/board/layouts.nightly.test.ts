import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openRoot } from "../fixtures/board.ts";
import { makeMany } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { READ_TOKEN } from "../fixtures/http.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;

const rows = (page: Page) => page.locator("tbody tr");
const focusedPath = (page: Page) => page.evaluate("document.activeElement.dataset.path");

test("Display sorts the table, whose rows have the keys of cards", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 2), { fragment: "/board?show=table" });
  await rows(page).nth(29).waitFor();
  await rows(page).last().scrollIntoViewIfNeeded();
  await rows(page).nth(35).waitFor();
  await page.locator("summary").getByText("Display").click();
  await page.getByRole("combobox", { name: "Sort" }).selectOption("title");
  await page.waitForURL(/show=table&sort=title/);
  assert.match((await rows(page).first().textContent()) ?? "", /Work 001 of p01/);
  assert.equal(await page.locator("thead button").count(), 0);
  await page.keyboard.press("Escape");
  await rows(page).first().focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await focusedPath(page), "p02/tasks/001-task.md");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("log").getByText("001 Work 001 of p02 moved to In progress.").waitFor();
  await rows(page).nth(3).getByRole("checkbox").check();
  await page.getByText("2 selected").waitFor();
  const last = rows(page).nth(6).getByRole("checkbox");
  await last.click({ modifiers: ["Shift"] });
  await page.getByText("5 selected").waitFor();
  assert.ok(await last.isChecked());
  await rows(page).first().focus();
  await page.keyboard.press("Control+a");
  await page.getByText("50 selected").waitFor();
  await rows(page).nth(1).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "001 Work 001 of p02" }).waitFor();
  assert.deepEqual(problems, []);
});

test("rows of the table have one height at every width: two lines on a phone, fewer columns, two tags and how many more", {
  skip,
}, async (t) => {
  const tags = "[backend, infrastructure-as-code, averyveryverylongtagwithoutanybreaksinit, redis]";
  const long = `---\nowner: codex-on-the-build-machine\npriority: high\ndue: 2020-01-02\ntags: ${tags}\n---\n# ${"Migrate the service ".repeat(9)}\n\nStatus: in-progress\n\n## Steps\n- [ ] One\n`;
  const root = makeWorkspace(t, {
    "a-project-with-a-long-name/tasks/001-a.md": long,
    "p/tasks/001-b.md": "# Short\n\nStatus: blocked\n\n## Context\n- Dependencies: 002\n",
    "p/tasks/002-c.md": "# Other\n\nStatus: pending\n",
  });
  const { page, problems } = await openRoot(t, root, { fragment: "/board?show=table" });
  await rows(page).nth(2).waitFor();
  const cells = rows(page).first().locator("td:visible, th:visible");
  const counts: number[] = [];
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const heights = await rows(page).evaluateAll((all) =>
      all.map((row) => row.getBoundingClientRect().height),
    );
    assert.equal(new Set(heights).size, 1, `${width}: ${heights}`);
    assert.ok((heights[0] ?? 0) < (width === 390 ? 70 : 45), `${width}: ${heights}`);
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), String(width));
    const boxes = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right));
    assert.ok(Math.max(...boxes) <= width, `${width}: ${boxes}`);
    counts.push(boxes.length);
  }
  assert.ok((counts[1] ?? 0) < (counts[3] ?? 0), String(counts));
  assert.match((await rows(page).first().textContent()) ?? "", /#backend#infrastructure-as-code\+2/);
  assert.deepEqual(problems, []);
});

test("paper has all tasks, and nothing to press", { skip }, async (t) => {
  const { page, problems } = await openRoot(t, makeMany(t, 4), { fragment: "/board?done=all" });
  const cards = page.getByRole("article");
  await page
    .locator("#column-pending")
    .getByRole("button", { name: /^Show \d+ more/ })
    .waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.pdf();
  assert.equal(await cards.count(), 100);
  const controls = page.locator("button:visible, input:visible, select:visible, summary:visible");
  assert.equal(await controls.count(), 0);
  const [first, next] = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect()));
  assert.ok(first !== undefined && next !== undefined && next.top >= first.bottom, "one below the other");
  assert.equal(await page.evaluate("getComputedStyle(document.body).color"), "rgb(0, 0, 0)");
  assert.deepEqual(problems, []);
});

const top = (page: Page, place: string) =>
  page
    .locator(place)
    .first()
    .evaluate((element) => element.getBoundingClientRect().top);

test("beside cards, an empty column is a strip that takes cards and makes tasks", { skip }, async (t) => {
  const files = {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "# Task: B\n\nStatus: done\n",
  };
  const { page, problems } = await openRoot(t, makeWorkspace(t, files));
  const column = (name: string) => page.getByRole("region", { name, exact: true });
  const card = page.getByRole("article", { name: "001 A" });
  await card.waitFor();
  const strip = await column("Blocked").boundingBox();
  assert.ok(strip !== null && strip.width < 40 && strip.height > 300);
  await card.dragTo(column("Blocked"));
  await column("Blocked").getByRole("article").waitFor();
  await column("Pending").getByRole("button", { name: "New task: Pending" }).click();
  await page.getByRole("dialog").getByRole("textbox").first().fill("C");
  await page.keyboard.press("Enter");
  await column("Pending").getByRole("article").waitFor();
  assert.deepEqual(problems, []);
});

test("the tools are one row, and the first card is near the top of a laptop and of a phone", {
  skip,
}, async (t) => {
  const files = {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "# B\n\nStatus: review\n",
  };
  const { page, problems } = await openRoot(t, makeWorkspace(t, files));
  for (const [width, height, most] of [
    [1280, 800, 130],
    [1920, 1080, 130],
    [768, 1024, 200],
    [390, 844, 200],
  ] as const) {
    await page.setViewportSize({ width, height });
    assert.ok((await top(page, "article")) < most, `${width}: ${await top(page, "article")}`);
    const tools = await page.locator(".board-top").boundingBox();
    assert.ok(tools !== null && tools.height <= 45, `${width}: ${tools?.height}`);
  }
  await page
    .getByRole("navigation", { name: "Columns" })
    .getByRole("button", { name: "In review 1" })
    .click();
  await page.getByRole("article", { name: "002 B" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("link", { name: "Ready for agents 1" }).click();
  await page.waitForURL(/state=ready/);
  await page.getByRole("button", { name: "More", expanded: false }).waitFor();
  assert.deepEqual(problems, []);
});

test("the rail counts what is open, leads there, and says where one is and who works on what", {
  skip,
}, async (t) => {
  const end = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": `---\nowner: codex\nclaimed_until: ${end}\n---\n# Task: B\n\nStatus: in-progress\n`,
    "q/tasks/001-c.md": "# Task: C\n\nStatus: review\n",
    "q/tasks/002-d.md": "# Task: D\n\nStatus: done\n",
  });
  const { page, problems } = await openRoot(t, root);
  const rail = page.getByRole("banner");
  const here = rail.locator("[aria-current]");
  for (const [name, now, url] of [
    ["Inbox 1", "Inbox1", /#\/inbox/],
    ["Ready for agents 1", "Ready for agents1", /state=ready/],
    ["q 1", "q1", /board\?project=q/],
    ["Overview", "Overview", /project\?name=q/],
    ["Today", "Today", /#\/today/],
    ["All tasks 3", "All tasks3", /#\/board$/],
  ] as const) {
    await rail.getByRole("link", { name, exact: true }).click();
    await page.waitForURL(url);
    await here.getByText(now.replace(/\d/, ""), { exact: true }).waitFor();
    assert.deepEqual(await here.allTextContents(), [now]);
  }
  await rail
    .getByRole("region", { name: "Agents now" })
    .getByRole("link", { name: /^codex 002 · 2h/ })
    .click();
  await page.getByRole("complementary", { name: "002 B" }).waitFor();
  assert.deepEqual(problems, []);
});

function circleNotes(): Record<string, string> {
  const note = (title: string, needs: string) =>
    `# Task: ${title}\n\nStatus: pending\n\n## Context\n- Dependencies: ${needs}\n`;
  return {
    "p/tasks/001-first.md": note("First", "none"),
    "p/tasks/002-second.md": note("Second", "001"),
    "p/tasks/003-round.md": note("Round", "004"),
    "p/tasks/004-about.md": note("About", "003"),
    "p/tasks/005-alone.md": note("Alone", "none"),
  };
}

test("dependencies are layers of a project, with ready tasks, circles by name, and a click or Enter that opens", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, circleNotes());
  const { page, problems } = await openRoot(t, root, {
    fragment: "/board?show=dependencies",
    token: READ_TOKEN,
  });
  const graph = page.getByRole("region", { name: "p", exact: true });
  await graph
    .getByText(/^These wait for each other: 00[34] (?:Round|About) → 00[34] (?:Round|About) → 00/)
    .waitFor();
  const first = graph.getByRole("listitem").filter({ hasText: "First" });
  await first.getByText("Ready").waitFor();
  await graph.getByText("1 task without such links").waitFor();
  await first.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(String(await focusedPath(page)), /002-second|003-round|004-about/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "001 First" }).waitFor();
  await graph.getByRole("link", { name: "Second" }).click();
  const panel = page.getByRole("complementary", { name: "002 Second" });
  await panel
    .getByRole("navigation", { name: "Waits for" })
    .getByRole("link", { name: "001 First" })
    .waitFor();
  assert.deepEqual(problems, []);
});

test("a card has each fact in one line at its place: project, two tags and how many more, progress and owner at its end", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md":
      "---\nowner: Ana López\npriority: high\ndue: 2099-01-02\ntags: [a, b, c, d]\n---\n# Use `node:fs`\n\nStatus: pending\n\n## Steps\n- [x] One\n- [ ] Two\n",
    "p/tasks/002-b.md":
      "---\ndue: 2020-02-28\n---\n# Plain\n\nStatus: blocked\n\n## Notes\n- 2020-02-01: No **key** yet.\n",
    "q/tasks/001-c.md": "# Over\n\nStatus: done\n\n## Steps\n- [x] One\n",
  });
  const { page, problems } = await openRoot(t, root);
  const card = page.getByRole("article", { name: "001 Use `node:fs`" });
  await card.locator("h3 code").getByText("node:fs", { exact: true }).waitFor();
  assert.match((await card.textContent()) ?? "", /^Use node:fs⋯HighpReadyJan 2, 2099#a#b\+2#c #d1\/2/);
  await card.getByTitle("p 001").waitFor();
  await card.getByTitle("High").waitFor();
  await card.getByRole("img", { name: "1 of 2 steps done" }).waitFor();
  await card.locator(".initials").getByText("AL", { exact: true }).waitFor();
  const places = (locator: string) =>
    card.locator(locator).evaluate((one) => one.getBoundingClientRect().toJSON());
  const [title, bars, owner] = [await places("h3"), await places(".bars"), await places(".initials")];
  assert.ok(bars.left - title.left < 2 && title.right - owner.right < 2 && bars.top > title.bottom - 2);
  const plain = page.getByRole("article", { name: "002 Plain" });
  await plain.getByText(/^\d{4} days late$/).waitFor();
  await plain.locator("q").getByText("No key yet.", { exact: true }).waitFor();
  const over = page.getByRole("article", { name: "001 Over" });
  assert.deepEqual([await plain.getByRole("img").count(), await over.getByRole("img").count()], [0, 0]);
  await over.getByText("q", { exact: true }).waitFor();
  await over.click({ button: "right" });
  await page
    .getByRole("dialog", { name: "Actions: 001 Over" })
    .getByRole("button", { name: "Due date" })
    .click();
  await page.getByRole("dialog", { name: "Due date" }).waitFor();
  assert.deepEqual(problems, []);
});
