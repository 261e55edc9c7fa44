import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { writeFiles } from "../fixtures/workspace.ts";
import { type Newcomer, newcomer } from "./newcomer.ts";

const skip = ON_WINDOWS && "Windows has no such files";

/** What may be there instead of a file, and would be read endlessly or not at all. */
const THINGS: Record<string, (file: string, t: TestContext) => Promise<void> | void> = {
  "a named pipe": (file) => assert.equal(spawnSync("mkfifo", [file]).status, 0),
  "a folder": (file) => void mkdirSync(file),
  "a link to a device": (file) => symlinkSync("/dev/zero", file),
  "a link that leads in a circle": (file) => symlinkSync(file, file),
  "a file of terabytes": (file) => {
    writeFileSync(file, "");
    truncateSync(file, 1e12);
  },
  "a socket": async (file, t) => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(file, done));
    t.after(() => server.close());
  },
};

const REASON =
  /not a regular file|it is a folder|too large|in a circle|leads through a link to '\/dev\/zero', outside of/;

/** Runs a command that must end by itself. */
function ends(someone: Newcomer, ...args: string[]) {
  const result = someone.run(...args);
  assert.equal(result.signal, null, `${args.join(" ")} hangs`);
  assert.doesNotMatch(result.stderr, /unexpected error/);
  return result;
}

for (const [what, put] of someOf(Object.entries(THINGS))) {
  test(`${what} instead of settings stops neither doctor nor connect, and both say so`, {
    skip,
  }, async (t) => {
    for (const [base, place, args] of [
      ["home", ".cursor/mcp.json", ["cursor"]],
      ["home", ".codex/config.toml", ["codex"]],
      ["cwd", ".mcp.json", ["claude-code", "--here"]],
    ] as const) {
      const someone = newcomer(t);
      const file = join(someone[base], place);
      mkdirSync(dirname(file), { recursive: true });
      await put(file, t);
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
    }
  });

  test(`${what} instead of AGENTS.md, .git or a backup stops no command`, { skip }, async (t) => {
    const someone = newcomer(t);
    const { cwd } = someone;
    await put(join(cwd, "CLAUDE.md"), t);
    await put(join(cwd, "AGENTS.md"), t);
    const { status, stderr } = ends(someone, "init", "shop", "--link");
    assert.equal(status, 1);
    assert.match(stderr, REASON);
    for (const args of [["brief"], ["tasks"], ["doctor"]]) ends(someone, ...args);
    writeFiles(cwd, { ".mcp.json": '{"mine": 1}\n' });
    await put(join(cwd, ".mcp.json.bak"), t);
    assert.equal(ends(someone, "connect", "claude-code", "--here", "--yes").status, 0);
    assert.equal(ends(someone, "connect", "claude-code", "--here", "--remove", "--yes").status, 0);
    rmSync(join(cwd, ".git"), { recursive: true });
    await put(join(cwd, ".git"), t);
    ends(someone, "brief");
  });

  test(`${what} instead of the token file of serve is refused at the start`, { skip }, async (t) => {
    const someone = newcomer(t);
    const file = join(someone.cwd, "tokens");
    await put(file, t);
    const { status, stderr } = ends(someone, "serve", "--port", "0", "--token-file", file);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /tokens cannot be read: (?:it is|its links)/);
  });
}
