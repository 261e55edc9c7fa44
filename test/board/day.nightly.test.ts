import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";
import { live, openBoard } from "../fixtures/board.ts";
import { makeMany } from "../fixtures/board-files.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { builtFile } from "../fixtures/built.ts";
import { type Served, serveHttp, startHttp, TOKEN } from "../fixtures/http.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { callers, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

/** How many changes the person takes back. */
const UNDOS = numRuns(40);
const PAUSE_MS = 250;
const PRIORITIES = ["high", "medium", "low"];

type Call = ReturnType<typeof callers>["call"];

/** Real clients, one at a server of its own, one over HTTP. */
async function startAgents(t: TestContext, root: string, { origin }: Served) {
  const home = temporaryFolder(t);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home };
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  const transports = {
    desk: new StdioClientTransport({ command: process.execPath, args: [builtFile(t), "--root", root], env }),
    web: new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }),
  };
  const agents: { name: string; call: Call }[] = [];
  for (const [name, transport] of Object.entries(transports)) {
    const client = new Client({ name: `${name}-agent`, version: "1" });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    t.after(() => client.close());
    agents.push({ name: `${name}-agent`, call: callers(client).call });
  }
  return agents;
}

const path = (number: number) => `p01/tasks/${String(number).padStart(3, "0")}-task.md`;

/** Sets priorities of its own half of the tasks and logs what it does, until `isOver`. Returns what must stay. */
async function work(call: Call, half: 0 | 1, isOver: () => boolean) {
  const priorities = new Map<string, string>();
  const notes: string[] = [];
  let writes = 0;
  for (let turn = 0; !isOver(); turn++) {
    const number = 1 + half + 2 * (turn % 12);
    const before = priorities.get(path(number));
    const priority = PRIORITIES[(PRIORITIES.indexOf(before ?? "low") + 1) % 3] ?? "";
    await call("update_task", { project: "p01", task: number, priority });
    priorities.set(path(number), priority);
    writes++;
    if (turn % 5 === 0) {
      notes.push(`Note ${turn} of half ${half}.`);
      await call("log_session", { project: "p01", content: notes.at(-1) });
      writes++;
    }
    await sleep(PAUSE_MS);
  }
  return { priorities, notes, writes };
}

/** Moves a card and takes that back by the button of its notice. */
async function moveAndUndo(page: Page, root: string, number: number): Promise<void> {
  const before = /^Status: .*$/m.exec(readFileSync(join(root, path(number)), "utf8"))?.[0];
  const name = `${String(number).padStart(3, "0")} Work ${String(number).padStart(3, "0")} of p01`;
  const notice = page
    .getByRole("log")
    .locator("p")
    .filter({ hasText: `${name} moved to` });
  await page.getByRole("article", { name, exact: true }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await notice.last().waitFor();
  assert.notEqual(/^Status: .*$/m.exec(readFileSync(join(root, path(number)), "utf8"))?.[0], before);
  await notice.last().getByRole("button", { name: "Undo" }).click();
  const said = page
    .getByRole("log")
    .locator("p")
    .filter({ hasText: `ndone: ${name} moved to` });
  await said.last().waitFor();
  assert.match((await said.last().textContent()) ?? "", /^Undone: /);
  assert.equal(/^Status: .*$/m.exec(readFileSync(join(root, path(number)), "utf8"))?.[0], before);
}

interface Listed {
  versions: { change: string; client: string }[];
  next_offset?: number;
}

async function wholeHistory(call: Call): Promise<Listed["versions"]> {
  const versions: Listed["versions"] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page = (await call("history", { limit: 100, offset })) as unknown as Listed;
    versions.push(...page.versions);
    offset = page.next_offset;
  }
  return versions;
}

