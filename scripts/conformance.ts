import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startServer, stop } from "../test/fixtures/load/run.ts";
import { startTokenProxy } from "../test/fixtures/token-proxy.ts";
import { envOf, installNode, nodePackage } from "./node.ts";
import { withFolder } from "./shared.ts";

/**
 * Runs the protocol's conformance suite (the scenarios that need no special tools) against the built server over HTTP. npx
 * fetches it; if it cannot, this says so and exits with 0, or with 1 if `--strict` is set.
 */
const SUITE: Suite = { name: "@modelcontextprotocol/conformance@0.1.13", env: process.env };

/** The suite of revision 2026-07-28, and its scenarios that need no special tools. */
const MODERN_SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const MODERN = ["--spec-version", "2026-07-28"];
/** What that suite runs on. */
const MODERN_NODE = "22";
const SHARED =
  "tools-list resources-list prompts-list dns-rebinding-protection server-sse-multiple-streams".split(" ");
const MODERN_SCENARIOS = [...SHARED, "caching", "http-header-validation", "sep-2164-resource-not-found"];

/** A scenario with `needs` runs only if the server declares that capability. */
const SCENARIOS: { name: string; needs?: (capabilities: Capabilities) => unknown }[] = [
  ...SHARED.map((name) => ({ name })),
  ...["server-initialize", "ping", "server-sse-polling"].map((name) => ({ name })),
  { name: "logging-set-level", needs: ({ logging }) => logging },
  { name: "resources-subscribe", needs: ({ resources }) => resources?.subscribe },
  { name: "resources-unsubscribe", needs: ({ resources }) => resources?.subscribe },
];

/** The suite subscribes to a resource that only its own test server has; the proxy replaces it with one of ours. */
const EXAMPLE = ["test://watched-resource", "vibe://projects/example"] as const;

interface Suite {
  name: string;
  /** In which npx finds the Node.js that it needs. */
  env: NodeJS.ProcessEnv;
}

interface Capabilities {
  logging?: object | undefined;
  resources?: { subscribe?: boolean | undefined } | undefined;
}

async function main(): Promise<number> {
  if ((await run(["--version"], SUITE)).code !== 0) {
    console.error(`${SUITE.name} is not available: nothing was run`);
    return process.argv.includes("--strict") ? 1 : 0;
  }
  return withFolder("conformance", test);
}

async function test(root: string): Promise<number> {
  mkdirSync(join(root, "workspace", "example"), { recursive: true });
  const running = await startServer("dist/vibe-mcp.cjs", join(root, "workspace"));
  try {
    const { port, server: proxy } = await startTokenProxy(running.server.port, running.server.token, EXAMPLE);
    const url = `http://localhost:${port}/mcp`;
    const declared = await capabilities(url);
    const able = SCENARIOS.filter(({ needs }) => needs === undefined || needs(declared));
    const args = ["server", "--url", url, "--output-dir", root];
    const names = able.map(({ name }) => name);
    const failed = await runAll(SUITE, args, names);
    const left = SCENARIOS.length - able.length;
    console.error(
      `${able.length - failed} of ${able.length} scenarios pass; ${left} need capabilities that the server does not declare`,
    );
    const failedModern = await runModern([...args, ...MODERN], join(root, "node"));
    proxy.close();
    return failed + failedModern === 0 ? 0 : 1;
  } finally {
    await stop(running);
  }
}

async function capabilities(url: string): Promise<Capabilities> {
  const client = new Client({ name: "conformance", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client["connect"]>[0]);
  const declared = client.getServerCapabilities() ?? {};
  await client.close();
  return declared;
}

async function runModern(args: string[], folder: string): Promise<number> {
  const node = installNode(nodePackage(MODERN_NODE), folder);
  const suite = { name: MODERN_SUITE, env: node === undefined ? process.env : envOf(node) };
  if ((await run(["--version"], suite)).code !== 0) {
    console.error(`${MODERN_SUITE} does not run here: 2026-07-28 was not tested`);
    return process.argv.includes("--strict") ? 1 : 0;
  }
  const failed = await runAll(suite, args, MODERN_SCENARIOS);
  const { length } = MODERN_SCENARIOS;
  console.error(`2026-07-28: ${length - failed} of ${length} scenarios pass`);
  return failed;
}

/** The number of scenarios that fail. */
async function runAll(suite: Suite, args: string[], names: string[]): Promise<number> {
  let failed = 0;
  for (const name of names) {
    const { code, output } = await run([...args, "--scenario", name], suite);
    console.error(`${code === 0 ? "ok    " : "FAILED"} ${name}`);
    if (code === 0) continue;
    failed++;
    console.error(output);
  }
  return failed;
}

async function run(args: string[], { name, env }: Suite): Promise<{ code: number | null; output: string }> {
  const npx = spawn("npx", ["--yes", name, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [npx.stdout, npx.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(npx, "close")) as [number | null];
  return { code, output };
}

process.exitCode = await main();
