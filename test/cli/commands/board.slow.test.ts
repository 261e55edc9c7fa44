import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hasBrowser } from "../../../src/cli/browser.ts";
import { type BoardProcess, logIn, redeem, startBoard } from "../../fixtures/board.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { freePort, INITIALIZE, post, send } from "../../fixtures/http.ts";
import { connectModernHttp } from "../../fixtures/modern.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

/** Starts boards of one person. */
function restarts(t: TestContext, root: string, home = temporaryFolder(t)) {
  const folder = join(home, ".local/state/vibe-mcp/board");
  return {
    home,
    folder,
    start: (...args: string[]) => startBoard(t, ["--root", root, ...args], { HOME: home }),
    kept: () => (existsSync(folder) ? readdirSync(folder) : []).filter((file) => /^[0-9a-f]+$/.test(file)),
  };
}

/** Not by a kill: what it keeps is written. */
async function end({ child, exit }: BoardProcess): Promise<void> {
  child.kill("SIGINT");
  await exit;
}

const FILES = { "my shop/tasks/001-a.md": "# A\n\nStatus: pending\n", "q/status.md": "# Q\n" };

test("board prints its address, serves page and tools for its token alone, and ends with Ctrl+C", async (t) => {
  const root = makeWorkspace(t, FILES);
  const board = await startBoard(t, ["my shop", "--root", root]);
  assert.match(board.address(), /^http:\/\/127\.0\.0\.1:\d+\/#\/board\?project=my\+shop&code=[\w-]{22}$/);
  const login = await logIn(board);
  const page = await send(board, { path: "/", token: null });
  assert.match(await page.text(), /^<!doctype html>/);
  for (const token of [null, `${login.token}x`])
    assert.equal((await post(board, INITIALIZE, { token })).status, 401);
  const { client, call } = await connectModernHttp(t, board, login);
  await call("update_task_status", { project: "my shop", task: "001", status: "done" });
  assert.match(readFileSync(join(root, "my shop/tasks/001-a.md"), "utf8"), /Status: done/);
  const { tools } = await client.listTools();
  assert.ok(tools.every(({ name }) => !name.startsWith("vault_")));
  board.child.kill("SIGINT");
  // On Windows a signal ends a process at once.
  if (!ON_WINDOWS) assert.deepEqual(await board.exit, { code: 0, signal: null });
  assertTells(board.stderr(), ["Open", "once", "Ctrl+C"]);
});

test("the board has all tools of the present interface, whatever agents get, and none that write if it is read-only", async (t) => {
  const env = { VIBE_TOOLS: "core", VIBE_API: "v1", VIBE_PORT: "1", VIBE_AUTH_TOKEN: "too short" };
  const args = ["--root", makeWorkspace(t, FILES), "--no-open"];
  const full = await startBoard(t, args, env);
  assert.match(full.address(), /#\/board\?code=/);
  const { client } = await connectModernHttp(t, full, await logIn(full));
  const names = async (of: typeof client) => (await of.listTools()).tools.map(({ name }) => name);
  for (const name of ["list_projects", "history", "update_task"])
    assert.ok((await names(client)).includes(name), name);
  const reading = await startBoard(t, [...args, "--read-only"], env);
  const reader = await connectModernHttp(t, reading, await logIn(reading));
  assert.ok((await names(reader.client)).includes("list_tasks"));
  assert.ok(!(await names(reader.client)).includes("update_task_status"));
});

test("--port chooses the port, --project or VIBE_PROJECT the project", async (t) => {
  const root = makeWorkspace(t, FILES);
  const port = await freePort();
  const { origin, address } = await startBoard(t, ["--port", `${port}`, "--root", root], {
    VIBE_PROJECT: "Q",
  });
  assert.equal(origin, `http://127.0.0.1:${port}`);
  assert.match(address(), /project=q&/);
});

test("an address works once; opened again, it makes the terminal show another, and nothing else does", async (t) => {
  const root = makeWorkspace(t, FILES);
  const board = await startBoard(t, ["--root", root]);
  const first = board.address();
  const foreign = await redeem(first, { Origin: "https://evil.example" });
  assert.equal(foreign.status, 403);
  assert.equal((await redeem(`${board.origin}/?code=${"a".repeat(22)}`)).status, 401);
  assert.equal((await redeem(`${board.origin}/?code=${"a".repeat(200)}`)).status, 413);
  assert.equal(board.address(), first);
  const { token } = await logIn(board);
  const again = await redeem(first);
  assert.equal(again.status, 401);
  assert.ok(!(await again.text()).includes(token));
  while (board.address() === first) await sleep(10);
  assert.match(board.stderr(), /\n.* address .*no longer works\. .*:\n$/);
  assert.equal((await logIn(board)).token, token);
  board.child.kill();
  await board.exit;
  const next = await startBoard(t, ["--root", root, "--port", new URL(board.origin).port]);
  assert.equal((await redeem(first)).status, 401);
  assert.notEqual((await logIn(next)).token, token);
});

test("a restart keeps the port, but not the token; a damaged file, a taken port and another root do without", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { home, start, folder, kept } = restarts(t, root);
  const first = await start();
  const { token } = await logIn(first);
  while (kept().length === 0) await sleep(10);
  const [name = ""] = kept();
  const file = join(folder, name);
  assert.equal(readFileSync(file, "utf8"), `${new URL(first.origin).port}\n`);
  await end(first);
  const again = await start();
  assert.equal(again.origin, first.origin);
  assert.equal((await post(again, INITIALIZE, { token })).status, 401);
  const other = await restarts(t, makeWorkspace(t, FILES), home).start();
  const taken = await start();
  assert.equal(new Set([again, other, taken].map(({ origin }) => origin)).size, 3);
  await end(taken);
  // As earlier versions wrote it.
  writeFileSync(file, `${new URL(taken.origin).port} ${token}\n`);
  const later = await start();
  assert.equal(later.origin, taken.origin);
  assert.equal((await post(later, INITIALIZE, { token })).status, 401);
  await end(later);
  writeFileSync(file, "80 x\n");
  await logIn(await start());
});

test("codes are throttled like tokens, and a good one is taken nevertheless", async (t) => {
  const board = await startBoard(t, ["--root", makeWorkspace(t, FILES)]);
  const wrong = `${board.origin}/?code=wrong`;
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) statuses.push((await redeem(wrong)).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  assert.equal((await redeem(board.address())).status, 200);
});

test("an unknown project and a port in use are refused with what to do", async (t) => {
  const someone = person(t, makeWorkspace(t, FILES));
  const unknown = someone.inPipe(["board", "my shp"]);
  assert.deepEqual([unknown.status, unknown.stdout], [1, ""]);
  assert.match(unknown.stderr, /Project 'my shp' does not exist\..* Did you mean: 'my shop'\?/);
  const { origin } = await startBoard(t, ["--root", someone.root]);
  const used = someone.inPipe(["board", "--port", new URL(origin).port]);
  assert.deepEqual([used.status, used.stdout], [2, ""]);
  assertTells(used.stderr, ["--port"]);
});

const skip = ON_WINDOWS && "xdg-open is for Linux and the like";

test("the browser opens by a file that only its owner can read; no command line shows the token", {
  skip,
  timeout: 60_000,
}, async (t) => {
  const [bin, home, seen] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const script = `#!/bin/sh
echo "$*" > "${seen}/arguments"
ls -ld "$(dirname "$1")" "$1" | cut -c1-10 > "${seen}/modes"
cat "$1" > "${seen}/unfinished"; mv "${seen}/unfinished" "${seen}/page"
`;
  writeFileSync(join(bin, "xdg-open"), script);
  chmodSync(join(bin, "xdg-open"), 0o755);
  const path = [bin, process.env["PATH"]].join(delimiter);
  const env = { DISPLAY: ":0", HOME: home, PATH: path };
  const board = await startBoard(t, ["q", "--root", makeWorkspace(t, FILES)], env);
  while (!existsSync(join(seen, "page"))) await sleep(10);
  const read = (name: string) => readFileSync(join(seen, name), "utf8");
  const [, opened = ""] = /url=([^"]*)"/.exec(read("page").replaceAll("&amp;", "&")) ?? [];
  assert.ok(opened.startsWith(`${board.origin}/#/board?project=q&code=`));
  assert.notEqual(opened, board.address());
  assert.ok(!read("arguments").includes("code="));
  assert.equal(read("modes"), "drwx------\n-rw-------\n");
  board.child.kill("SIGINT");
  await board.exit;
  assert.deepEqual(
    readdirSync(home).filter((name) => name !== ".local"),
    [],
  );
  assert.match(board.stderr(), /^Your browser .* Ctrl\+C .*\n$/);
});

test("without an opener, or with one that fails, the board says to copy the address", { skip }, async (t) => {
  const bin = temporaryFolder(t);
  for (const opener of [undefined, "#!/bin/sh\nexit 3\n"]) {
    if (opener !== undefined) writeFileSync(join(bin, "xdg-open"), opener, { mode: 0o755 });
    const env = { WAYLAND_DISPLAY: "wayland-0", PATH: bin };
    const board = await startBoard(t, ["--root", makeWorkspace(t, FILES)], env);
    while (!/copy the address/.test(board.stderr())) await sleep(10);
    assert.equal((await post(board, INITIALIZE, await logIn(board))).status, 200);
  }
});

for (const [platform, env, expected] of [
  ["darwin", {}, true],
  ["win32", {}, true],
  ["linux", { DISPLAY: ":0" }, true],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, true],
  ["linux", {}, false],
  ["linux", { DISPLAY: ":0", WSL_DISTRO_NAME: "Ubuntu" }, false],
  ["linux", { DISPLAY: ":10", SSH_CONNECTION: "10.0.0.1 50000 10.0.0.2 22" }, false],
  ["darwin", { SSH_TTY: "/dev/ttys001" }, false],
] as const) {
  test(`${platform} with ${JSON.stringify(env)} ${expected ? "has" : "lacks"} a browser to open`, () =>
    assert.equal(hasBrowser({ platform, env }), expected));
}
