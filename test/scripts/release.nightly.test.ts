import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { OPTIONS, type Option } from "../../src/core/config/options.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const CHANGELOG =
  "# Changelog\n\n## 0.2.0 - Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n";

/** A repository whose checks pass at once. */
function repository(t: TestContext) {
  const folder = temporaryFolder(t);
  const file = (name: string) => join(folder, name);
  copyFileSync("server.json", file("server.json"));
  const names = ["check", "plugins", "docs", "format"];
  const scripts = Object.fromEntries(names.map((name) => [name, "node --version"]));
  writeFileSync(file("package.json"), JSON.stringify({ name: "vibe-mcp", version: "0.1.0", scripts }));
  writeFileSync(file("CHANGELOG.md"), CHANGELOG);
  writeFileSync(file(".gitignore"), "dist\n*.mcpb\n");
  mkdirSync(file("src/core/config"), { recursive: true });
  copyFileSync("src/core/config/published.ts", file("src/core/config/published.ts"));
  mkdirSync(file("dist/plugins"), { recursive: true });
  for (const name of ["dist/vibe-mcp.cjs", "dist/plugins/vibe-mcp.mcpb"]) writeFileSync(file(name), name);
  const git = (...args: string[]) => spawnSync("git", args, { cwd: folder, encoding: "utf8" }).stdout;
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message", "x");
  const release = (...args: string[]) => {
    const line = ["--import", import.meta.resolve("tsx"), resolve("scripts", "release.ts"), ...args];
    // No registry is asked.
    const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
    return spawnSync(process.execPath, line, { cwd: folder, encoding: "utf8", env });
  };
  const schema = (more: object) => {
    const definitions = { Name: { type: "string", pattern: "^[^/]+/[^/]+$" } };
    const text = JSON.stringify({ $id: json("server.json").$schema, definitions, ...more });
    writeFileSync(file("dist/schema.json"), text);
    return file("dist/schema.json");
  };
  return { file, git, release, schema };
}

test("a release is only shown without --write, and with it version, changelog and checksums are written", (t) => {
  const { file, git, release, schema } = repository(t);
  const properties = { name: { $ref: "#/definitions/Name" } };
  const shown = release("0.2.0", "--schema", schema({ properties, required: ["name", "version"] }));
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /^vibe-mcp 0\.2\.0\n\n### Added\n\n- A thing\.\n\nNothing was written/);
  assert.equal(git("status", "--porcelain"), "");
  const done = release("0.2.0", "--write");
  assert.equal(done.status, 0, done.stderr);
  const sum = (name: string) => createHash("sha256").update(name).digest("hex");
  assert.ok(done.stdout.includes(`${sum("dist/vibe-mcp.cjs")}  dist/vibe-mcp.cjs`));
  assert.match(done.stdout, /^(?:ok|left out, not in PATH): mcpb validate /m);
  assert.match(done.stdout, /^left out, no --schema: server\.json/m);
  const server = json(file("server.json"));
  const versions = [json(file("package.json")).version, server.version, server.packages[0].version];
  assert.deepEqual(versions, ["0.2.0", "0.2.0", "0.2.0"]);
  const { identifier, fileSha256 } = server.packages[1];
  assert.match(identifier, /\/v0\.2\.0\/vibe-mcp\.mcpb$/);
  assert.equal(fileSha256, sum("dist/plugins/vibe-mcp.mcpb"));
  assert.match(
    readFileSync(file("CHANGELOG.md"), "utf8"),
    /## Unreleased\n\n## 0\.2\.0 - [\d-]{10}\n\n### Added/,
  );
  assert.match(readFileSync(file("src/core/config/published.ts"), "utf8"), /IS_PUBLISHED: boolean = true;/);
  assert.equal(git("tag"), "");
});

test("a release that cannot be made is refused with the reasons", (t) => {
  const { file, git, release, schema } = repository(t);
  assert.match(release().stderr, /name a version/);
  git("tag", "v0.0.9");
  writeFileSync(file("CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- x\n");
  const other = schema({ $id: "https://example.com/other" });
  const { status, stderr } = release("0.0.9", "--write", "--schema", other);
  assert.equal(status, 1);
  assert.deepEqual(stderr.replaceAll("release: ", "").split("\n"), [
    "0.0.9 is not newer than 0.1.0",
    "the tag v0.0.9 already exists",
    "there are uncommitted changes",
    "CHANGELOG.md has no entries under Unreleased",
    `${other} is not ${json("server.json").$schema}`,
    "",
  ]);
  const strict = schema({ properties: { packages: { maxItems: 0 } } });
  assert.match(release("0.2.0", "--schema", strict).stderr, /server\.json does not fit .*packages/);
});

test("server.json agrees with package.json and with the settings", () => {
  const [server, manifest] = [json("server.json"), json("package.json")];
  const [npm] = server.packages;
  assert.deepEqual([server.name, npm.identifier], [manifest.mcpName, manifest.name]);
  assert.deepEqual([server.version, npm.version], [manifest.version, manifest.version]);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.description.length <= 100);
  const known = Object.values<Option>(OPTIONS);
  for (const { name, description, default: fallback } of npm.environmentVariables) {
    const option = known.find(({ variable }) => variable === name);
    assert.deepEqual([description, fallback], [option?.help, option?.fallback], name);
  }
});
