import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { toJson } from "./shared.ts";

/**
 * Shows what a release would do. With `--write` it writes the version and the changelog, lets code and pages name the package on
 * npm, runs every check and prints checksums; validators that are not installed are named. `--schema` names a copy of the registry's
 * schema, which server.json must fit. It publishes nothing: it only prints the commands for that.
 */
const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false }, schema: { type: "string" } },
  allowPositionals: true,
});
const [version = ""] = positionals;
/** May name the version that is being prepared. */
const HEADING = /^## (?:\S+ - )?Unreleased\n/m;
const BUNDLE = "dist/plugins/vibe-mcp.mcpb";
const FILES = ["dist/vibe-mcp.cjs", BUNDLE];
const PLUGINS = "dist/plugins";
/** What others say of what is built; the first word of each is a program. */
const VALIDATORS = [
  `claude plugin validate --strict ${PLUGINS}/vibe`,
  `gemini extensions validate ${PLUGINS}/gemini`,
  `mcpb unpack ${BUNDLE} ${PLUGINS}/unpacked`,
  `mcpb validate ${PLUGINS}/unpacked`,
  `skills-ref validate ${PLUGINS}/vibe/skills/vibe`,
  "npm publish --dry-run --provenance --ignore-scripts --access public",
];

function run(command: string, args: string[], stdio: "pipe" | "inherit" = "pipe"): string {
  const shell = process.platform === "win32";
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", stdio, shell });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed\n${stderr ?? ""}`);
  return stdout ?? "";
}

/** The entries under Unreleased. */
function unreleased(changelog: string): string {
  const [, after = ""] = changelog.split(HEADING);
  return (after.split(/^## /m)[0] ?? "").trim();
}

function isNewer(one: string, other: string): boolean {
  const numbers = (text: string) => text.split(".").map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** Adds the bundle, with its checksum, to what the registry is told, and writes the version. */
function writeServer(): void {
  const server = JSON.parse(readFileSync("server.json", "utf8"));
  const packages = server.packages.filter((one: { registryType: string }) => one.registryType !== "mcpb");
  for (const one of packages) one.version = version;
  const identifier = `${server.repository.url}/releases/download/v${version}/vibe-mcp.mcpb`;
  const transport = { type: "stdio" };
  const bundle = { registryType: "mcpb", identifier, fileSha256: sumOf(BUNDLE), transport };
  writeFileSync("server.json", toJson({ ...server, version, packages: [...packages, bundle] }));
}

/** Why the registry would refuse what it is told; undefined if it would not, or if no schema is given. */
function serverProblem(): string | undefined {
  if (values.schema === undefined) return undefined;
  const server = JSON.parse(readFileSync("server.json", "utf8"));
  const schema = JSON.parse(readFileSync(values.schema, "utf8"));
  if (schema.$id !== server.$schema) return `${values.schema} is not ${server.$schema}`;
  const { valid, errorMessage } = new AjvJsonSchemaValidator().getValidator(schema)(server);
  return valid ? undefined : `server.json does not fit ${values.schema}: ${errorMessage}`;
}

function checkServer(): void {
  const problem = serverProblem();
  if (problem !== undefined) throw new Error(problem);
  console.log(`${values.schema === undefined ? "left out, no --schema" : "ok"}: server.json and its schema`);
}

function sumOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function validate(): void {
  for (const line of VALIDATORS) {
    const [program = "", ...args] = line.split(" ");
    const isThere = spawnSync(program, ["--version"], { shell: process.platform === "win32" }).status === 0;
    if (isThere) run(program, args);
    console.log(`${isThere ? "ok" : "left out, not in PATH"}: ${line}`);
  }
}

function* problems(changelog: string): Generator<string> {
  const current = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
  if (!/^\d+\.\d+\.\d+$/.test(version)) return yield "name a version: npx tsx scripts/release.ts 0.2.0";
  if (version !== current && !isNewer(version, current)) yield `${version} is not newer than ${current}`;
  if (run("git", ["tag", "--list", `v${version}`]) !== "") yield `the tag v${version} already exists`;
  if (run("git", ["status", "--porcelain"]) !== "") yield "there are uncommitted changes";
  if (unreleased(changelog) === "") yield "CHANGELOG.md has no entries under Unreleased";
  const problem = serverProblem();
  if (problem !== undefined) yield problem;
}

function write(changelog: string): void {
  run("npm", ["version", version, "--no-git-tag-version", "--allow-same-version", "--ignore-scripts"]);
  const published = readFileSync("src/core/config/published.ts", "utf8");
  writeFileSync("src/core/config/published.ts", published.replace(/= (?:true|false);/, "= true;"));
  run("npm", ["run", "docs"]);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync("CHANGELOG.md", changelog.replace(HEADING, `## Unreleased\n\n## ${version} - ${day}\n`));
  run("npm", ["run", "plugins"], "inherit");
  writeServer();
  run("npm", ["run", "format"]);
  run("npm", ["run", "check"], "inherit");
  checkServer();
  validate();
  for (const file of FILES) console.log(`${sumOf(file)}  ${file}`);
}

const changelog = readFileSync("CHANGELOG.md", "utf8").replaceAll("\r\n", "\n");
const reasons = [...problems(changelog)];
for (const reason of reasons) console.error(`release: ${reason}`);
if (reasons.length > 0) process.exit(1);
console.log(`vibe-mcp ${version}\n\n${unreleased(changelog)}\n`);
if (values.write) write(changelog);
else console.log("Nothing was written. With --write: version, changelog, every check, checksums.");
console.log(`Then, by hand:
  git commit -am "chore: release ${version}" && git tag v${version} && git push origin HEAD v${version}
  npm publish    # the first time; later in a workflow with id-token: write, with --provenance
  attach ${FILES.join(" and ")} with their checksums to the release of the tag
  mcp-publisher publish    # server.json; you must own the name in it`);
