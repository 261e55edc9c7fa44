import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { live, openBoard } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { READ_TOKEN, sendRaw, serveHttp } from "../fixtures/http.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;

const PATH = "p/tasks/001-first.md";
const FILES = {
  [PATH]: "---\nowner: ana\ntags: [one]\nnote: x\n---\n# First\n\nStatus: done\n\n- [ ] A step\n",
  "p/status.md": "# P\n\n- [ ] A box\n",
};

/** Everything that can be used, except links. */
const CONTROLS = `[...document.querySelectorAll("button, input, select, textarea, [draggable=true], [contenteditable]")]
  .filter((element) => !element.disabled && element.checkVisibility())
  .map((element) => element.ariaLabel ?? (element.labels?.[0]?.firstChild ?? element).textContent.trim())`;

const VIEWS: Record<string, { fragment: string; shows: string; controls: string[] }> = {
  board: {
    fragment: "/board",
    shows: "article",
    controls: [],
  },
  today: { fragment: "/today", shows: ".today", controls: [] },
  project: { fragment: "/project?name=p", shows: ".project-folder", controls: [] },
  search: {
    fragment: "/search?query=first",
    shows: ".search-result",
    controls: ["Search all notes"],
  },
  document: { fragment: `/document?path=${PATH}`, shows: ".markdown", controls: ["Copy path", "History"] },
  history: {
    fragment: `/document?path=${PATH}&show=history`,
    shows: ".document-body > .panel p",
    controls: ["Copy path", "History"],
  },
  editor: {
    fragment: `/document?path=${PATH}&show=edit`,
    shows: ".markdown",
    controls: ["Copy path", "History"],
  },
};

const READS = [
  "tools/list",
  "subscriptions/listen",
  "list_projects",
  "list_tasks",
  "read_doc",
  "get_plan",
  "get_briefing",
  "search",
  "history",
];

/** In each view. */
const HEAD = ["Jump to…Ctrl+K", "Settings", "Keyboard shortcuts"];

for (const [kind, token, args] of [
  ["token", READ_TOKEN, []],
  ["server", undefined, ["--read-only"]],
] as const)
  test(`with a read-only ${kind}, no view has a control or a key that writes`, { skip }, async (t) => {
    const root = makeWorkspace(t, FILES);
    const server = await serveHttp(t, ["--root", root, ...args]);
    for (const [name, { fragment, shows, controls }] of Object.entries(VIEWS)) {
      const board = await openBoard(t, server, { fragment, ...(token && { token }) });
      await live(board);
      await board.page.locator(shows).first().waitFor();
      assert.deepEqual(await board.page.evaluate(CONTROLS), [...HEAD, ...controls], name);
      assert.equal(await board.page.getByText("Read-only", { exact: true }).count(), 1);
      await board.page.locator("article, h1").first().focus();
      for (const key of ["Shift+ArrowLeft", "n", "e"]) await board.page.keyboard.press(key);
      assert.equal(await board.page.getByRole("dialog").count(), 0, name);
      assert.deepEqual(
        board.calls.map((call) => call.name).filter((call) => !READS.includes(call)),
        [],
        name,
      );
      assert.deepEqual(board.problems, [], name);
    }
    assert.equal(readFileSync(join(root, PATH), "utf8"), FILES[PATH]);
  });

test("what the page sends to write is refused with a token that only reads, without one, and from elsewhere", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, FILES);
  const server = await serveHttp(t, ["--root", root]);
  const board = await openBoard(t, server);
  await live(board);
  assert.equal(await board.page.getByText("Read-only", { exact: true }).count(), 0);
  const sent = board.page.waitForRequest(
    (request) => request.postData()?.includes("update_task_status") === true,
  );
  await board.page.getByRole("article").focus();
  await board.page.keyboard.press("Shift+ArrowLeft");
  const request = await sent;
  await board.page.getByRole("log").getByText("moved to").waitFor();
  const written = readFileSync(join(root, PATH), "utf8");
  assert.match(written, /Status: blocked/);
  const { authorization, "content-length": _, ...headers } = await request.allHeaders();
  assert.match(authorization ?? "", /^Bearer /);
  // The status that the page saw is the one that it set itself.
  const body = (request.postData() ?? "")
    .replace("blocked", "pending")
    .replace('"expected_status":"done"', '"expected_status":"blocked"');
  const forge = (changes: Record<string, string>) => sendRaw(server, { ...headers, ...changes }, { body });
  assert.match((await forge({ authorization: `Bearer ${READ_TOKEN}` })).body, /READ_ONLY/);
  assert.equal((await forge({})).status, 401);
  assert.equal((await forge({ authorization: "Bearer x" })).status, 401);
  for (const foreign of [{ origin: "https://evil.example" }, { host: "evil.example" }])
    assert.equal(
      (await forge({ authorization: authorization ?? "", ...foreign })).status,
      403,
      JSON.stringify(foreign),
    );
  assert.equal(readFileSync(join(root, PATH), "utf8"), written);
  assert.match((await forge({ authorization: authorization ?? "" })).body, /pending/);
});
