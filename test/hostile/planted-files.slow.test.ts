import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { writeFiles } from "../fixtures/workspace.ts";
import { contentOf, type Newcomer, newcomer } from "./newcomer.ts";

const skip = ON_WINDOWS && "Windows has no such files";

type Put = (file: string, someone: Newcomer, t: TestContext) => Promise<void> | void;

/** What may be there instead of a file, and would be read endlessly or not at all. */
const ENDLESS: Record<string, Put> = {
  "a named pipe": (file) => assert.equal(spawnSync("mkfifo", [file]).status, 0),
  "a folder": (file) => void mkdirSync(file),
  "a link to a device": (file) => symlinkSync("/dev/zero", file),
  "a link that leads in a circle": (file) => symlinkSync(file, file),
  "a file of terabytes": (file) => {
    writeFileSync(file, "");
    truncateSync(file, 1e12);
  },
  "a socket": async (file, _, t) => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(file, done));
    t.after(() => server.close());
  },
};

/** What would be written, but is not the repository's or the home's. */
const LINKS: Record<string, Put> = {
  "a link out of the folder": (file, { outside }) => symlinkSync(join(outside, "settings"), file),
  "a link to nothing": (file, { outside }) => symlinkSync(join(outside, "new"), file),
  "a link into .git": (file, { cwd }) => symlinkSync(join(cwd, ".git", "config"), file),
};

const REASON =
  /not a regular file|it is a folder|too large|in a circle|a link to '.*', (?:outside of|which (?:does not exist|belongs to git))/;

/** Runs a command that must end by itself. */
function ends(someone: Newcomer, ...args: string[]) {
  const result = someone.run(...args);
  assert.equal(result.signal, null, `${args.join(" ")} hangs`);
  assert.doesNotMatch(result.stderr, /unexpected error/);
  return result;
}

/** Someone in whose place a file is planted; what it leads to must stay. */
function victim(t: TestContext): Newcomer & { isUntouched(): void } {
  const someone = newcomer(t);
  writeFiles(someone.outside, { settings: "{}" });
  const isUntouched = () => {
    assert.deepEqual(contentOf(someone.outside), { settings: "{}" });
    assert.equal(readFileSync(join(someone.cwd, ".git", "config"), "utf8"), "[core]\n");
  };
  return { ...someone, isUntouched };
}

for (const [what, put] of someOf(Object.entries({ ...ENDLESS, ...LINKS }))) {
  test(`${what} instead of settings stops neither doctor nor connect, and both say so`, {
    skip,
  }, async (t) => {
    for (const [base, place, args] of [
      ["home", ".cursor/mcp.json", ["cursor"]],
      ["home", ".codex/config.toml", ["codex"]],
      ["cwd", ".mcp.json", ["claude-code", "--here"]],
    ] as const) {
      const someone = victim(t);
      const file = join(someone[base], place);
      mkdirSync(dirname(file), { recursive: true });
      await put(file, someone, t);
      for (const option of ["--yes", "--remove"]) {
        const { status, stderr } = ends(someone, "connect", ...args, option);
        assert.equal(status, 1);
        assert.match(stderr, REASON);
      }
      mkdirSync(join(someone.home, ".claude"));
      const { findings } = JSON.parse(ends(someone, "doctor", "--json").stdout);
      const [problem] = findings
        .filter(({ check }: { check: string }) => check === "clients")
        .filter(({ state }: { state: string }) => state === "problem");
      assert.match(problem.message, REASON);
      someone.isUntouched();
    }
  });

  test(`${what} instead of AGENTS.md, .git or a backup stops no command`, { skip }, async (t) => {
    const someone = victim(t);
    const { cwd } = someone;
    await put(join(cwd, "CLAUDE.md"), someone, t);
    await put(join(cwd, "AGENTS.md"), someone, t);
    const { status, stderr } = ends(someone, "init", "shop", "--link");
    assert.equal(status, 1);
    assert.match(stderr, REASON);
    for (const args of [["brief"], ["tasks"], ["doctor"]]) ends(someone, ...args);
    writeFiles(cwd, { ".mcp.json": '{"mine": 1}\n' });
    await put(join(cwd, ".mcp.json.bak"), someone, t);
    assert.equal(ends(someone, "connect", "claude-code", "--here", "--yes").status, 0);
    assert.equal(ends(someone, "connect", "claude-code", "--here", "--remove", "--yes").status, 0);
    someone.isUntouched();
    rmSync(join(cwd, ".git"), { recursive: true });
    await put(join(cwd, ".git"), someone, t);
    ends(someone, "brief");
  });
}

for (const [what, put] of someOf(Object.entries(ENDLESS))) {
  test(`${what} instead of the token file of serve is refused at the start`, { skip }, async (t) => {
    const someone = newcomer(t);
    const file = join(someone.cwd, "tokens");
    await put(file, someone, t);
    const { status, stderr } = ends(someone, "serve", "--port", "0", "--token-file", file);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /tokens cannot be read: (?:it is|its links)/);
  });
}
