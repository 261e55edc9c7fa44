import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type BoardPage, live, openBoard, openRoot, startBoard } from "../fixtures/board.ts";
import { makeMany } from "../fixtures/board-files.ts";
import { noBrowser, openPage } from "../fixtures/browser.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { type Served, serveHttp, startHttp, TOKEN } from "../fixtures/http.ts";
import { eachNight, isNightly, numRuns } from "../fixtures/num-runs.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const skip = noBrowser;
/** How long a page must be silent. */
const IDLE_MS = isNightly ? 60_000 : 2000;

const FILES = {
  "p/tasks/001-a.md": "# A\n\nStatus: pending\n",
  "p/status.md": "# P\n",
  "q/tasks/001-b.md": "# B\n\nStatus: done\n",
};

async function serveFiles<T extends Served>(
  t: TestContext,
  serve: (t: TestContext, args: string[]) => Promise<T>,
  args: string[] = [],
) {
  const root = makeWorkspace(t, FILES);
  return { root, server: await serve(t, ["--root", root, ...args]) };
}

const names = ({ calls }: BoardPage) => calls.map(({ name }) => name);

/** The calls after those so far, once each of the tools has answered. */
async function nextCalls({ page, calls }: BoardPage, tools: readonly string[], act: () => void) {
  const before = calls.length;
  const answered = tools.map((tool) =>
    page.waitForResponse((response) => response.request().headers()["mcp-name"] === tool),
  );
  act();
  await Promise.all(answered.map(async (response) => (await response).finished()));
  return calls.slice(before);
}

/** The feed reads the history a moment later, once for all changes. */
const isOfTasks = (name: string) => name !== "history";

test("the page reads everything once, without a console message, a failed request or another host", {
  skip,
}, async (t) => {
  const { server } = await serveFiles(t, serveHttp);
  const board = await openBoard(t, server);
  await live(board);
  assert.equal(await board.page.title(), "Board · vibe-mcp");
  assert.deepEqual(names(board).filter(isOfTasks).sort(), [
    "list_projects",
    "list_tasks",
    "subscriptions/listen",
    "tools/list",
  ]);
  assert.deepEqual(board.problems, []);
});

test("the tasks of all projects are read together, 500 at a time", { skip }, async (t) => {
  const board = await openRoot(t, makeMany(t, 24), { fragment: "/board?text=p24" });
  await board.page.getByText("Work 025 of p24").waitFor();
  await board.page.locator("[aria-busy=false]").waitFor();
  const lists = board.calls.filter(({ name }) => name === "list_tasks").map(({ args }) => args);
  assert.deepEqual(lists, [
    { offset: 0, limit: 500 },
    { offset: 500, limit: 500 },
  ]);
  assert.ok(!names(board).includes("read_doc"), "the reasons of blocked tasks come with them");
});

