import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ATTACKS } from "../fixtures/attacks.ts";
import { live, openBoard } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { connectHttp, serveHttp } from "../fixtures/http.ts";
import { eachNight, numRuns, someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;

/** A text as the name of a file or folder. */
function fileName(text: string): string {
  return text.replace(ON_WINDOWS ? /[<>:"|?*\\/\p{Cc}]/gu : /[/\p{Cc}]/gu, "").trim();
}

const quoted = (text: string) => JSON.stringify(text);

/** A task whose every part is the text; its body ends with a word that only it has. */
function hostileTask(text: string, end: string): string {
  const parts = [text, text.replaceAll("\n", " ")];
  return `---
title: ${quoted(text)}
status: ${quoted(text)}
priority: ${quoted(text)}
due: ${quoted(text)}
owner: ${quoted(text)}
tags: [${quoted(text)}, plain]
${quoted(text)}: ${quoted(text)}
list: [${quoted(text)}]
---
# ${text}

## ${text}

${parts.join("\n\n")}

- [ ] ${text}
- [x] ${text}

> ${text}

| ${text} | b |
|---|---|
| ${text} | ${text} |

\`\`\`${text}
${text}
\`\`\`

\`${text}\` **${text}** [${text}](${text}) ![${text}](${text}) [[${text}]] <${text}> [a][b]${end}[^n]

[b]: ${text}
[^n]: ${text}

- Dependencies: ${text}
`;
}

const number = (at: number) => String(at + 1).padStart(3, "0");
const endOf = (at: number) => `end${number(at)}`;
const taskOf = (text: string, at: number) => `p/tasks/${number(at)}-${fileName(text)}.md`;
/** The folders that are named like an attack. */
const PROJECTS = ATTACKS.filter((text) => fileName(text) === text);
/** Those whose page is opened: all are in the notes, and so on the board and in each list. */
const OPENED = someOf([...ATTACKS.entries()]);
const OPENED_PROJECTS = someOf(PROJECTS);
const ALL = ATTACKS.map((text) => `${text}\n\n`).join("");

function hostileFiles(): Record<string, string> {
  const tasks = ATTACKS.map((text, at) => [taskOf(text, at), hostileTask(text, endOf(at))]);
  const projects = PROJECTS.flatMap((text) => [
    [`${text}/status.md`, `---\nowner: ${quoted(text)}\n---\n# ${text}\n\n${ALL}`],
    [`${text}/tasks/001-a.md`, hostileTask(text, "end").replace(/^status: .*/m, "status: pending")],
  ]);
  return Object.fromEntries([
    ...tasks,
    ...projects,
    ["p/status.md", `# ${ATTACKS[0]}\n\n${ALL}`],
    [
      "p/plans/execution-plan.md",
      `# ${ATTACKS[3]}\n\n## Current Status\n- done: ${ATTACKS[3]}\n\n## Decisions\n${ATTACKS.map((text) => `- **${text}** ${text}\n`).join("")}`,
    ],
    ["p/sessions/2026-01-02.md", `# ${ATTACKS[3]}\n\n${ALL}`],
    [`p/sessions/2026-01-03-${fileName(ATTACKS[3] ?? "")}.md`, `# Session Log\n\n${ALL}`],
  ]);
}

/** What Markdown and the page itself never need, and where text became part of the page. */
const FOUND = `(() => {
  const foreign = [...document.querySelectorAll(
    "script:not(head + body > script:last-of-type), iframe, frame, object, embed, math, style:not(head > style), link:not(head > link[rel=icon])," +
    "meta:not(head > meta), base, audio, video, source, img, template, form[action], [formaction], [srcdoc], [autofocus], svg:not(.path-line svg, svg.mark, svg.graph-lines, svg.bars, svg.ring), " +
    "svg a, svg script, animate, noscript:not(body > noscript), area, portal, marquee, [contenteditable]")];
  const handlers = [...document.querySelectorAll("*")].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on") || name.endsWith(":href") || name === "src"));
  const links = [...document.querySelectorAll("[href]:not(head *)")].filter((element) =>
    element.localName !== "a" || !/^(?:#|https?:\\/\\/|mailto:|vscode:\\/\\/file\\/)/.test(element.getAttribute("href")));
  const outside = [...document.querySelectorAll("a[href^=http], a[href^=mailto]")].filter((element) => element.rel !== "noopener noreferrer");
  return [...foreign, ...handlers, ...links, ...outside].map((element) => element.outerHTML.slice(0, 200))
    .concat(/\\[object |native code/.test(document.body.innerText) ? ["code as text: " + /.{0,40}(\\[object |native code)/s.exec(document.body.innerText)[0]] : []);
})()`;

/** Opens the page on hostile notes; `check` is for each view. */
async function openHostile(t: TestContext, options?: Parameters<typeof openBoard>[2]) {
  const root = makeWorkspace(t, hostileFiles());
  const server = await serveHttp(t, ["--root", root]);
  const board = await openBoard(t, server, options);
  board.page.on("dialog", (dialog) => {
    board.problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await live(board);
  const check = async (what: string) => {
    assert.deepEqual(await board.page.evaluate(FOUND), [], what);
    assert.deepEqual(board.problems, [], what);
  };
  const go = (view: string, parameters: Record<string, string> = {}) =>
    board.page.goto(`${server.origin}/#/${view}?${new URLSearchParams(parameters)}`);
  return { root, server, board, page: board.page, check, go };
}

test("hostile titles, names, tags and owners are text on the board, in its menu and its messages", {
  skip,
}, async (t) => {
  const { page, check, go } = await openHostile(t);
  await go("board", { done: "all" });
  const cards = page.getByRole("article");
  await cards.first().waitFor();
  // A long column shows its first cards only, and more when its end comes into view.
  const more = page.locator("button.board-more:not([aria-expanded])").first();
  for (let tries = 0; tries < 100 && (await cards.count()) < ATTACKS.length + PROJECTS.length; tries++)
    await more.scrollIntoViewIfNeeded({ timeout: 300 }).catch(() => {});
  await cards.nth(ATTACKS.length + PROJECTS.length - 1).waitFor();
  assert.equal(await cards.count(), ATTACKS.length + PROJECTS.length);
  await check("board");
  for (const card of (await cards.all()).slice(0, numRuns(30))) {
    await card.getByRole("button").click();
    await page.getByRole("dialog").waitFor();
    await check("menu");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await card.press("Enter");
    await page.locator(".peek .document-text").waitFor();
    await check("panel");
    await page.keyboard.press("Escape");
  }
  for (const name of OPENED_PROJECTS) {
    await go("board", { project: name });
    await cards.first().focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.getByRole("log").getByText("moved to In progress").first().waitFor();
    await check(`message on ${name}`);
  }
});

test("hostile titles, names, tags and owners are text in the table and graphs", {
  skip,
}, async (t) => {
  const { page, check, go } = await openHostile(t);
  const bottom = async () => {
    const more = page.locator("button.board-more:not([aria-expanded])").last();
    for (let tries = 0; tries < 150 && (await more.count()) > 0; tries++)
      await more.scrollIntoViewIfNeeded({ timeout: 300 }).catch(() => {});
  };
  await go("board", { show: "table" });
  await page.locator("tbody tr").nth(20).waitFor();
  await bottom();
  await check("table");
  await page.locator("tbody tr").first().focus();
  await page.keyboard.press("Control+a");
  await page.locator(".board-bar").getByRole("button", { name: "Owner" }).click();
  await check("owners to choose from");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await go("board", { show: "dependencies", done: "all" });
  await page.locator(".graph").first().waitFor();
  await bottom();
  for (const summary of await page.locator(".graph summary").all()) await summary.click();
  await check("graphs");
  for (const text of someOf(ATTACKS.slice(0, 12))) {
    await go("board", { show: text, sort: text });
    await page.getByRole("article").first().waitFor();
    await check(`view: ${text}`);
  }
});

test("hostile documents are text where they are read and edited, and in their history", {
  skip: skip || eachNight,
}, async (t) => {
  const { page, check, go } = await openHostile(t);
  for (const show of ["", "history", "edit"])
    for (const [at, text] of OPENED) {
      await go("document", { path: taskOf(text, at), show });
      await page.locator("main").getByText(endOf(at)).first().waitFor();
      await check(`${show} ${text}`);
    }
});

test("hostile statuses, plans, sessions and file names are text in the other views", { skip }, async (t) => {
  const { server, page, check, go } = await openHostile(t);
  const { call } = await connectHttp(t, server);
  for (const [at, text] of OPENED) {
    const path = taskOf(text, at);
    await call("update_task_status", {
      project: "p",
      task: path,
      status: "blocked",
      note: text,
      agent: text.slice(0, 60),
    });
  }
  await go("today");
  await page.locator(".today-row").first().waitFor();
  await page.locator(".feed-more").first().waitFor();
  await check("today");
  await page.keyboard.press("Control+k");
  await page.getByRole("option").first().waitFor();
  await check("jump");
  await page.keyboard.press("Escape");
  for (const name of ["p", ...OPENED_PROJECTS]) {
    await go("project", { name });
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    const folders = page.locator("summary");
    await folders.first().waitFor();
    for (const folder of await folders.all()) await folder.click();
    await check(name);
  }
});

test("hostile texts in the address are text: words, filters, paths, links and names", {
  skip: skip || eachNight,
}, async (t) => {
  const { page, check, go } = await openHostile(t);
  for (const [, text] of OPENED) {
    await go("board", { text, tag: text, owner: text, project: text });
    await page.locator(".filter-chip").first().waitFor();
    await check(`board: ${text}`);
    await go("search", { query: `${text} end001`, folder: text });
    await page.locator("[aria-busy=false] .search-summary p").first().waitFor();
    await check(`search: ${text}`);
    await go("search", { query: text });
    await page.locator("[aria-busy=false] .search-summary p").first().waitFor();
    await check(`search alone: ${text}`);
    await go("document", { path: text });
    await page.locator("main h1:not(.soft)").waitFor();
    await check(`path: ${text}`);
    await go("document", { link: text, from: text, heading: text });
    await page.locator("main h1:not(.soft)").waitFor();
    await check(`link: ${text}`);
    await go("project", { name: `${text} none` });
    await page.getByRole("alert").waitFor();
    await check(`project: ${text}`);
  }
  await page.goto(`${page.url().split("#")[0]}#<img src=x onerror=alert(1)>?<script>=<script>`);
  await page.getByRole("article").first().waitFor();
  await check("fragment");
});

test("the server's words about a hostile name are text", { skip }, async (t) => {
  const { page, check, go } = await openHostile(t);
  for (const text of someOf(ATTACKS.filter((one) => one.includes("<")))) {
    await go("board");
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await check(text);
    await page.keyboard.press("Escape");
  }
});
