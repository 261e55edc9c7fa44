import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Shows what a release would do. With `--write` it writes the version and the changelog, lets code and pages name the package on
 * npm, runs every check and prints checksums. It publishes nothing: it only prints the commands for that.
 */
const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [version = ""] = positionals;
const HEADING = "## Unreleased\n";
const FILES = ["dist/vibe-mcp.cjs", "vibe-mcp.mcpb"];

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

function* problems(changelog: string): Generator<string> {
  const current = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
  if (!/^\d+\.\d+\.\d+$/.test(version)) return yield "name a version: npx tsx scripts/release.ts 0.2.0";
  if (version !== current && !isNewer(version, current)) yield `${version} is not newer than ${current}`;
  if (run("git", ["tag", "--list", `v${version}`]) !== "") yield `the tag v${version} already exists`;
  if (run("git", ["status", "--porcelain"]) !== "") yield "there are uncommitted changes";
  if (unreleased(changelog) === "") yield "CHANGELOG.md has no entries under Unreleased";
}

function write(changelog: string): void {
  run("npm", ["version", version, "--no-git-tag-version", "--allow-same-version", "--ignore-scripts"]);
  const server = readFileSync("server.json", "utf8");
  writeFileSync("server.json", server.replaceAll(/"version": "[^"]*"/g, `"version": "${version}"`));
  const published = readFileSync("src/config/published.ts", "utf8");
  writeFileSync("src/config/published.ts", published.replace(/= (?:true|false);/, "= true;"));
  run("npm", ["run", "docs"]);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync("CHANGELOG.md", changelog.replace(HEADING, `${HEADING}\n## ${version} - ${day}\n`));
  run("npm", ["run", "check"], "inherit");
  run("npm", ["run", "bundle"], "inherit");
  for (const file of FILES) {
    const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
    console.log(`${sum}  ${file}`);
  }
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
  npm publish
  attach ${FILES.join(" and ")} with their checksums to the release of the tag
  mcp-publisher publish    # server.json; you must own the name in it`);
