import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { COMMANDS } from "../src/cli/command-table.ts";
import { quoted } from "../src/lib/shell.ts";
import { builtFile, placeBuilt } from "./fixtures/built.ts";
import { ON_WINDOWS } from "./fixtures/disk.ts";
import { matchSnapshot } from "./fixtures/snapshot.ts";
import { temporaryFolder } from "./fixtures/workspace.ts";

type Run = (args: string[], env?: Record<string, string>) => SpawnSyncReturns<string>;

/** Runs the built file in an empty folder with an empty home. */
function runner(t: TestContext): { run: Run; cwd: string } {
  const file = builtFile(t);
  const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
  const run: Run = (args, env = {}) =>
    spawnSync(process.execPath, [file, ...args], {
      cwd,
      env: { HOME: home, USERPROFILE: home, PATH: process.env["PATH"], TZ: "UTC", ...env },
      encoding: "utf8",
      input: "",
    });
  return { run, cwd };
}

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

test("a wrong command, flag or value is one clear line, and exit code 2", (t) => {
  const { run } = runner(t);
  const cases = [
    [["serach", "x"], {}, /no command 'serach'. Did you mean 'search'\?/],
    [["--rot", "x"], {}, /--rot.*--help/],
    [["--root"], {}, /--root/],
    [["--root="], {}, /--root must be a path/],
    [["--boost", "2"], {}, /--boost must be a number from 0 to 1, not "2"/],
    [[], { VIBE_READ_ONLY: "perhaps" }, /VIBE_READ_ONLY must be true or false/],
    [[], { VIBE_LOG_LEVEL: "loud" }, /VIBE_LOG_LEVEL must be one of/],
    [[], { VIBE_API: "v3" }, /VIBE_API must be one of v2, v1, not "v3"/],
    [["--api", "v1", "--tools", "create_task"], {}, /--tools knows no "create_task".*tool_create_task/],
    [["search"], {}, /needs words/],
    [["search", "x", "--db", "notes/a.md"], {}, /names a Markdown file/],
    [["search", "x", "--limit", "0"], {}, /--limit must be a whole number/],
    [["serve", "now"], {}, /unexpected argument 'now': \S+ \S+ serve$/m],
    [["serve", "--port", "x"], {}, /--port must be a whole number/],
    [["serve", "--host", "0.0.0.0"], {}, /no token protects it.*VIBE_AUTH_TOKEN/],
    [
      ["serve", "--host", "192.0.2.1"],
      { VIBE_AUTH_TOKEN: "x".repeat(40) },
      /this machine has no such address/,
    ],
    [["serve"], { VIBE_AUTH_TOKEN: "short" }, /VIBE_AUTH_TOKEN holds a token of 5 bytes/],
    [["serve", "--token-file", "nowhere"], {}, /cannot be read: it does not exist/],
  ] as const;
  for (const [args, env, message] of cases) {
    const { status, stdout, stderr } = run([...args], env);
    assert.equal(status, 2, args.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
  }
});

// Never the launcher for coverage, which fails by itself in these tests.
const BUILT = resolve("dist", "vibe-mcp.cjs");

test("--help gives each command a line of 80 columns; the settings have their own page", (t) => {
  const { run } = runner(t);
  const lines = run(["--help"]).stdout.trimEnd().split("\n");
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

test("the file runs beside a package.json of another package", (t) => {
  const file = builtFile(t);
  writeFileSync(join(file, "..", "package.json"), '{ "type": "module" }');
  assert.equal(spawnSync(process.execPath, [file, "--version"]).status, 0);
  rmSync(join(file, "..", "package.json"));
});