test("pages that follow many changes keep no old cards", { skip: skip || eachNight }, async (t) => {
  const root = makeMany(t, 4);
  const server = await serveHttp(t, ["--root", root]);
  const heaps = ["/board", "/inbox"].map(async (fragment) => {
    const board = await openBoard(t, server, { fragment });
    await live(board);
    const session = await board.page.context().newCDPSession(board.page);
    return async () => {
      await live(board);
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
    };
  });
  const measure = async () => Promise.all((await Promise.all(heaps)).map((heap) => heap()));
  const edit = async (count: number) => {
    for (let turn = 1; turn <= count; turn++) {
      const number = String(1 + (turn % 25)).padStart(3, "0");
      const file = join(root, `p0${1 + (turn % 4)}/tasks/${number}-task.md`);
      writeFileSync(file, readFileSync(file, "utf8").replace(/^# Task: .*$/m, `# Task: Turn ${turn}`));
      await sleep(100);
    }
    await sleep(1000);
  };
  // Each task once: what the page knows of changes is as much from then on.
  await edit(100);
  const before = await measure();
  await edit(numRuns(600));
  const grown = (await measure()).map((size, at) => size - (before[at] ?? 0));
  assert.ok(Math.max(...grown) < 0.5, `${grown} MiB`);
});

test("an edit by another program reaches the page, which reads that project's tasks alone, and then is silent", {
  skip,
}, async (t) => {
  const { root, server } = await serveFiles(t, serveHttp);
  const board = await openBoard(t, server);
  while (!names(board).includes("history")) await sleep(20);
  await live(board);
  const file = join(root, "p/tasks/001-a.md");
  const tools = ["list_projects", "list_tasks"];
  const after = await nextCalls(board, tools, () => appendFileSync(file, "\nMore.\n"));
  assert.deepEqual(
    after.filter(({ name }) => isOfTasks(name)),
    [
      { name: "list_projects", args: { limit: 1000 } },
      { name: "list_tasks", args: { project: "p", offset: 0, limit: 500 } },
    ],
  );
  const [count, urls] = [board.calls.length, board.urls.length];
  await sleep(IDLE_MS);
  const later = board.calls.slice(count).map(({ name }) => name);
  assert.deepEqual(later.filter(isOfTasks), []);
  assert.ok(board.urls.length - urls <= 1, "the feed is read once more at most");
  assert.deepEqual(board.problems, []);
});

test("a project that comes is followed, too", { skip }, async (t) => {
  const { root, server } = await serveFiles(t, serveHttp);
  const board = await openBoard(t, server);
  await live(board);
  const streams = () => board.calls.filter(({ name }) => name === "subscriptions/listen");
  const opened = board.page.waitForRequest(() => streams().length === 2);
  writeFiles(root, { "new/tasks/001-c.md": "# C\n" });
  await opened;
  assert.match(JSON.stringify(streams().at(-1)), /vibe:\/\/projects\/new"/);
  assert.deepEqual(board.problems, []);
});

test("a page that is left open shows the new day after midnight, and a claim that ran out", {
  skip,
}, async (t) => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const task = `---\ndue: ${day(0)}\n---\n# Task: Renew\n\nStatus: pending\n`;
  const claim = `---\nowner: codex\nclaimed_until: ${new Date(Date.now() + 5000).toISOString()}\n---\n`;
  const root = makeWorkspace(t, {
    "p/tasks/001-renew.md": task,
    "p/tasks/002-lost.md": `${claim}# Task: Lost\n\nStatus: in-progress\n`,
  });
  const board = await openRoot(t, root, { timezoneId: "UTC" });
  const { page, problems } = board;
  await page.clock.install();
  await page.reload();
  await live(board);
  const overdue = page.getByRole("article").getByText("1 day late");
  await page.getByRole("article").getByTitle(/^Due /).waitFor();
  assert.equal(await overdue.count(), 0);
  await page.clock.fastForward("24:00:00");
  await overdue.waitFor();
  while (!(await page.title()).startsWith("(1)")) {
    await page.clock.fastForward(15_000);
    await sleep(200);
  }
  await page.goto(`${page.url().split("#")[0]}#/today`);
  await page.locator(`time[datetime="${day(1)}"]`).waitFor();
  await page.clock.fastForward("24:00:00");
  await page.locator(`time[datetime="${day(2)}"]`).waitFor();
  assert.deepEqual(problems, []);
});

test("the token leaves the address bar, stays for the tab, and is part of no URL", { skip }, async (t) => {
  const { server } = await serveFiles(t, startHttp);
  const board = await openBoard(t, server, { fragment: "/board?project=p" });
  await live(board);
  assert.equal(board.page.url(), `${server.origin}/#/board?project=p`);
  await board.page.reload();
  await live(board);
  assert.ok(board.urls.every((url) => !url.includes(TOKEN.slice(0, 12))));
  assert.deepEqual(await board.page.context().cookies(), []);
  assert.deepEqual(board.problems, []);
  server.child.kill();
  await server.exit;
  assert.ok(!server.stderr().includes(TOKEN));
});

test("without a token, or with a wrong one, the page asks for it; the right one opens it", {
  skip,
}, async (t) => {
  const { server } = await serveFiles(t, serveHttp);
  for (const token of [null, `${TOKEN}x`]) {
    const board = await openBoard(t, server, { token });
    const field = board.page.getByLabel("Token", { exact: true });
    await field.fill("a wrong one");
    const answer = board.page.waitForResponse(`${server.origin}/login`);
    await field.press("Enter");
    assert.equal((await answer).status(), 401);
    await field.fill(TOKEN);
    await board.page.getByRole("button", { name: "Open" }).click();
    await live(board);
    assert.ok(board.urls.every((url) => !url.includes(TOKEN.slice(0, 12))));
  }
});

test("a server without the tools that the page needs is named in the person's language, and not asked again", {
  skip,
}, async (t) => {
  const { server } = await serveFiles(t, serveHttp, ["--tools", "core"]);
  for (const [locale, text] of [
    ["en-GB", "This server does not offer list_projects, which the board needs."],
    ["es-MX", "Este servidor no ofrece list_projects"],
    ["ja-JP", "このサーバーには、ボードに必要な list_projects がありません。"],
  ] as const) {
    const board = await openBoard(t, server, { locale });
    await board.page.getByText(text).waitFor();
    assert.deepEqual(names(board).sort(), ["list_projects", "tools/list"]);
    assert.deepEqual(board.problems, []);
  }
});

test("a page of another origin can neither read nor embed anything, but may link to the page", {
  skip,
}, async (t) => {
  const { server } = await serveFiles(t, serveHttp);
  const page = await openPage(t);
  const other = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>"));
  t.after(() => other.close());
  await once(other.listen(0, "127.0.0.1"), "listening");
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  await page.goto(elsewhere);
  for (const [path, options] of [
    ["/mcp", { method: "POST", body: "{}", headers: { Authorization: `Bearer ${TOKEN}` } }],
    ["/mcp", { method: "POST", body: "{}", mode: "no-cors" }],
    ["/", {}],
  ] as const) {
    const script = `fetch(${JSON.stringify(server.origin + path)}, ${JSON.stringify(options)}).then(async (r) => r.type + (await r.text()).length, String)`;
    assert.match(await page.evaluate<string>(script), /^(?:TypeError: Failed to fetch|opaque0)$/);
  }
  const framed = page.waitForResponse(`${server.origin}/`);
  await page.goto(elsewhere);
  await page.evaluate(`document.body.innerHTML = '<iframe src="${server.origin}/"></iframe>'`);
  assert.equal((await framed).status(), 403);
  await page.evaluate(`location.href = ${JSON.stringify(`${server.origin}/`)}`);
  await page.waitForURL(`${server.origin}/**`);
  await page.getByLabel("Token", { exact: true }).waitFor();
});

/** Keeps the notices that the page shows in `shown`. */
const KEEP_NOTICES =
  "window.shown = []; window.Notification = class extends Notification { constructor(...args) { super(...args); shown.push(this); } };";

test("a hidden tab holds no connection, counts what waits each minute, says it once if asked to, and catches up when it is seen", {
  skip,
}, async (t) => {
  const { root, server } = await serveFiles(t, serveHttp);
  const board = await openBoard(t, server);
  await live(board);
  const turn = (hidden: boolean) =>
    board.page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  await board.page.keyboard.press(",");
  const notice = board.page.getByLabel("Browser notice when something waits for you");
  await notice.click();
  await board.page.getByRole("alert").getByText("This browser shows no notices of this page").waitFor();
  assert.equal(await notice.isChecked(), false);
  await board.page.context().grantPermissions(["notifications"]);
  await board.page.evaluate(KEEP_NOTICES);
  await notice.check();
  assert.equal(await board.page.getByRole("alert").textContent(), "");
  await board.page.keyboard.press("Escape");
  await board.page.clock.install();
  const ended = board.page.waitForEvent("requestfailed");
  await turn(true);
  assert.match((await ended).postData() ?? "", /subscriptions\/listen/);
  writeFiles(root, { "p/tasks/003-review.md": "# Review\n\nStatus: review\n" });
  await board.page.clock.fastForward(60_000);
  while (!(await board.page.title()).startsWith("(1)")) await sleep(10);
  writeFiles(root, { "p/tasks/004-other.md": "# Other\n\nStatus: review\n" });
  await board.page.clock.fastForward(60_000);
  while (!(await board.page.title()).startsWith("(2)")) await sleep(10);
  assert.deepEqual(await board.page.evaluate("shown.map(({ body }) => body)"), ["003 Review", "004 Other"]);
  await board.page.evaluate("shown[0].onclick()");
  assert.match(board.page.url(), /#\/inbox\?task=.*003-review/);
  const count = board.calls.length;
  writeFiles(root, { "p/tasks/002-new.md": "# New\n\nStatus: pending\n" });
  const answers: string[] = [];
  board.page.on("response", async (response) => answers.push(await response.text().catch(() => "")));
  await turn(false);
  while (!answers.some((text) => text.includes("002-new.md"))) await sleep(10);
  assert.equal(board.calls.slice(count).filter(({ name }) => name === "subscriptions/listen").length, 1);
  assert.deepEqual(board.problems, []);
});

test("a tab that was opened hidden counts what waits, also in a new project", { skip }, async (t) => {
  const { root, server } = await serveFiles(t, serveHttp);
  const page = await openPage(t, { locale: "en-US" });
  await page.addInitScript('Object.defineProperty(document, "hidden", { value: true })');
  await page.clock.install();
  await page.goto(`${server.origin}/#/board?token=${TOKEN}`);
  await page.getByText("Connecting…").first().waitFor();
  for (const [count, name] of ["p", "new"].entries()) {
    writeFiles(root, { [`${name}/tasks/009-review.md`]: "# Review\n\nStatus: review\n" });
    while (!(await page.title()).startsWith(`(${count + 1})`)) {
      await page.clock.fastForward(60_000);
      await sleep(100);
    }
  }
});

/** Functions and policies that came to browsers after those that the page is built for. */
const MISSING = `
  for (const [owner, name] of [
    [AbortSignal, "any"], [AbortSignal, "timeout"], [URL, "canParse"], [URL, "parse"], [Promise, "withResolvers"],
    [Promise, "try"], [Object, "groupBy"], [Map, "groupBy"], [Array, "fromAsync"], [RegExp, "escape"],
    [Set.prototype, "union"], [Set.prototype, "difference"], [Set.prototype, "intersection"], [window, "trustedTypes"],
  ]) delete owner[name];
`;

test("an older browser shows tasks and a document, and follows changes", {
  skip: skip || eachNight,
}, async (t) => {
  const { root, server } = await serveFiles(t, serveHttp);
  writeFiles(root, { "p/links.md": "# L\n\n[out](https://example.org/) &copy; [in](status.md)\n" });
  const page = await openPage(t, { locale: "en-US" });
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  await page.addInitScript(MISSING);
  await page.route(`${server.origin}/`, async (route) => {
    const response = await route.fetch();
    const policy = response
      .headers()
      ["content-security-policy"]?.replace(/; require-trusted-types-for.*$/, "");
    await route.fulfill({
      response,
      headers: { ...response.headers(), "content-security-policy": policy ?? "" },
    });
  });
  await page.goto(`${server.origin}/#/board?token=${TOKEN}`);
  await live({ page });
  writeFiles(root, { "new/tasks/001-c.md": "# C\n" });
  await page.getByRole("article", { name: "001 C" }).waitFor();
  await page.goto(`${server.origin}/#/document?path=p/links.md`);
  await page.getByText("©").waitFor();
  assert.equal(await page.getByRole("link", { name: "out" }).getAttribute("href"), "https://example.org/");
  assert.deepEqual(problems, []);
});

test("a browser that refuses all cookies opens the page, and keeps a draft while the page is open", {
  skip,
}, async (t) => {
  const { server } = await serveFiles(t, serveHttp);
  const page = await openPage(t, { locale: "en-US" });
  await page.addInitScript(`
    Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("", "SecurityError"); } });
  `);
  await page.goto(`${server.origin}/#/document?path=p/status.md&show=edit&token=${TOKEN}`);
  const field = page.getByRole("textbox", { name: "Text" });
  await field.fill("# Half\n");
  await page.getByRole("link", { name: "Today" }).click();
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await page.goBack();
  assert.equal(await field.inputValue(), "# Half\n");
});

test("what a browser kept and the page cannot read counts as nothing", { skip }, async (t) => {
  const { server } = await serveFiles(t, serveHttp);
  const { page, problems } = await openBoard(t, server);
  const views = [
    ["/inbox?task=p/tasks/001-a.md", page.locator(".inbox .peek-head")],
    ["/document?path=p/status.md&show=edit", page.getByRole("textbox", { name: "Text" })],
  ] as const;
  for (const text of ["{", "{}", "[1]", '[["p/tasks/001-a.md","soon"]]']) {
    const kept = JSON.stringify(text);
    await page.evaluate(`
      localStorage.setItem("vibe-mcp-looked", ${kept});
      sessionStorage.setItem("vibe-mcp-draft:p/status.md", ${kept});
    `);
    for (const [fragment, shown] of views) {
      await page.goto("about:blank");
      await page.goto(`${server.origin}/#${fragment}`);
      await shown.waitFor();
    }
  }
  assert.deepEqual(problems, []);
});

test("the page connects again by itself after the server restarts", { skip }, async (t) => {
  const { root, server } = await serveFiles(t, startHttp);
  const board = await openBoard(t, server);
  await live(board);
  server.child.kill();
  await server.exit;
  await board.page.getByText("Connection lost. Trying again…").waitFor();
  await startHttp(t, ["--root", root, "--port", `${server.port}`]);
  await live(board);
});

test("the address that board prints, and the file that it gives to the browser, open the page, each once", {
  skip: noBrowser || eachNight || (ON_WINDOWS && "xdg-open is for Linux and the like"),
}, async (t) => {
  const [bin, file] = [temporaryFolder(t), join(temporaryFolder(t), "page.html")];
  const script = `#!/bin/sh\ncp "$1" "${file}.part" && mv "${file}.part" "${file}"\n`;
  writeFileSync(join(bin, "xdg-open"), script, { mode: 0o755 });
  const env = { DISPLAY: ":0", PATH: [bin, process.env["PATH"]].join(delimiter) };
  const board = await startBoard(t, ["p", "--root", makeWorkspace(t, FILES)], env);
  while (!existsSync(file)) await sleep(10);
  const [printed, opened] = [board.address(), pathToFileURL(file).href];
  for (const address of [printed, opened]) {
    const page = await openPage(t, { locale: "en-US" });
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(frame.url()));
    await page.goto(address);
    await live({ page });
    assert.equal(page.url(), `${board.origin}/#/board?project=p`);
    const token = await page.evaluate<string>('sessionStorage.getItem("vibe-mcp-token")');
    assert.match(token, /^[\w-]{43}$/);
    const entries = await page.evaluate<string>("JSON.stringify(performance.getEntries())");
    assert.ok(![...visited, entries].join("\n").includes(token));
    // The tab has the token, and needs no code.
    await page.goto(printed);
    await live({ page });
    await page.reload();
    await live({ page });
  }
  const page = await openPage(t, { locale: "en-US" });
  await page.goto(printed);
  await page.getByRole("heading", { name: "This address no longer works" }).waitFor();
  assert.equal(page.url(), `${board.origin}/#/board?project=p`);
  while (board.address() === printed) await sleep(10);
  await page.goto(board.address());
  await live({ page });
  // The open streams of the pages do not keep it.
  board.child.kill("SIGINT");
  assert.deepEqual(await board.exit, { code: 0, signal: null });
});
