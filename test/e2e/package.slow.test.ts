import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

test("three commands lead from the packed file to the first answer in a client", {
  skip: ON_WINDOWS,
}, async (t) => {
  const home = temporaryFolder(t);
  const env = { PATH: process.env["PATH"], HOME: home, npm_config_cache: join(home, "cache") };
  const run = (command: string, args: string[], cwd = home) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
    assert.equal(status, 0, `${command} ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], resolve(".")),
  ) as { filename: string }[];
  const tarball = join(home, packed?.filename ?? "");
  run("npm", ["install", "--offline", "--global", "--prefix", join(home, "npm"), tarball]);
  const program = join(home, "npm", "bin", "vibe-mcp");
  run(program, ["demo", ".vibe"]);
  run(program, ["connect", "cursor", "--yes"]);
  const settings = JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")) as {
    mcpServers: { vibe: { command: string; args: string[] } };
  };
  const { command, args } = settings.mcpServers.vibe;
  const agent = new Client({ name: "test", version: "1" });
  // A desktop client starts without a shell's PATH.
  await agent.connect(new StdioClientTransport({ command, args, env: { HOME: home, PATH: "" }, cwd: home }));
  const { structuredContent } = await agent.callTool({
    name: "search",
    arguments: { query: "rate limiting" },
  });
  assert.match(JSON.stringify(structuredContent), /payments-api/);
  await agent.close();
  // Started through npx, with only the packed file.
  const found = run("npx", ["--offline", "--yes", "--package", tarball, "vibe-mcp", "search", "refunds"]);
  assert.match(found, /payments-api/);
});
