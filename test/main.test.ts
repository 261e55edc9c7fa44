import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../src/cli/command-table.ts";
import { quoted } from "../src/core/lib/shell.ts";
import { placeBuilt, runner } from "./fixtures/built.ts";
import { ON_WINDOWS } from "./fixtures/disk.ts";
import { matchSnapshot } from "./fixtures/snapshot.ts";
import { temporaryFolder } from "./fixtures/workspace.ts";

test("--help and --version print help and version", (t) => {
  const { run } = runner(t);
  const help = run(["--help"]);
  assert.equal(help.status, 0);
  matchSnapshot("help.txt", help.stdout.replace(/^vibe-mcp \S+:/, "vibe-mcp VERSION:"));
  assert.equal(run(["-h"]).stdout, help.stdout);
  const ofSearch = run(["search", "--help"]);
  assert.match(ofSearch.stdout, /^Usage: vibe-mcp search <words…> \[options\]\n/);
  assert.equal(run(["help", "search"]).stdout, ofSearch.stdout);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  assert.equal(run(["--version"]).stdout, `${version}\n`);
});

test("a wrong command is one clear line, and exit code 2", (t) => {
  const { status, stdout, stderr } = runner(t).run(["serach", "x"]);
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^.*'serach'.* search x\n$/);
});

// Never the launcher for coverage, which fails by itself in these tests.
const BUILT = resolve("dist", "vibe-mcp.cjs");

test("help --all gives each command a line of 80 columns; the settings have their own page", (t) => {
  const { run } = runner(t);
  const lines = run(["help", "--all"]).stdout.trimEnd().split("\n");
  for (const { name, hidden } of COMMANDS)
    assert.equal(
      lines.some((line) => line.startsWith(`  ${name} `) && /\.$/.test(line)),
      !hidden,
      name,
    );
  for (const line of lines) assert.ok(line.length <= 80, line);
  const settings = run(["help", "settings"]).stdout;
  assert.equal(run(["--help", "settings"]).stdout, settings);
  for (const word of ["--root <folder>", "VIBE_ROOT", "--watch <mode>", "--port <number>", "VIBE_READ_TOKEN"])
    assert.ok(settings.includes(word), word);
  assert.match(settings, /^ {2}--db <file> {15}Where .* any\n {28}time\. /m);
  assert.equal(run(["settings"]).status, 2);
});

test("a full disk under stdout is a failure", { skip: !existsSync("/dev/full") }, (t) => {
  const full = openSync("/dev/full", "w");
  t.after(() => closeSync(full));
  for (const args of [["--help"], ["completion", "bash"]]) {
    const stdio = ["ignore", full, "pipe"] as const;
    const { status, stderr } = spawnSync(process.execPath, [BUILT, ...args], {
      stdio: [...stdio],
      encoding: "utf8",
    });
    assert.match(stderr, /^vibe-mcp: .*disk is full\n$/);
    assert.equal(status, 1);
  }
});

test("a deleted current folder is one clear line", { skip: ON_WINDOWS }, (t) => {
  const gone = join(temporaryFolder(t), "gone");
  mkdirSync(gone);
  const command = `rmdir "$PWD" && exec "${process.execPath}" "${BUILT}" projects`;
  const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: gone, encoding: "utf8" });
  assert.match(stderr, /^vibe-mcp: .*current folder.*\n$/);
  assert.equal(status, 2);
});

test("suggested commands start this program again in any folder, with the same root", (t) => {
  const { cwd } = runner(t);
  const folder = join(cwd, "my tools");
  mkdirSync(folder);
  placeBuilt(join(folder, "vibe-mcp.cjs"));
  const env = { HOME: cwd, USERPROFILE: cwd, PATH: process.env["PATH"] };
  const here = (...args: string[]) =>
    spawnSync(process.execPath, [join(folder, "vibe-mcp.cjs"), ...args], { cwd, env, encoding: "utf8" });
  const program = `node ${quoted(join(realpathSync(folder), "vibe-mcp.cjs").replaceAll("\\", "/"))}`;
  assert.ok(here("projects").stderr.includes(`Create one: ${program} init my-project.`));
  const { stderr } = here("search", "x", "--root", "my notes");
  assert.ok(
    stderr.includes(
      `Create one: ${program} --root ${quoted(join(realpathSync(cwd), "my notes"))} init my-project.`,
    ),
    stderr,
  );
  assert.ok(here("show").stderr.includes(`for example: ${program} show payments-api/status.md`));
  assert.ok(here("--foo", "--root", "n").stderr.includes(`See: ${program} --help`));
});

test("a root that is a file is one clear line, and exit code 2", (t) => {
  const { run, cwd } = runner(t);
  writeFileSync(join(cwd, "file"), "x");
  for (const [args, env, option] of [
    [["--root", "file"], {}, "--root"],
    [["search", "x"], { VIBE_ROOT: join("file", "below") }, "VIBE_ROOT"],
    [["--vault", "file"], {}, "--vault"],
  ] as const) {
    const { status, stdout, stderr } = run([...args], env);
    assert.deepEqual([status, stdout], [2, ""], option);
    assert.match(stderr, new RegExp(`^vibe-mcp: .*${option}.*folder.*file.*\\n$`));
  }
  assert.equal(readFileSync(join(cwd, "file"), "utf8"), "x");
});

test("without input the bare command ends at once and touches nothing", (t) => {
  const { run, cwd } = runner(t);
  const { status, stdout } = run([]);
  assert.equal(status, 0);
  assert.equal(stdout, "");
  assert.deepEqual(readdirSync(cwd), []);
});
