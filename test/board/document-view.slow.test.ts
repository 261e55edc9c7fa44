import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { type BoardPage, live, openRoot } from "../fixtures/board.ts";
import { readFiles } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;

const TASK = `---
owner: ana
---
# Task: Ship it

Status: pending

## Steps
1. [ ] First
2. [x] Second

## Notes
- [ ] Loose end

\`\`\`
- [ ] not a step
\`\`\`
`;
const FILES = {
  "p/tasks/001-ship-it.md": `\uFEFF${TASK.replaceAll("\n", "\r\n")}`,
  "p/notes/guide.md":
    "# Guide\n\nSee [[001-ship-it]], [[far]], [[twin]], [the plan](../plans/plan.md#order) and [[nowhere]].\n",
  "p/plans/plan.md": `# Plan\n${"\nA line.\n".repeat(80)}\n## Order\n\nFirst [the guide](../notes/guide.md).\n`,
  "p/twin.md": "# Twin of p\n",
  "q/notes/far.md": "# Far away\n\nStatus: deprecated\n",
  "q/twin.md": "# Twin of q\n",
  "r/mixed.md": "# Mixed\r\nfirst\nsecond\r\nthird\n",
};
const PATH = "p/tasks/001-ship-it.md";

interface Opened extends BoardPage {
  root: string;
  /** The bytes of a file. */
  read: (path: string) => string;
}

async function openDocument(t: TestContext, path: string, files: object = FILES): Promise<Opened> {
  const root = makeWorkspace(t, files as typeof FILES);
  const board = await openRoot(t, root, { fragment: `/document?path=${encodeURIComponent(path)}` });
  return { ...board, root, read: (name) => readFileSync(join(root, name), "utf8") };
}

const title = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const news = (page: Page, text: string) => page.getByRole("log").getByText(text).first().waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const choose = async (page: Page, name: string) => {
  await press(page, "More actions");
  await page.getByRole("dialog", { name: "More actions" }).getByRole("button", { name, exact: true }).click();
};
const field = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });

/** Waits for a file's text. */
async function untilWritten(read: () => string, expected: string): Promise<void> {
  for (let tries = 0; read() !== expected && tries < 6000; tries++) await sleep(10);
  assert.equal(read(), expected);
}

test("a tick changes one character, in steps and elsewhere, and keeps CRLF and the byte order mark", {
  skip,
}, async (t) => {
  const { page, root, read, problems } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  const before = readFiles(root);
  const boxes = page.getByRole("checkbox");
  assert.equal(await boxes.count(), 3);
  const text = read(PATH);
  const steps: [string, boolean, string][] = [
    ["First", true, text.replace("1. [ ]", "1. [x]")],
    ["Loose end", true, text.replace("1. [ ]", "1. [x]").replace("- [ ] Loose", "- [x] Loose")],
    [
      "Second",
      false,
      text.replace("1. [ ]", "1. [x]").replace("2. [x]", "2. [ ]").replace("- [ ] Loose", "- [x] Loose"),
    ],
  ];
  for (const [name, isDone, expected] of steps) {
    await page.getByRole("checkbox", { name }).setChecked(isDone);
    await untilWritten(() => read(PATH), expected);
  }
  const after = readFiles(root);
  assert.equal(after.delete(PATH), before.delete(PATH));
  assert.deepEqual(after, before);
  assert.deepEqual(problems, []);
});

test("a tick counts although fields and prose just changed, and not if a line with a box did", {
  skip,
}, async (t) => {
  const { page, root, read } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  const others: ((text: string) => string)[] = [];
  let reads = 0;
  await page.route("**/mcp", async (asked) => {
    const isRead = asked.request().postData()?.includes('"read_doc"') === true;
    const change = isRead ? others.pop() : undefined;
    if (isRead) reads++;
    if (change !== undefined) writeFileSync(join(root, PATH), change(read(PATH)));
    await asked.continue();
  });
  const claimed = (text: string) =>
    text.replace("owner: ana", "owner: an agent").replace("pending", "in-progress");
  const expected = claimed(read(PATH)).replace("1. [ ]", "1. [x]");
  others.push(claimed);
  await page.getByRole("checkbox", { name: "First" }).check();
  await untilWritten(() => read(PATH), expected);
  // The page reads the document again when it hears of that.
  for (let before = -1; before !== reads; await sleep(1000)) before = reads;
  others.push((text) => text.replace("Loose end", "Another end"));
  await page.getByRole("checkbox", { name: "Loose end" }).click();
  await news(page, "The document changed. Look at it again, then tick.");
  assert.equal(read(PATH), expected.replace("Loose end", "Another end"));
});

