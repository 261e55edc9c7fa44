import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { violationsOf } from "../fixtures/axe.ts";
import { live, openBoard } from "../fixtures/board.ts";
import { makeDemo } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { connectHttp, READ_TOKEN, type Served, serveHttp, startHttp } from "../fixtures/http.ts";
import { isNightly, SEED, someOf } from "../fixtures/num-runs.ts";

const skip = noBrowser;

const LONG = "a".repeat(120);

/** What the example notes lack. */
const HARD: Record<string, string> = {
  "hard/tasks/001-everything.md": `---
status: pending
priority: high
due: 2020-01-31
owner: ${LONG}
tags: [one, two, ${LONG}]
---
# A title with ${LONG}

1. [x] Done
2. [ ] Open
`,
  "hard/tasks/002-other.md": "# Other\n\nStatus: someday\n",
  "hard/tasks/003-waits.md": "# Waits\n\nStatus: pending\n\n- Dependencies: 001-everything\n",
  "hard/references/everything.md": `# Everything

# Another of level one

#### Deep

[a](missing.md) [[002-other]] <https://example.com/${LONG}> ![image](https://example.com/x.png) ${LONG}

- [ ] box
- [x] ticked

| ${"wide | ".repeat(40)}
| ${"- | ".repeat(40)}
| ${"cell | ".repeat(40)}

\`\`\`ts
const ${LONG}${LONG} = 1;
\`\`\`

> quote[^1]

${["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"].map((name) => `> [!${name}]\n> Text, [a link](missing.md) and \`code\`\n`).join("\n")}
![flow](../assets/flow.svg)

1. one
   1. two

[^1]: A footnote.
`,
  "hard/assets/flow.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100"/>',
  "hard/plans/execution-plan.md":
    "# Plan\n\n## Current Status\n- done: 001\n\n## Decisions\n- **One.** Two.\n",
  "hard/sessions/2026-01-02.md": "# Session Log\n\nText.\n",
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `hard/tasks/1${String(at).padStart(2, "0")}-done.md`,
      `# Done ${at}\n\nStatus: done\n`,
    ]),
  ),
};

const EVERYTHING = "hard/references/everything.md";
const TASK = "payments-api/tasks/003-add-rate-limiting.md";

