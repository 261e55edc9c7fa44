import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { builtFile, runner } from "./fixtures/built.ts";

test("every wrong flag or value is one clear line, and exit code 2", (t) => {
  const { run } = runner(t);
  const cases = [
    [["serach", "x"], {}, /no command 'serach'. Type: \S+ \S+ search x$/m],
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

test("the file runs beside a package.json of another package", (t) => {
  const file = builtFile(t);
  writeFileSync(join(file, "..", "package.json"), '{ "type": "module" }');
  assert.equal(spawnSync(process.execPath, [file, "--version"]).status, 0);
  rmSync(join(file, "..", "package.json"));
});