test("criteria are ticked like steps, beside what others write, and done says what stays open", {
  skip,
}, async (t) => {
  const task =
    "# Task: A\n\nStatus: pending\n\n## Steps\n- [ ] s\n\n## Acceptance Criteria\n- [ ] c\n- [ ] d\n- [ ] e\n";
  const path = "p/tasks/001-a.md";
  const { page, calls, read, problems } = await openDocument(t, path, { [path]: task });
  await title(page, "001 A");
  await page.getByRole("checkbox", { name: "d", exact: true }).check();
  await news(page, "Ticked: 001 A");
  assert.deepEqual(calls.findLast(({ name }) => name === "update_task")?.args["done_criteria"], [2]);
  await press(page, "Status: Pending");
  await page.getByRole("dialog", { name: "Status" }).getByRole("button", { name: "Done" }).click();
  await news(page, "001 A moved to Done. Still open: 1 step, 2 criteria.");
  const done = task.replace("[ ] d", "[x] d").replace("Status: pending", "Status: done");
  await untilWritten(() => read(path), done);
  assert.deepEqual(problems, []);
});

test("an edit starts below the frontmatter, has a preview and is saved byte for byte: other lines keep their endings", {
  skip,
}, async (t) => {
  const { page, read, problems } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  const before = read(PATH);
  await press(page, "Edit");
  await field(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("First **line**.\n\n");
  await page.getByRole("region", { name: "Preview" }).getByText("First line.").waitFor();
  await page.keyboard.press("Control+Enter");
  await news(page, "Saved");
  await field(page).waitFor({ state: "detached" });
  await page.locator("h1:focus").waitFor();
  assert.equal(read(PATH), before.replace("# Task", "First **line**.\r\n\r\n# Task"));
  await page.goto(page.url().replace(encodeURIComponent(PATH), encodeURIComponent("r/mixed.md")));
  await title(page, "Mixed");
  await page.keyboard.press("e");
  await field(page).fill((await field(page).inputValue()).replace("second", "2nd"));
  await press(page, "Save");
  await field(page).waitFor({ state: "detached" });
  assert.equal(read("r/mixed.md"), "# Mixed\r\nfirst\n2nd\r\nthird\n");
  assert.deepEqual(problems, []);
});

const MERGED = `# Guide

<<<<<<< HEAD
Ours one.\r
||||||| base
Before.
=======
Theirs one.\r
>>>>>>> topic
Between.
<<<<<<< HEAD
Ours two.
=======
Theirs two.
>>>>>>> topic
End.
`;

test("what a merge left is shown with what differs: by key, one side stays, or both", { skip }, async (t) => {
  const files = { "p/guide.md": MERGED, "p/tasks/001-a.md": `# Task: A\n\n${MERGED}` };
  const { page, read, problems } = await openDocument(t, "p/guide.md", files);
  await title(page, "Guide");
  const first = page.getByRole("region", { name: "Guide · Line 3" });
  assert.deepEqual(await first.locator("mark").allTextContents(), ["Ours", "Theirs", ""]);
  assert.equal(await first.getByRole("button", { name: "Ours one." }).textContent(), "1OursOurs one.\r\n");
  await page.keyboard.press("2");
  const second = page.getByRole("region", { name: "Guide · Line 5" });
  await second.waitFor();
  await second.getByRole("button", { name: "Both lines" }).click();
  await second.waitFor({ state: "detached" });
  assert.equal(read("p/guide.md"), "# Guide\n\nTheirs one.\r\nBetween.\nOurs two.\nTheirs two.\nEnd.\n");
  await page.goto(page.url().replace(/#.*/, "#/board"));
  await page
    .getByRole("article")
    .or(page.getByRole("listitem"))
    .getByText("Merge conflict")
    .first()
    .waitFor();
  assert.deepEqual(problems, []);
});

const WAS = "# Twin\n\nFirst.\nLast.\n";
const MINE = "# Twin\n\nFirst.\nMine.\n";
const THEIRS = "# Twin\n\nTheirs.\nLast.\n";
const TASKS = "---\ntags: [a]\n---\n# Twin\n\n## Steps\n\n1. [ ] One\n2. [ ] Two\n\n## Notes\n\nOld.\n";
const TICKED = TASKS.replace("1. [ ]", "1. [x]").replace("2. [ ]", "2. [x]").replace("[a]", "[a, b]");

/** What a person wrote, what another program did meanwhile, what the person chooses where both changed lines, and what stays. */
const BESIDE: Record<string, { texts: [string, string, string]; choice?: string; saved: string }> = {
  "p/1.md": {
    texts: [TASKS, TASKS.replace("Old.", "New."), TICKED],
    saved: TICKED.replace("Old.", "New."),
  },
  "p/2.md": { texts: [WAS, MINE, THEIRS], choice: "1", saved: MINE },
  "p/3.md": { texts: [WAS, MINE, THEIRS], choice: "2", saved: THEIRS },
  "p/4.md": {
    texts: [WAS, MINE, THEIRS],
    choice: "3",
    saved: "# Twin\n\nFirst.\nMine.\nTheirs.\nLast.\n",
  },
};

test("what others wrote meanwhile is saved together with what a person typed; lines that both changed wait for a choice", {
  skip,
}, async (t) => {
  const files = Object.fromEntries(Object.entries(BESIDE).map(([path, { texts }]) => [path, texts[0]]));
  const { page, root, read, problems } = await openDocument(t, "p/1.md", files);
  for (const [path, { texts, choice, saved }] of Object.entries(BESIDE)) {
    const [, mine, theirs] = texts;
    await page.goto(page.url().replace(/#.*/, `#/document?path=${encodeURIComponent(path)}`));
    await page.getByRole("navigation", { name: "Path" }).getByText(path.slice(2)).waitFor();
    await title(page, "Twin");
    await press(page, "Edit");
    await field(page).fill(mine);
    writeFileSync(join(root, path), theirs);
    await page.getByText("Someone changed this document meanwhile. Saving keeps both changes.").waitFor();
    assert.equal(await field(page).inputValue(), mine);
    await press(page, "Save");
    if (choice !== undefined) {
      await page.getByRole("alert").getByText("Someone changed the same lines").waitFor();
      assert.equal(read(path), theirs);
      assert.ok(await page.getByRole("button", { name: "Save", exact: true }).isDisabled());
      await page.getByRole("button", { name: "Someone Theirs." }).waitFor();
      await page.keyboard.press(choice);
      await press(page, saved === theirs ? "Cancel" : "Save");
    }
    await field(page).waitFor({ state: "detached" });
    assert.equal(read(path), saved);
  }
  assert.deepEqual(problems, []);
});

test("a save that comes with another program's write loses neither", { skip }, async (t) => {
  const { page, root, read, problems } = await openDocument(t, "p/twin.md");
  await title(page, "Twin of p");
  await press(page, "Edit");
  await field(page).fill("# Mine\n");
  writeFileSync(join(root, "p/twin.md"), "# Theirs\n");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("alert").getByText("Someone changed the same lines").waitFor();
  assert.equal(read("p/twin.md"), "# Theirs\n");
  await page.getByRole("button", { name: "Both lines" }).click();
  assert.equal(await field(page).inputValue(), "# Mine\n# Theirs\n");
  assert.deepEqual(problems, []);
});

test("unsaved text survives another view, a reload and the server's changes; leaving asks before it is lost", {
  skip,
}, async (t) => {
  const board = await openDocument(t, "p/twin.md");
  const { page, root, read, problems } = board;
  await title(page, "Twin of p");
  await press(page, "Edit");
  await field(page).fill("# Twin of p\n\nHalf a\n");
  await page.getByRole("link", { name: "Today" }).click();
  await title(page, "Today");
  await page.goBack();
  assert.equal(await field(page).inputValue(), "# Twin of p\n\nHalf a\n");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await live(board);
  assert.equal(await field(page).inputValue(), "# Twin of p\n\nHalf a\n");
  await field(page).press("Escape");
  const dialog = page.getByRole("dialog", { name: "Discard your changes?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await field(page).inputValue(), "# Twin of p\n\nHalf a\n");
  await page.goto(page.url().replace("&show=edit", ""));
  await page.getByText("You have unsaved text for this document.").waitFor();
  writeFileSync(join(root, "p/twin.md"), "# Twin of q\n");
  await title(page, "Twin of q");
  await press(page, "Continue editing");
  assert.equal(await field(page).inputValue(), "# Twin of p\n\nHalf a\n");
  await page.getByText("Someone changed this document meanwhile.").waitFor();
  await press(page, "Cancel");
  await dialog.getByRole("button", { name: "Discard" }).click();
  await title(page, "Twin of q");
  await page.locator("h1:focus").waitFor();
  assert.equal(read("p/twin.md"), "# Twin of q\n");
  assert.equal(await page.getByText("You have unsaved text").count(), 0);
  assert.deepEqual(problems, []);
});

test("the history shows each change, and restoring brings the bytes back, beside what others write meanwhile", {
  skip,
}, async (t) => {
  const { page, root, read, problems } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  const before = read(PATH);
  await page.getByRole("checkbox", { name: "First" }).check();
  await untilWritten(() => read(PATH), before.replace("1. [ ]", "1. [x]"));
  await page.keyboard.press("h");
  const differences = page.getByRole("region", { name: "Differences" });
  await differences.getByText("− 1. [ ] First").waitFor();
  await differences.getByText("+ 1. [x] First").waitFor();
  await press(page, "Restore the text before it…");
  await differences.getByText("− 1. [x] First").waitFor();
  await differences.getByText("+ 1. [ ] First").waitFor();
  await press(page, "Restore this version");
  await news(page, "Restored");
  assert.equal(read(PATH), before);
  await page.getByRole("checkbox", { name: "First", checked: false }).waitFor();
  await page.getByRole("list", { name: "Versions" }).getByRole("listitem").nth(1).waitFor();
  const restoreBeside = async (from: string, to: string) => {
    const text = read(PATH).replace("1. [ ]", "1. [x]");
    await page.getByRole("checkbox", { name: "First", checked: false }).click();
    await untilWritten(() => read(PATH), text);
    await differences.getByText("− 1. [ ] First").waitFor();
    await press(page, "Restore the text before it…");
    writeFileSync(join(root, PATH), text.replace(from, to));
    await page.getByText(to.replace("1. [x] ", ""), { exact: true }).waitFor();
    await press(page, "Restore this version");
  };
  await restoreBeside("Loose end", "Loose thread");
  await untilWritten(() => read(PATH), before.replace("Loose end", "Loose thread"));
  await restoreBeside("1. [x] First", "1. [x] First thing");
  await page.getByRole("alert").getByText("Someone changed the same lines").waitFor();
  assert.match(read(PATH), /1\. \[x\] First thing/);
  assert.deepEqual(problems, []);
});

test("a change that was listed before its old text was stored is shown once that is there", {
  skip,
}, async (t) => {
  const { page } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  let [store, isStored] = [() => {}, false];
  const stored = new Promise<void>((done) => {
    store = done;
  });
  await page.route("**/mcp", async (asked) => {
    const text = asked.request().postData() ?? "";
    if (!text.includes('"name":"history"') || text.includes('"change":')) return asked.continue();
    if (!text.includes('"path":')) await stored;
    if (isStored) return asked.continue();
    const response = await asked.fetch();
    await asked.fulfill({ response, body: (await response.text()).replaceAll(/,\\?"bytes\\?":\d+/g, "") });
  });
  await page.keyboard.press("h");
  await page.getByRole("checkbox", { name: "First" }).check();
  await page.getByText("There is no text to restore before this change.").waitFor();
  isStored = true;
  store();
  await page.getByText("+ 1. [x] First").waitFor();
});

test("a document gets a new file name, and links to it follow", { skip }, async (t) => {
  const { page, root, read, problems } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  await choose(page, "Rename or move");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File name").fill("001-ship-them.md");
  await dialog.getByRole("button", { name: "Rename or move" }).click();
  await news(page, "Moved to p/tasks/001-ship-them.md Links changed in 1 document.");
  assert.match(page.url(), /001-ship-them\.md$/);
  await title(page, "001 Ship it");
  assert.equal(read("p/tasks/001-ship-them.md"), FILES[PATH]);
  assert.equal(
    read("p/notes/guide.md"),
    FILES["p/notes/guide.md"].replace("[[001-ship-it]]", "[[001-ship-them]]"),
  );
  assert.ok(!existsSync(join(root, PATH)));
  assert.deepEqual(problems, []);
});

test("a document goes to the archive and back, with a question if it is a task that is not done, and a deleted one can be restored", {
  skip,
}, async (t) => {
  const next = "# Task: Tell\n\n## Context\n- Dependencies: 001\n";
  const done = "# Task: Done\n\nStatus: done\n";
  const files = { ...FILES, "p/tasks/002-tell.md": next, "p/tasks/003-done.md": done };
  const { page, root, read, problems } = await openDocument(t, PATH, files);
  await title(page, "001 Ship it");
  await choose(page, "Archive");
  const asks = page.getByRole("dialog", { name: "Archive a task that is not done?" });
  await asks.getByText("Not done: 001-ship-it.md. Waiting for it: 002-tell.md.").waitFor();
  await asks.getByRole("button", { name: "Cancel" }).click();
  await page.locator("[aria-label='More actions']:focus").waitFor();
  assert.ok(existsSync(join(root, PATH)));
  await choose(page, "Archive");
  await asks.getByRole("button", { name: "Archive", exact: true }).click();
  await news(page, "Moved to p/archive/");
  assert.equal(read("p/archive/tasks/001-ship-it.md"), FILES[PATH]);
  await choose(page, "Take out of the archive");
  await news(page, `Moved to ${PATH}`);
  assert.equal(read(PATH), FILES[PATH]);
  await choose(page, "Delete");
  const dialog = page.getByRole("dialog", { name: "Delete this document?" });
  await dialog.getByText("Links in 2 documents will break:").waitFor();
  await dialog.getByText("p/notes/guide.md").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.ok(existsSync(join(root, PATH)));
  await choose(page, "Delete");
  const more = `${FILES[PATH]}\nMore.\n`;
  writeFileSync(join(root, PATH), more);
  await dialog.getByRole("button", { name: "Delete" }).click();
  // Said to a person: without a tool.
  await dialog.getByText(`'${PATH}' changed since you read it.`, { exact: true }).waitFor();
  assert.ok(existsSync(join(root, PATH)));
  await dialog.getByRole("button", { name: "Delete" }).click();
  await title(page, `There is no document ${PATH}`);
  assert.ok(!existsSync(join(root, PATH)));
  await press(page, "Restore this version");
  await title(page, "001 Ship it");
  assert.equal(read(PATH), more);
  for (const [path, name, to] of [
    ["p/tasks/003-done.md", "003 Done", "p/archive/tasks/003-done.md"],
    ["p/twin.md", "Twin of p", "p/archive/twin.md"],
  ] as const) {
    await page.goto(page.url().replace(/path=.*/, `path=${encodeURIComponent(path)}`));
    await title(page, name);
    await choose(page, "Archive");
    await news(page, `Moved to ${to}`);
    assert.ok(existsSync(join(root, to)));
  }
  assert.deepEqual(problems, []);
});

test("links open the document that they mean, at its heading, and each lists what links to it", {
  skip,
}, async (t) => {
  const { page, problems } = await openDocument(t, "p/notes/guide.md");
  await title(page, "Guide");
  const links: [string, string, string][] = [
    ["001-ship-it", "001 Ship it", PATH],
    ["far", "Far away", "q/notes/far.md"],
    ["twin", "Twin of p", "p/twin.md"],
    ["the plan", "Plan", "p/plans/plan.md"],
  ];
  for (const [text, name, path] of links) {
    await page.getByRole("link", { name: text, exact: true }).click();
    await title(page, name);
    assert.equal(new URLSearchParams(page.url().split("?")[1]).get("path"), path);
    const outdated = page.getByRole("region", { name: "No longer holds" });
    if (text === "far") await outdated.getByText("deprecated").waitFor();
    else assert.equal(await outdated.count(), 0);
    if (text === "the plan") {
      await page.locator("h2#md-order:focus").waitFor();
      assert.ok(Number(await page.evaluate("scrollY")) > 0);
    }
    const backlinks = page.getByRole("navigation", { name: "Linked from" });
    await backlinks.getByRole("link", { name: "p/notes/guide.md" }).click();
    await title(page, "Guide");
  }
  await page.getByRole("region", { name: "Broken links" }).getByText("nowhere").waitFor();
  await page.getByRole("link", { name: "nowhere", exact: true }).click();
  await title(page, "No document is called “nowhere”");
  await page.getByRole("link", { name: "p/notes/guide.md" }).click();
  await title(page, "Guide");
  assert.deepEqual(problems, []);
});

test("the path leads to the project and its board, and the status is said once", { skip }, async (t) => {
  const { page, problems } = await openDocument(t, PATH);
  await title(page, "001 Ship it");
  const path = page.getByRole("navigation", { name: "Path" });
  assert.deepEqual(await path.getByRole("listitem").allTextContents(), ["p", "tasks", "001-ship-it.md"]);
  assert.equal(await page.getByRole("button", { name: "Status: Pending" }).count(), 1);
  assert.equal(await page.locator(".document-text").getByText("Status").count(), 0);
  await page.getByRole("checkbox", { name: "First" }).check();
  await news(page, "Ticked: 001");
  await path.getByRole("link", { name: "tasks" }).click();
  await page.getByRole("link", { name: "Ship it" }).click();
  await page.getByRole("link", { name: "Open its page" }).click();
  await path.getByRole("link", { name: "p", exact: true }).click();
  await title(page, "p");
  await page.goto(page.url().replace(/#.*/, "#/document?path=p%2Fplans%2Fplan.md"));
  await title(page, "Plan");
  assert.equal(await path.getByRole("link").count(), 1);
  assert.deepEqual(problems, []);
});

test("the fields of a task change as beside the board, and other frontmatter is shown", {
  skip,
}, async (t) => {
  const files = {
    [PATH]: TASK.replace("owner: ana", "owner: ana\nlinks: {docs: [a, b]}\nseen: true"),
    "p/tasks/002-other.md": "---\nowner: bo\ntags: [api, web]\n---\n# Task: Other\n",
  };
  const { page, read, problems } = await openDocument(t, PATH, files);
  await title(page, "001 Ship it");
  const fields = page.getByRole("region", { name: "Fields" });
  assert.deepEqual(await fields.locator("dl").allTextContents(), ['links{"docs":["a","b"]}', "seentrue"]);
  await press(page, "Owner: Person: ana");
  const dialog = page.getByRole("dialog");
  const offered = async (typed: string) => {
    await dialog.getByRole("textbox").fill(typed);
    return dialog.getByRole("button").allTextContents();
  };
  const [me = "", ...people] = await offered("");
  assert.deepEqual([me.slice(0, 2), ...people], ["Me", "Nobody", "ana", "bo"]);
  assert.deepEqual(await offered("b"), ["bo", "b"]);
  await offered("ben");
  await page.keyboard.press("Enter");
  await fields.getByRole("button", { name: "Owner: Person: ben" }).waitFor();
  assert.equal(read(PATH), files[PATH]?.replace("owner: ana", "owner: ben"));
  await press(page, "+ Tags");
  assert.deepEqual(await offered(""), ["api", "web"]);
  await offered("web, new");
  await page.keyboard.press("Enter");
  await fields.getByRole("button", { name: /^Tags: #web ?#new$/ }).click();
  assert.deepEqual(await offered(""), ["Remove new", "Remove web", "api"]);
  await press(page, "Remove web");
  await press(page, "+ Due date");
  const width = (await dialog.boundingBox())?.width;
  assert.deepEqual(await offered("soon"), []);
  assert.equal((await dialog.boundingBox())?.width, width);
  await dialog.getByRole("alert").getByText("“soon” is not a day.").waitFor();
  await offered("12/5");
  await page.keyboard.press("Enter");
  await fields.getByRole("button", { name: "Due date: Dec 5" }).waitFor();
  assert.match(read(PATH), /^tags: \[new\]\n(?:.*\n)*due: \d{4}-12-05$/m);
  await press(page, "Due date: Dec 5");
  const days = await offered("");
  assert.match(days.join(), /^Today.*,Tomorrow.*,Next week.*,No date$/);
  assert.equal(days.length, 9);
  await press(page, "No date");
  await fields.getByRole("button", { name: "+ Due date" }).waitFor();
  assert.deepEqual(problems, []);
});
