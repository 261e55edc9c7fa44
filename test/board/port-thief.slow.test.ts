import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { type BoardProcess, live, openBoard, startBoard } from "../fixtures/board.ts";
import { noBrowser, openPage } from "../fixtures/browser.ts";
import { INITIALIZE, post, send } from "../fixtures/http.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const skip = noBrowser;

async function end({ child, exit }: BoardProcess): Promise<void> {
  child.kill("SIGINT");
  await exit;
}

/** Starts the boards of one person and root. */
function boards(t: TestContext) {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# A\n" });
  const home = temporaryFolder(t);
  return { root, start: () => startBoard(t, ["--root", root, "--no-open"], { HOME: home }) };
}

const bodyOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray()).toString();

/** Another program on the port of a board: it answers with what `answer` says, and remembers everything that it hears. */
async function steal(
  t: TestContext,
  { origin }: BoardProcess,
  answer: (path: string, body: string) => Promise<{ status: number; text: string; type?: string }>,
) {
  const heard: { path: string; authorization: string; body: string }[] = [];
  const thief = createServer(async (request, response) => {
    const { url: path = "", headers } = request;
    const body = await bodyOf(request);
    heard.push({ path, authorization: headers.authorization ?? "", body });
    const { status, text, type = "application/json" } = await answer(path, body);
    response.writeHead(status, { "Content-Type": type }).end(text);
  });
  thief.listen(Number(new URL(origin).port), "127.0.0.1");
  await once(thief, "listening");
  const stop = async () => {
    thief.close();
    thief.closeAllConnections();
    await once(thief, "close");
  };
  t.after(() => thief.closeAllConnections());
  t.after(() => thief.close());
  return { heard, stop };
}

/** Resolves once the page has asked the program `count` times. */
async function asked(heard: readonly unknown[], count: number): Promise<void> {
  while (heard.length < count) await new Promise((done) => setTimeout(done, 10));
}

test("an open tab tells no other program of its port what opens the board, and goes on with the board's next run", {
  skip,
}, async (t) => {
  const { root, start } = boards(t);
  const first = await start();
  const page = await openPage(t, { locale: "en-US" });
  const login = page.waitForResponse((response) => response.url().endsWith("/login"));
  await page.goto(first.address());
  await live({ page });
  // What the board answered to another nonce.
  const text = await (await login).text();
  const replay = async () => ({ status: 200, text });
  await end(first);
  const { heard, stop } = await steal(t, first, replay);
  await asked(heard, 3);
  await page.getByText("Connection lost. Trying again…").waitFor();
  assert.deepEqual(
    new Set(heard.map(({ path, authorization }) => `${path}${authorization}`)),
    new Set(["/login"]),
  );
  await stop();
  const next = await start();
  assert.equal(next.origin, first.origin);
  for (const { body } of heard)
    for (const token of body.split(" ")) assert.equal((await post(next, INITIALIZE, { token })).status, 401);
  await live({ page });
  writeFiles(root, { "p/tasks/002-b.md": "# B\n" });
  await page.getByRole("article", { name: "002 B" }).waitFor();
  // A page that was loaded again follows the board's next run, too.
  await page.reload();
  await live({ page });
  await end(next);
  await page.getByText("Connection lost. Trying again…").waitFor();
  await start();
  await live({ page });
});

test("what a tab keeps opens no later run of the board: another program's page can read it", {
  skip,
}, async (t) => {
  const { start } = boards(t);
  const first = await start();
  const page = await openPage(t, { locale: "en-US" });
  await page.goto(first.address());
  await live({ page });
  await end(first);
  const script =
    "fetch('/kept', { method: 'POST', body: JSON.stringify([{ ...sessionStorage }, { ...localStorage }]) })";
  const html = async () => ({ status: 200, text: `<script>${script}</script>`, type: "text/html" });
  const { heard, stop } = await steal(t, first, html);
  await page.reload();
  const stolen = () => heard.filter(({ path }) => path === "/kept");
  while (stolen().length === 0) await new Promise((done) => setTimeout(done, 10));
  await stop();
  const next = await start();
  assert.equal(next.origin, first.origin);
  const texts = stolen()[0]?.body.match(/[\w-]{20,}/g) ?? [];
  assert.ok(texts.length > 0);
  for (const token of texts) {
    assert.equal((await post(next, INITIALIZE, { token })).status, 401);
    assert.equal((await send(next, { path: "/key", method: "POST", token })).status, 401);
  }
  await page.reload();
  await page.getByText("The server refused this token, or has restarted.").waitFor();
  await page.goto(next.address());
  await live({ page });
});

test("a wrong token is refused, and the right one then opens the page", { skip }, async (t) => {
  const { start } = boards(t);
  const board = await start();
  const { page } = await openBoard(t, board, { token: "not-the-token-of-this-board-0123456789" });
  await page.getByText("The server refused this token").waitFor();
  const { token } = (await (
    await fetch(`${board.origin}/code`, {
      method: "POST",
      body: /code=([\w-]+)/.exec(board.address())?.[1] ?? "",
    })
  ).json()) as { token: string };
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Open" }).click();
  await live({ page });
});