interface View {
  fragment: string;
  /** Is there once the view is. */
  shows: string;
  /** Opens a part of the view. */
  act?: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const fromMenu = (name: string) => async (page: Page) => {
  await press("More actions")(page);
  await press(name)(page);
};
const onDocument = (show?: string) =>
  `/document?path=${encodeURIComponent(EVERYTHING)}${show ? `&show=${show}` : ""}`;

const VIEWS: Record<string, View> = {
  board: { fragment: "/board", shows: "h3" },
  "board with every done task": { fragment: "/board?done=all&project=hard", shows: "h3" },
  "board without matches": { fragment: "/board?text=qqqq", shows: ".board-note" },
  "new task": { fragment: "/board", shows: "h3", act: press("New task") },
  "card menu": { fragment: "/board", shows: "h3", act: press(/^Actions: 00/) },
  panel: {
    fragment: `/board?task=${encodeURIComponent(TASK)}`,
    shows: ".peek .document-text",
  },
  "owner from the panel": {
    fragment: `/board?task=${encodeURIComponent(TASK)}`,
    shows: ".peek .document-text",
    act: (page) => page.keyboard.press("a"),
  },
  "archive question": { fragment: "/board", shows: "h3", act: press("Archive") },
  table: { fragment: "/board?show=table", shows: "tbody tr" },
  "table with several selected": {
    fragment: "/board?show=table&sort=due",
    shows: "tbody tr",
    act: async (page) => {
      await page.locator("tbody tr").first().focus();
      await page.keyboard.press("Control+a");
      await page.locator(".board-bar").waitFor();
    },
  },
  display: {
    fragment: "/board",
    shows: "h3",
    act: (page) => page.locator("summary").getByText("Display").click(),
  },
  "tags of several": {
    fragment: "/board",
    shows: "h3",
    act: async (page) => {
      await page.locator("article").first().focus();
      await page.keyboard.press("x");
      await page.locator(".board-bar").getByRole("button", { name: "Tags" }).click();
    },
  },
  "a day that is none": {
    fragment: "/board",
    shows: "h3",
    act: async (page) => {
      await page.locator("article").first().focus();
      await page.keyboard.press("d");
      await page.keyboard.type("soon");
    },
  },
  dependencies: { fragment: "/board?show=dependencies&done=all", shows: ".graph-node" },
  "list of keys": { fragment: "/board", shows: "h3", act: (page) => page.keyboard.press("?") },
  jump: {
    fragment: "/board",
    shows: "h3",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("limit");
      await page
        .getByRole("option", { name: /Document/ })
        .first()
        .waitFor();
    },
  },
  appearance: { fragment: "/board", shows: "h3", act: (page) => page.keyboard.press(",") },
  inbox: { fragment: "/inbox", shows: ".inbox .document-text" },
  today: { fragment: "/today", shows: ".feed-more" },
  "new project": {
    fragment: "/board",
    shows: "article",
    act: async (page) => {
      await press(/^More$/)(page);
      await press("New project")(page);
    },
  },
  "project page": { fragment: "/project?name=payments-api", shows: ".project-folder" },
  "project page with drift": {
    fragment: "/project?name=hard",
    shows: ".project-folder",
    act: (page) => page.locator("summary").first().click(),
  },
  "project that is not there": { fragment: "/project?name=nothing", shows: "[role=alert]" },
  "search without words": { fragment: "/search", shows: ".search-hint" },
  search: { fragment: "/search?query=rate+limitng", shows: ".search-result" },
  "search without results": { fragment: "/search?query=qqqqqq", shows: ".search-summary p" },
  document: { fragment: onDocument(), shows: ".markdown table" },
  "task document": { fragment: `/document?path=${encodeURIComponent(TASK)}`, shows: ".markdown h2" },
  history: { fragment: onDocument("history"), shows: ".diff" },
  editor: { fragment: onDocument("edit"), shows: ".editor-text" },
  "move question": {
    fragment: onDocument(),
    shows: ".markdown",
    act: fromMenu("Rename or move"),
  },
  "document menu": { fragment: onDocument(), shows: ".markdown", act: press("More actions") },
  "archive question of a document": {
    fragment: `/document?path=${encodeURIComponent(TASK)}`,
    shows: ".markdown h2",
    act: fromMenu("Archive"),
  },
  "delete question": {
    fragment: onDocument(),
    shows: ".markdown",
    act: fromMenu("Delete"),
  },
  "document that is not there": { fragment: "/document?path=hard/nothing.md", shows: "main h2" },
  "document without a path": { fragment: "/document", shows: ".empty" },
  "link to nothing": { fragment: "/document?link=nothing&from=hard/status.md", shows: ".notice.problem" },
};

async function serveNotes<T extends Served>(
  t: TestContext,
  start: (t: TestContext, args: string[]) => Promise<T>,
) {
  const root = makeDemo(t, HARD);
  const server = await start(t, ["--root", root]);
  const { call } = await connectHttp(t, server);
  await call("update_doc", {
    project: "hard",
    folder: "references",
    filename: "everything.md",
    mode: "append",
    content: "More.",
  });
  await call("claim_task", { project: "payments-api", task: "005", agent: "codex" });
  return { root, server };
}

type Options = Parameters<typeof openBoard>[2];

/** A page that shows one view after the other; each from its start, on a phone. */
async function openViews(t: TestContext, { origin, ...server }: Served, options: Options = {}) {
  const board = await openBoard(t, { origin, ...server }, { ...options, viewport: PHONE });
  const { page, problems } = board;
  const show = async ({ fragment, shows, act }: View) => {
    await page.evaluate('for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close()');
    await page.goto(`${origin}/#/document`);
    await page.setViewportSize(PHONE);
    await page.goto(`${origin}/#${fragment}`);
    await live(board);
    await page.locator(shows).first().waitFor();
    await act?.(page);
    assert.deepEqual(problems, [], fragment);
  };
  return { page, show };
}

