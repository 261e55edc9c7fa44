import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { temporaryFolder } from "../fixtures/workspace.ts";

const noUnzip = spawnSync("python3", ["-m", "zipfile", "--help"]).status !== 0;

test("the desktop bundle unpacks, its manifest fits, and its server answers", {
  skip: noUnzip,
}, async (t) => {
  const folder = temporaryFolder(t);
  const bundle = join(folder, "vibe-mcp.mcpb");
  const made = spawnSync(process.execPath, ["--import", "tsx", "scripts/bundle.ts", bundle], {
    encoding: "utf8",
  });
  assert.equal(made.status, 0, made.stderr);
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  assert.equal(spawnSync("python3", ["-m", "zipfile", "-t", bundle]).status, 0);
  assert.equal(spawnSync("python3", ["-m", "zipfile", "-e", bundle, unpacked]).status, 0);
  const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"));
  assert.equal(manifest.version, JSON.parse(readFileSync("package.json", "utf8")).version);
  assert.deepEqual(
    readFileSync(join(unpacked, manifest.server.entry_point)),
    readFileSync(join("dist", "vibe-mcp.cjs")),
  );
  const { command, args } = manifest.server.mcp_config as { command: string; args: string[] };
  assert.equal(command, "node");
  const values: Record<string, string> = { __dirname: unpacked, "user_config.root": join(folder, "notes") };
  const filled = args.map((word) =>
    word.replace(/\$\{([^}]*)\}/g, (_, name: string) => values[name] ?? name),
  );
  const agent = new Client({ name: "test", version: "1" });
  await agent.connect(
    new StdioClientTransport({ command: process.execPath, args: filled, stderr: "ignore" }),
  );
  const { tools } = await agent.listTools();
  assert.ok(tools.some(({ name }) => name === "search"));
  await agent.close();
});