test("a day's work of two agents and a person: each change is in the feed once, and each undo takes only its own back", {
  skip: noBrowser,
  timeout: 600_000,
}, async (t) => {
  const root = makeMany(t, 1);
  const server = await serveHttp(t, ["--root", root]);
  const agents = await startAgents(t, root, server);
  const board = await openBoard(t, server, { fragment: "/board?project=p01&done=all" });
  await live(board);
  const { page, problems } = board;
  let isOver = false;
  const works = agents.map(({ call }, half) => work(call, half as 0 | 1, () => isOver));
  for (let round = 0; round < UNDOS; round++) {
    // Done cards have no column to the right.
    const open = [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14];
    await moveAndUndo(page, root, open[round % open.length] ?? 1);
  }
  isOver = true;
  const done = await Promise.all(works);
  for (const { priorities, notes } of done) {
    for (const [file, priority] of priorities)
      assert.match(readFileSync(join(root, file), "utf8"), new RegExp(`^priority: ${priority}$`, "im"));
    const found = (await agents[0]?.call("list_projects", { project: "p01", folder: "sessions" })) as {
      folders: { sessions: { filename: string }[] };
    };
    const text = readFileSync(join(root, "p01/sessions", found.folders.sessions[0]?.filename ?? ""), "utf8");
    for (const note of notes) assert.equal(text.split(note).length, 2, note);
  }
  const versions = await wholeHistory(agents[0]?.call as Call);
  assert.equal(new Set(versions.map(({ change }) => change)).size, versions.length);
  // Over HTTP behind the name of the token.
  const by = (name: string) => versions.filter(({ client }) => client.split("/").at(-1) === name).length;
  for (const [half, { name }] of agents.entries()) assert.equal(by(name), done[half]?.writes);
  assert.equal(by("vibe-mcp board"), 2 * UNDOS);
  await page.goto(`${page.url().split("#")[0]}#/today`);
  const feed = page.getByRole("region", { name: "What happened" });
  assert.equal(await feed.getByText("Another program").count(), 0);
  const more = feed.getByRole("button", { name: "Show more" });
  await feed
    .getByText(/-agent/)
    .first()
    .waitFor();
  for (const name of [...agents.map((agent) => agent.name), "A person on the board"])
    while ((await feed.getByText(name).count()) === 0) {
      await more.click();
      await sleep(PAUSE_MS);
    }
  const links = await feed
    .locator("a.feed-time")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  assert.equal(new Set(links).size, links.length);
  assert.deepEqual(problems, []);
});

const handedIn = (number: number, needs = "") =>
  `# Task: Thing ${number}\n\nStatus: pending\n${needs}\n## Steps\n1. [ ] Do it\n`;
const HANDED_IN = {
  "shop/status.md": "---\nreview: required\n---\n# Shop\n",
  "shop/tasks/001-one.md": handedIn(1),
  "shop/tasks/002-two.md": handedIn(2),
  "shop/tasks/003-three.md": handedIn(3, "\n## Context\n- Dependencies: 001, 002\n"),
};

test("two agents hand in, one is approved, the other hears what is missing: two keys each", {
  skip: noBrowser,
  timeout: 120_000,
}, async (t) => {
  const root = makeWorkspace(t, HANDED_IN);
  const server = await startHttp(t, ["--root", root]);
  const [desk, web] = (await startAgents(t, root, server)).map(({ call }) => call) as [Call, Call];
  const board = await openBoard(t, server);
  await live(board);
  const { page, problems } = board;
  const keys: string[] = [];
  const press = async (key: string) => {
    keys.push(key);
    await page.keyboard.press(key);
  };
  const focused = (name: string) => page.locator("article:focus", { hasText: name }).waitFor();
  const text = (file: string) => readFileSync(join(root, "shop/tasks", file), "utf8");
  const handIn = async (call: Call, task: string, note: string) => {
    const agent = call === desk ? "desk-agent" : "web-agent";
    await call("claim_task", { project: "shop", task, agent });
    await call("update_task", { project: "shop", task, done_steps: [1] });
    await call("update_task_status", { project: "shop", task, status: "done", note });
  };
  await Promise.all([handIn(desk, "001", "One is there."), handIn(web, "002", "Two is there.")]);
  while (!(await page.title()).startsWith("(2)")) await sleep(20);
  await press("3");
  await focused("Thing 1");
  await page.getByText("One is there. desk-agent").waitFor();
  await press("Enter");
  await focused("Thing 2");
  assert.deepEqual(keys.splice(0), ["3", "Enter"]);
  assert.match(text("001-one.md"), /^Status: done$/m);
  await press("Shift+Enter");
  await page.keyboard.type("The limit is too low");
  await press("Enter");
  await page.getByText("Nothing waits for you.").waitFor();
  assert.deepEqual(keys.splice(0), ["Shift+Enter", "Enter"]);
  assert.match(text("002-two.md"), /^Status: pending$/m);
  const news = async (call: Call) => JSON.stringify((await call("list_projects", {}))["news"] ?? []);
  assert.match(await news(web), /came back.*The limit is too low/);
  assert.equal(await news(web), "[]");
  assert.equal(await news(desk), "[]");
  await handIn(web, "002", "Higher now.");
  await focused("Thing 2");
  await page.getByText("Came back").waitFor();
  await page.getByText(/^Higher now\. .*web-agent/).waitFor();
  await press("Enter");
  await page.getByText("Nothing waits for you.").waitFor();
  assert.deepEqual(keys, ["Enter"]);
  const claimed = await desk("claim_task", { project: "shop", agent: "desk-agent" });
  assert.match(JSON.stringify(claimed), /003-three/);
  assert.deepEqual(problems, []);
});
