import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../../src/cli/run.ts";
import { hostOf, pipes } from "../../fixtures/host.ts";
import { connectHttp, send, serveHttp } from "../../fixtures/http.ts";
import { connectModernHttp } from "../../fixtures/modern.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const PATH = "p/tasks/001-a.md";
const TOKENS = { ana: "a".repeat(40), bob: "b".repeat(40), cy: "c".repeat(40), old: "d".repeat(40) };

test("history, log, notes, claims and reviews know a token by its name and kind, whatever the client is called", async (t) => {
  const root = makeWorkspace(t, {
    "p/status.md": "---\nreview: required\n---\n# P\n",
    [PATH]: "---\nstatus: pending\n---\n# Task: A\n",
  });
  const file = join(temporaryFolder(t), "tokens");
  const hash = createHash("sha256").update(TOKENS.bob).digest("hex");
  writeFileSync(file, `ana ${TOKENS.ana}\nbob sha256:${hash}\nperson cy ${TOKENS.cy}\n${TOKENS.old}\n`);
  const server = await serveHttp(t, ["--root", root, "--token-file", file], {});
  const [ana, bob, cy, old] = await Promise.all(
    Object.values(TOKENS).map((token) => connectHttp(t, server, { token })),
  );
  await ana?.call("claim_task", { project: "p", task: "1" });
  assert.match(readFileSync(join(root, PATH), "utf8"), /^owner: ana\/test$/m);
  const mine = async (who = ana, filter = {}) =>
    (await who?.call<{ total: number }>("list_tasks", { owner: "me", ...filter }))?.total;
  assert.deepEqual([await mine(ana), await mine(ana, { status: "done" }), await mine(bob)], [1, 0, 0]);
  writeFileSync(join(root, "p/tasks/002-b.md"), "---\nowner: Cy\n---\n# Task: B\n");
  assert.deepEqual([await mine(ana), await mine(cy)], [1, 1]);
  await bob?.call("claim_task", { project: "p", task: "2", agent: "fox" });
  assert.deepEqual([await mine(bob), await mine(cy)], [1, 0]);
  const done = { project: "p", task: "1", status: "done" };
  for (const other of [bob, old])
    assert.equal((await other?.fail("update_task_status", done))?.code, "CONFLICT");
  await ana?.call("update_task_status", { ...done, note: "Ready." });
  assert.match(readFileSync(join(root, PATH), "utf8"), /^status: review$[\s\S]*, ana\/test: Ready\./m);
  await cy?.call("update_task_status", { ...done, note: "Good." });
  assert.match(readFileSync(join(root, PATH), "utf8"), /^status: done$[\s\S]*, cy: Good\./m);
  await old?.call("create_doc", { path: "p/scratch/a.md", content: "a" });
  const { versions } = await (cy ?? assert.fail()).call<{ versions: { client: string }[] }>("history", {
    project: "p",
  });
  assert.deepEqual(
    versions.map(({ client }) => client),
    ["token 4/test", "cy/test", "ana/test", "bob/test", "ana/test"],
  );
  assert.match(server.stderr(), /asked=tools\/call:claim_task by=ana/);
  const hashAsToken = connectHttp(t, server, { token: `sha256:${hash}` });
  await assert.rejects(hashAsToken, /401|Unauthorized|authentication/);
});