const PHONE = { width: 360, height: 844 };

/** The elements that stick out at the right. */
const WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 100))`;

type Layout = readonly [width: number, colorScheme?: "dark" | "light"];

/** One for each layout, from a small phone on; a colour scheme for each of two. */
const LAYOUTS: readonly Layout[] = [[360, "dark"], [768], [1280, "light"], [3840]];
const COLOURED = LAYOUTS.filter(([, colorScheme]) => colorScheme !== undefined);

/** Every night all; otherwise each view has one of the two with colours, and tomorrow the other. */
const layoutsOf = (at: number) => (isNightly ? LAYOUTS : COLOURED.filter((_, n) => n === (at + SEED) % 2));

/** Each day those that show most, and some of the others. */
const DAILY = ["board", "table", "document", "editor"];

/** Fields with letters of less than 16 px, which Safari would zoom in on. */
const SMALL = `[...document.querySelectorAll("input:not([type=checkbox]), select, textarea")]
  .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16).map((field) => field.outerHTML)`;

const MOVING = `[...document.querySelectorAll("*")].filter((element) => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
  return transitionDuration !== "0s" || animationName !== "none" || scrollBehavior !== "auto";
}).map((element) => element.outerHTML.slice(0, 100))`;

test("no view breaks a rule of axe-core, is wider than its window, has small fields for fingers, or moves with reduced motion", {
  skip,
}, async (t) => {
  const { root, server } = await serveNotes(t, serveHttp);
  const { page, show } = await openViews(t, server, { hasTouch: true, reducedMotion: "reduce" });
  const found: string[] = [];
  const views = Object.entries({ ...VIEWS, conflict: conflictIn(root) });
  const shown = [
    ...views.filter(([name]) => DAILY.includes(name)),
    ...someOf(views.filter(([name]) => !DAILY.includes(name))),
  ];
  for (const [at, [name, view]] of shown.entries()) {
    await show(view);
    const look = async (expression: string, what: string) => {
      for (const fault of await page.evaluate<string[]>(expression)) found.push(`${name} ${what}: ${fault}`);
    };
    await look(SMALL, "is small");
    await look(MOVING, "moves");
    for (const [width, colorScheme] of layoutsOf(at)) {
      await page.setViewportSize({ width, height: 844 });
      await look(WIDE, `is wider than ${width}`);
      for (const fault of await faultsOf(page, colorScheme)) found.push(`${name} at ${width}: ${fault}`);
    }
  }
  assert.deepEqual(found, []);
});

async function faultsOf(page: Page, colorScheme: "dark" | "light" | undefined): Promise<string[]> {
  if (colorScheme === undefined) return [];
  await page.emulateMedia({ colorScheme });
  // What scrolls can be reached by keys once its size was observed.
  await page.evaluate("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))");
  return (await violationsOf(page)).map((fault) => `${colorScheme}: ${fault}`);
}

/** A document that is edited here and on disk. */
function conflictIn(root: string): View {
  return {
    fragment: onDocument("edit"),
    shows: ".editor-text",
    act: async (page) => {
      await page.locator(".editor-text").fill("Mine.");
      appendFileSync(join(root, EVERYTHING), "\nTheirs.\n");
      await page.locator(".draft-notice").waitFor();
      await page.locator(".editor-text").press("Control+Enter");
      await page.locator(".merge-conflict").waitFor();
      await page.locator(".editor-preview").getByText("Theirs.").waitFor();
    },
  };
}

test("axe-core finds nothing on pages that ask for a token, only read, or lost the server", {
  skip,
}, async (t) => {
  const { server } = await serveNotes(t, startHttp);
  const readers = ["board", "document", "history"].map((name) => VIEWS[name] as View);
  for (const [, colorScheme] of isNightly ? COLOURED : COLOURED.slice(SEED % 2, (SEED % 2) + 1)) {
    const login = await openBoard(t, server, { token: null, ...(colorScheme && { colorScheme }) });
    await login.page.getByLabel("Token", { exact: true }).fill("wrong");
    await login.page.keyboard.press("Enter");
    await login.page.getByRole("alert").waitFor();
    assert.deepEqual(await violationsOf(login.page), []);
    const reader = await openViews(t, server, { token: READ_TOKEN, ...(colorScheme && { colorScheme }) });
    for (const view of readers) {
      await reader.show(view);
      assert.deepEqual(await violationsOf(reader.page), [], view.fragment);
    }
  }
  const lost = await openBoard(t, server);
  await live(lost);
  server.child.kill();
  await lost.page.getByText("Connection lost. Trying again…").waitFor();
  assert.deepEqual(await violationsOf(lost.page), []);
});

/** The name of the element that has the focus. */
const FOCUSED = `(() => {
  const { ariaLabel, labels, textContent, tagName } = document.activeElement;
  return tagName === "BODY" ? "" : (ariaLabel ?? labels?.[0]?.firstChild.textContent ?? textContent).trim();
})()`;

/** Presses Tab until the focus leaves the page or is back where it was. */
async function tabStops(page: Page): Promise<string[]> {
  const stops: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate<string>(FOCUSED);
    if (name === "" || name === stops[0]) return stops;
    // A date has several parts.
    if (name !== stops.at(-1)) stops.push(name);
  }
}

test("Tab reaches every control in the order of the page, one card, and what is open alone; columns and cards have names", {
  skip,
}, async (t) => {
  const { server } = await serveNotes(t, serveHttp);
  const places = ["Inbox3", "All tasks14", "Today", "Ready for agents3", "Search", "New project", "hard3"];
  const projects = ["kiroku3", "payments-api5", "Overview", "tienda-ceramica3"];
  const head = ["Skip to the content", "Jump to…Ctrl+K", ...places, ...projects];
  const foot = ["Ccodex005 · … left", "Settings", "Keyboard shortcuts"];
  const chips = ["“client”", "Project: payments-api"].map((filter) => `Remove the filter ${filter}`);
  const tools = ["Board", "Table", "Graph", ...chips, "Filter", "Display", "New task"];
  const card = "006 Publish the Node.js client";
  const fragment = "/board?project=payments-api&text=client";
  const board = await openBoard(t, server, { fragment });
  const { page } = board;
  await live(board);
  const stops = await tabStops(page);
  assert.deepEqual(
    stops.map((name) => name.replace(/· .* left$/, "· … left")),
    [
      ...head,
      ...foot,
      ...tools,
      card,
      "Publish the Node.js client",
      `Actions: ${card}`,
      "New task in Pending: title",
      "New task in In progress: title",
      "New task: Blocked",
      "New task: Done",
    ],
  );
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "content");
  await page.keyboard.press("n");
  await page.getByRole("dialog").waitFor();
  assert.deepEqual(await tabStops(page), [
    "Objective: what is true when it is done?",
    "Project",
    "Create",
    "Cancel",
  ]);
  await page.goto(`${server.origin}/#/board?project=payments-api`);
  await page.reload();
  await live(board);
  const regions = page.getByRole("main").getByRole("region");
  const names = await regions.evaluateAll((all) => all.map((region) => region.getAttribute("aria-label")));
  assert.deepEqual(names, ["Pending", "In progress", "Blocked", "Done"]);
  const column = page.getByRole("region", { name: "In progress", exact: true });
  assert.equal(await column.getByRole("article", { name: "003 Add rate limiting", exact: true }).count(), 1);
  for (const landmark of ["banner", "main"] as const) assert.equal(await page.getByRole(landmark).count(), 1);
  assert.equal(await page.getByRole("navigation", { name: "Views" }).count(), 1);
});
