import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { settingsOf } from "../../../src/cli/args.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { completionScript } from "../../../src/cli/commands/completion.ts";
import { builtFile } from "../../fixtures/built.ts";
import { runCommand } from "../../fixtures/command.ts";
import { matchSnapshot } from "../../fixtures/snapshot.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"];
const FILES = {
  "payments-api/tasks/004-add-login.md": "# Add login\n",
  "my notes/a.md": "x",
  "kiroku/tasks/001-保存.md": "x",
  "kiroku/tasks/notes.md": "x",
};

/** The values that the program offers to a shell. */
function completer(t: TestContext, inside?: string) {
  const [file, root] = [builtFile(t), makeWorkspace(t, FILES)];
  const cwd = inside === undefined ? temporaryFolder(t) : join(root, inside);
  return (word: string, ...before: string[]) => {
    const args = ["__complete", `--word=${word}`, "--", ...before];
    const env = { PATH: process.env["PATH"], HOME: temporaryFolder(t), VIBE_ROOT: root };
    const { stdout } = runCommand(file, args, { cwd, env });
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
  };
}

test("the program completes commands, options, values, projects and tasks from its table", (t) => {
  const ask = completer(t);
  assert.deepEqual(ask("s"), ["search", "show", "status", "sync", "stale", "serve"]);
  assert.ok(!ask("").includes("__complete"));
  assert.deepEqual(ask("--li", "search"), ["--limit"]);
  assert.deepEqual(ask("--pro", "search", "--project", "kiroku"), []);
  assert.deepEqual(ask("--ste", "new", "--step", "a"), ["--step"]);
  assert.deepEqual(ask("b", "tasks", "--status"), ["blocked"]);
  assert.deepEqual(ask("--st", "sync", "--status"), ["--stop"]);
  assert.deepEqual(ask("--status=b", "tasks"), ["--status=blocked"]);
  assert.deepEqual(ask("", "brief"), ["kiroku", "my notes", "payments-api"]);
  assert.deepEqual(ask("P", "search", "x", "--project"), ["payments-api"]);
  assert.deepEqual(ask("0", "status", "--project", "payments-api"), ["004"]);
  assert.deepEqual(ask("d", "status", "004"), ["done"]);
  assert.deepEqual(ask("", "completion"), SHELLS);
  for (const nothing of [ask("x", "nonsense"), ask("", "demo"), ask("", "search", "--tag")])
    assert.deepEqual(nothing, []);
});

test("tasks of the folder's project are offered by number, or by file if they have none", (t) => {
  assert.deepEqual(completer(t, "kiroku")("", "show"), ["001", "notes.md"]);
  assert.deepEqual(completer(t)("", "show"), []);
});

test("every option is offered, with its value or as a switch", (t) => {
  const ask = completer(t);
  const settings = settingsOf().map(({ flag }) => flag);
  for (const { name, options, hidden } of COMMANDS) {
    // Its own help says more about the same setting.
    for (const { flag } of options)
      assert.ok(
        ["project", "port", "token-file"].includes(flag) || !settings.includes(flag),
        `${flag} is a setting`,
      );
    if (hidden === true) continue;
    const own = options.map(({ flag }) => `--${flag}`);
    const taken = settingsOf(name).map(({ flag }) => `--${flag}`);
    assert.deepEqual(ask("-", name), [...new Set([...own, ...taken]), "--help"], name);
    assert.equal(taken.includes("--port"), name === "serve", name);
  }
});

test("the scripts match their snapshots", () => {
  for (const shell of SHELLS) matchSnapshot(`completion/${shell}.txt`, completionScript(shell));
});

/** The environment of a shell that finds `vibe-mcp` and the workspace. */
function onPath(t: TestContext): Record<string, string> {
  const [folder, root] = [temporaryFolder(t), makeWorkspace(t, FILES)];
  const program = join(folder, "vibe-mcp");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${builtFile(t)}" "$@"\n`);
  chmodSync(program, 0o755);
  const path = `${folder}${delimiter}${process.env["PATH"]}`;
  return { PATH: path, HOME: temporaryFolder(t), VIBE_ROOT: root, LC_ALL: "C.UTF-8" };
}

function missing(shell: string): string | false {
  return spawnSync(shell, ["--version"]).status === 0 ? false : `${shell} is not installed`;
}

test("bash completes with its script, quoting where it must", { skip: missing("bash") }, (t) => {
  const env = onPath(t);
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const code = `source <(vibe-mcp completion bash)
COMP_WORDS=(vibe-mcp ${list}); COMP_CWORD=${words.length}
_vibe_mcp vibe-mcp '${words.at(-1)}' x; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p vibe-mcp`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", code], { env, encoding: "utf8" });
    assert.equal(stderr, "");
    return stdout.trimEnd().split("\n");
  };
  const registered = "complete -o default -F _vibe_mcp vibe-mcp";
  assert.deepEqual(complete("tas"), ["tasks", registered]);
  assert.deepEqual(complete("brief", "my"), ["my\\ notes", registered]);
  assert.deepEqual(complete("status", "--project", "payments-api", ""), ["004", registered]);
});

for (const [shell, flag] of [
  ["zsh", "-n"],
  ["fish", "--no-execute"],
] as const) {
  test(`${shell} reads its script`, { skip: missing(shell) }, (t) => {
    const file = join(temporaryFolder(t), "script");
    writeFileSync(file, completionScript(shell));
    const { status, stderr } = spawnSync(shell, [flag, file], { encoding: "utf8" });
    assert.equal(stderr, "");
    assert.equal(status, 0);
  });
}

test("fish completes with its script", { skip: missing("fish") }, (t) => {
  const code = 'vibe-mcp completion fish | source; complete -C "vibe-mcp brief "; complete -C "vibe-mcp sta"';
  const { stdout } = spawnSync("fish", ["--no-config", "-c", code], { env: onPath(t), encoding: "utf8" });
  assert.deepEqual(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t")[0]),
    ["kiroku", "my notes", "payments-api", "stale", "status"],
  );
});