test("a task that a living session of one's name holds is refused once, and then taken over", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "# Task: A\n\nStatus: pending\n" });
  const file = join(temporaryFolder(t), "tokens");
  writeFileSync(file, `ana ${TOKENS.ana}\nbob ${TOKENS.bob}\n${TOKENS.old}\n`);
  const server = await serveHttp(t, ["--root", root, "--token-file", file], {});
  const claim = { project: "p", agent: "claude", task: "1" };
  const session = (token: string) => connectHttp(t, server, { token });
  const requests = (token: string) => connectModernHttp(t, server, { token });
  type Caller = Awaited<ReturnType<typeof session | typeof requests>>;
  const takeOver = async (who: Caller) => {
    const { code, message } = await who.fail("claim_task", claim);
    assert.equal(code, "CONFLICT");
    assert.match(
      message,
      /another session of the name 'claude', since \d{4}-\d\d-\d\dT\d\d:\d\dZ\. Claim it again/,
    );
    await who.call("update_task_status", { ...claim, status: "in-progress" });
    await who.call("claim_task", claim);
    await who.call("claim_task", claim);
    const { total, news } = await who.call<{ total: number; news?: string[] }>("list_tasks", { owner: "me" });
    assert.deepEqual([total, news], [1, undefined]);
  };
  const first = await session(TOKENS.ana);
  await first.call("claim_task", claim);
  await takeOver(await session(TOKENS.ana));
  await takeOver(first);
  await takeOver(await requests(TOKENS.ana));
  // A word reaches the agent of each token.
  const bob = await session(TOKENS.bob);
  await bob.call("read_doc", { path: PATH });
  await bob.call("update_task_status", { ...claim, status: "in-progress" });
  await (await session(TOKENS.old)).call("update_task_status", {
    ...claim,
    agent: "fox",
    status: "in-progress",
    note: "Hm.",
  });
  for (const who of [first, bob])
    assert.match(
      String((await who.call<{ news?: string[] }>("list_tasks", {})).news),
      /The agent 'fox' wrote/,
    );
  // Without sessions, the token and the name of the client count.
  await (await requests(TOKENS.ana)).call("claim_task", claim);
  await takeOver(await requests(TOKENS.bob));
  const last = await session(TOKENS.bob);
  await takeOver(last);
  const headers = { "Mcp-Session-Id": last.sessionId() ?? "" };
  assert.equal((await send(server, { method: "DELETE", token: TOKENS.bob, headers })).status, 200);
  await (await session(TOKENS.bob)).call("claim_task", claim);
});

test("a token that the command makes opens a server that is started later, and revoked it opens nothing", async (t) => {
  const env = { XDG_STATE_HOME: temporaryFolder(t) };
  const file = join(env.XDG_STATE_HOME, "vibe-mcp", "tokens");
  const token = async (...words: string[]) => {
    const { terminal, printed } = pipes("");
    const cwd = () => env.XDG_STATE_HOME;
    const code = await run(["token", ...words], hostOf({ script: "vibe-mcp", cwd, env, terminal }));
    return { code, ...printed() };
  };
  assert.match((await token("list")).stderr, /No token yet/);
  const ana = await token("new", "ana");
  const limits = ["--read", "--projects", 'p,"My notes"'];
  const bob = JSON.parse((await token("new", "bob", ...limits, "--json")).stdout) as { token: string };
  await token("new", "cy", "--person");
  const text = readFileSync(file, "utf8");
  assert.match(
    text,
    /^ana sha256:[\da-f]{64} # \d{4}-\d\d-\d\d\nread bob sha256:\S+ p,"My notes" #.*\nperson cy sha256:.*\n$/,
  );
  for (const secret of [ana.stdout.trim(), bob.token]) assert.ok(!text.includes(secret));
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(
    (await token("list")).stdout,
    /^ana +agent +\d{4}-\d\d-\d\d\nbob +read +\S+ +p, My notes\ncy +person +\S+\n$/,
  );
  for (const wrong of [
    ["new", "ana"],
    ["new", "Ana"],
    ["new", "person"],
    ["new"],
    ["new", "di", "--read", "--person"],
    ["new", "di", "--projects", "a b"],
    ["revoke", "di"],
  ])
    assert.equal((await token(...wrong)).code, 2, wrong.join(" "));
  assert.equal(readFileSync(file, "utf8"), text, "what is refused changes nothing");
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const server = await serveHttp(t, ["--root", root], env);
  const { client } = await connectHttp(t, server, { token: ana.stdout.trim() });
  const reader = await connectHttp(t, server, { token: bob.token });
  assert.ok(!(await reader.client.listTools()).tools.some(({ name }) => name === "create_doc"));
  for (const name of ["ana", "bob", "cy"]) assert.equal((await token("revoke", name)).code, 0);
  await assert.rejects(client.listTools(), /401|authentication/, "also without any token left");
  assert.match(readFileSync(file, "utf8"), /^(?:# \w+: revoked \S+\n){3}$/);
});

test("a token file that others may read or write is a warning, and with --strict no start", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const file = join(temporaryFolder(t), "tokens");
  writeFileSync(file, TOKENS.ana);
  const serve = (...more: string[]) => serveHttp(t, ["--root", root, "--token-file", file, ...more], {});
  for (const [mode, isOpen] of [
    ["600", false],
    ["640", false],
    ["604", true],
    ["602", true],
    ["620", true],
  ] as const) {
    chmodSync(file, Number.parseInt(mode, 8));
    const { stderr } = await serve();
    assert.equal(/may read or write the token file: chmod 600/.test(stderr()), isOpen, mode);
    if (isOpen) await assert.rejects(serve("--strict"), /may read or write the token file/);
    else await serve("--strict");
  }
});
