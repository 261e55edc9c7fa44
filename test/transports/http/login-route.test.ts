import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createClient } from "../../../src/board/mcp-client.ts";
import { isProven } from "../../../src/core/history/proof.ts";
import { readBackwards } from "../../../src/core/history/read-log.ts";
import {
  connectHttp,
  READ_TOKEN,
  type Served,
  sendRaw,
  serveHttp,
  startHttp,
  TOKEN,
} from "../../fixtures/http.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const PATH = "p/tasks/001-a.md";
const FILES = {
  "p/status.md": "---\nreview: required\n---\n# P\n",
  [PATH]: "---\nstatus: pending\n---\n# Task: A\n",
};
const DONE = { project: "p", task: "1", status: "done" };

/** Sends what a browser adds to the requests of a page. */
function asBrowser(t: TestContext, headers: Record<string, string>): void {
  const { fetch } = globalThis;
  t.mock.method(globalThis, "fetch", (url: string, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  );
}

const logIn = async (server: Served, headers: Record<string, string>) => {
  const answer = await sendRaw(server, headers, { path: "/login" });
  return { status: answer.status, token: (JSON.parse(answer.body) as { token?: string }).token };
};

test("only a page of the server itself gets the token of a person", async (t) => {
  const named = ["--allowed-origin", "http://app.example.com"];
  const server = await serveHttp(t, ["--root", makeWorkspace(t, FILES), ...named]);
  const Authorization = `Bearer ${TOKEN}`;
  const page = (await logIn(server, { Authorization, "Sec-Fetch-Site": "same-origin" })).token ?? "";
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ "Sec-Fetch-Site": "same-origin" }, 200],
    [{ Origin: server.origin }, 200],
    [{}, 403],
    [{ "Sec-Fetch-Site": "none" }, 403],
    [{ "Sec-Fetch-Site": "cross-site" }, 403],
    [{ Origin: "http://app.example.com" }, 403],
    [{ Origin: "http://app.example.com", "Sec-Fetch-Site": "cross-site" }, 403],
    [{ "Sec-Fetch-Site": "same-origin", Authorization: "" }, 401],
    [{ "Sec-Fetch-Site": "same-origin", Authorization: "Bearer wrong-token-0123456789abcdef-xyz" }, 401],
    [{ "Sec-Fetch-Site": "same-origin", Authorization: `Bearer ${page}` }, 403],
  ];
  for (const [headers, status] of cases)
    assert.equal(
      (await logIn(server, { Authorization, Host: `127.0.0.1:${server.port}`, ...headers })).status,
      status,
      JSON.stringify(headers),
    );
});

for (const [how, env, token] of [
  ["with a token", { VIBE_AUTH_TOKEN: TOKEN }, TOKEN],
  ["without one", {}, undefined],
] as const)
  test(`what the page does, a person does, and what its token does elsewhere, an agent does: ${how}`, async (t) => {
    const [root, state] = [makeWorkspace(t, FILES), temporaryFolder(t)];
    const server = await serveHttp(t, ["--root", root], { ...env, XDG_STATE_HOME: state });
    const agent = await connectHttp(t, server, { token });
    const { task } = await agent.call<{ task: { new_status: string } }>("update_task_status", DONE);
    assert.equal(task.new_status, "review");
    asBrowser(t, { "Sec-Fetch-Site": "same-origin" });
    const page = createClient(`${server.origin}/mcp`, () => token);
    const { changes } = await page.call("update_task_status", DONE);
    assert.match(readFileSync(join(root, PATH), "utf8"), /^status: done$/m);
    const place = { root, state: join(state, "vibe-mcp") };
    const found: [id: string, isPerson: boolean][] = [];
    for await (const one of readBackwards(root)) found.push([one.id, isProven(place, one)]);
    assert.deepEqual([found.length, found[0], found[1]?.[1]], [2, [changes[0], true], false]);
  });

test("a token that only reads opens a page that only reads, and a page logs in again after a restart", async (t) => {
  const root = makeWorkspace(t, FILES);
  const first = await startHttp(t, ["--root", root]);
  asBrowser(t, { Origin: first.origin });
  let token = READ_TOKEN;
  const page = createClient(`${first.origin}/mcp`, () => token);
  assert.ok(!(await page.listTools()).has("update_task"));
  token = TOKEN;
  assert.ok((await page.listTools()).has("update_task"));
  first.child.kill();
  await first.exit;
  await startHttp(t, ["--root", root, "--port", `${first.port}`]);
  assert.ok((await page.listTools()).has("update_task"));
  token = "wrong-token-0123456789abcdef-wxyz";
  await assert.rejects(page.listTools(), { name: "Error", message: "" });
});
