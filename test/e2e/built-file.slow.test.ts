import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const BUILT = readFileSync(resolve("dist", "vibe-mcp.cjs"), "utf8");

/** A copy of the built file, perhaps with another text or name. */
function place(t: TestContext, text = BUILT, name = "vibe-mcp.cjs") {
  const home = temporaryFolder(t);
  const file = join(home, name);
  writeFileSync(file, text);
  const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home };
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: home, env, encoding: "utf8" });
  return { home, file, env, run };
}

test("the built file runs with the line endings of Windows", (t) => {
  const { file, run } = place(t, BUILT.replaceAll("\n", "\r\n"));
  assert.equal(run(file, "demo", ".vibe").status, 0);
  const { status, stdout, stderr } = run(file, "search", "rate limiting");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /payments-api/);
});

test("a truncated built file fails, and runs nothing", (t) => {
  for (const least of [20_000, 600_000, 1_200_000]) {
    const end = BUILT.indexOf("function ", least) + "function ".length;
    const { file, run } = place(t, BUILT.slice(0, end));
    const { status, stdout, stderr } = run(file, "--version");
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /^(?:Syntax|Reference)Error: /m);
  }
});

test("the built file compiles no embedded code, and sets no V8 flags", () => {
  assert.doesNotMatch(BUILT, /require\("(?:node:)?(?:vm|v8|module)"\)/);
});

test("the built file runs from a path with spaces and letters of any script, and through links", {
  skip: ON_WINDOWS,
}, (t) => {
  const { home, file, run } = place(t, BUILT, "ほ é 'x\".cjs");
  const link = join(home, "link");
  symlinkSync(file, link);
  mkdirSync(join(home, ".vibe", "one"), { recursive: true });
  for (const args of [[file], [link], ["--preserve-symlinks", "--preserve-symlinks-main", link]])
    assert.equal(run(...args, "projects", "--names").stdout, "one\n", args.join(" "));
});

test("a server keeps working when its file is replaced", async (t) => {
  const { home, file, env, run } = place(t);
  run(file, "demo", ".vibe");
  const agent = new Client({ name: "test", version: "1" });
  const server = { command: process.execPath, args: [file], env: { ...env, PATH: "" }, cwd: home };
  t.after(() => agent.close());
  await agent.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  writeFileSync(file, "another version");
  for (const [name, args] of [
    ["search", { query: "rate limiting" }],
    ["get_briefing", { project: "payments-api" }],
    ["vault_read", { path: "payments-api/status.md", full: true }],
  ] as const) {
    const { content, isError } = await agent.callTool({ name, arguments: args });
    assert.notEqual(isError, true, `${name}: ${JSON.stringify(content)}`);
  }
});
