import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { progressLine } from "../../src/cli/terminal.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { assertTells } from "../fixtures/tells.ts";
import { noTerminal, person } from "../fixtures/terminal.ts";
import { writeVibeMcp } from "../fixtures/vibe-mcp-project.ts";
import { writeFiles } from "../fixtures/workspace.ts";

test("NO_COLOR and a terminal without colours get no colours", { skip: noTerminal() }, (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  assert.ok(someone.onTerminal(["tasks"]).stdout.includes("\x1b["));
  for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    const { stdout } = someone.onTerminal(["tasks"], { env: env as Record<string, string> });
    assert.ok(!stdout.includes("\x1b["));
  }
});

test("long work is one line on a terminal, gone when it is done, and nothing in a pipe or with --json", () => {
  for (const [isTTY, json] of [[true], [false], [true, true]]) {
    const written: string[] = [];
    const terminal = { stderr: { isTTY, write: (text: string) => written.push(text) } };
    const options = new Map(json ? [["json", true]] : []);
    const [show, quick] = [0, 60_000].map((silent) => progressLine({ options, terminal } as never, silent));
    for (const done of [0, 3400, 10_000, 10_000]) for (const line of [show, quick]) line?.(done, 10_000);
    const lines = ["0", "3,400"].map((done) => `\r\x1b[KIndexing ${done} of 10,000 notes`);
    assert.deepEqual(written, isTTY && !json ? [...lines, "\r\x1b[K"] : []);
  }
});

test("on a terminal, too, a command without its words says what it needs, with an example", {
  skip: noTerminal(),
}, (t) => {
  for (const command of ["show", "tick", "edit", "status"]) {
    const { status, stdout } = person(t).onTerminal([command]);
    assert.equal(status, 2);
    assert.match(stdout, /^vibe-mcp: \w+ needs a [\s\S]*, for example:\s+vibe-mcp /);
  }
});

test("with --json a failure is the envelope of the tools, and a line for people on stderr", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const { status, stdout, stderr } = someone.inPipe(["brief", "vibeMPC", "--json"]);
  assert.equal(status, 1);
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Record<string, unknown> };
  assert.equal(success, false);
  assert.equal(error["code"], "PROJECT_NOT_FOUND");
  assert.deepEqual((error["details"] as { suggestions: string[] }).suggestions, ["vibeMCP"]);
  assert.match(stderr, /^vibe-mcp: .*Did you mean: vibeMCP\?/);
});

test("with --json a usage error is JSON too", (t) => {
  const { status, stdout, stderr } = person(t).inPipe(["status", "1", "soon", "--json"]);
  assert.equal(status, 2);
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Record<string, unknown> };
  assert.deepEqual([success, error["code"]], [false, "INVALID_ARGUMENT"]);
  assert.match(stderr, /^vibe-mcp: 'soon' .*pending, /);
});

test("an error suggests a command, and leaves names that look like a tool alone", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "list_tasks/notes.md": "x", "my p/notes.md": "x" });
  const failure = (...words: string[]) => someone.inPipe(words).stderr;
  assertTells(failure("show", "9", "--project", "list_tasks"), [
    "vibe-mcp",
    "'9' not found",
    "'list_tasks'",
    "`vibe-mcp tasks list_tasks`",
  ]);
  assertTells(failure("show", "my p/read_doc.md"), [
    "vibe-mcp",
    "'read_doc.md' not found",
    "'my p'",
    '`vibe-mcp projects "my p"`',
  ]);
});

test("with --json an error says the same as on stderr", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/notes.md": "x", "p/tasks/001-x.md": "# X\n\nStatus: pending\n" });
  for (const words of [
    ["show", "9", "--project", "p"],
    ["tick", "1", "1", "--project", "p"],
    ["move", "p/notes.md", "p/tasks/001-x.md"],
  ]) {
    const { stdout, stderr } = someone.inPipe([...words, "--json"]);
    const { error } = JSON.parse(stdout) as { error: { message: string } };
    assert.equal(stderr, `vibe-mcp: ${error.message}\n`);
    assert.match(stderr, /`vibe-mcp (?:tasks|edit)/);
  }
});

test("what people read names no tools", () => {
  const names = allTools.map(({ name }) => name).filter((name) => name.includes("_"));
  // Of the briefing, the block in AGENTS.md and the habits, agents are the readers.
  const forAgents = /^src[\\/]core[\\/](?:workspace[\\/]briefing|notes[\\/]project[\\/](?:block|habits))/;
  const naming = ["core/markdown", "core/notes", "core/storage", "core/workspace", "cli"].flatMap((room) =>
    readdirSync(join("src", room), { recursive: true, encoding: "utf8" })
      .map((name) => join("src", room, name))
      .filter((file) => file.endsWith(".ts") && !forAgents.test(file))
      .flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          // The history records the tool whose work a command does.
          .map((line) => line.replace(/^\s*(?:\*|\/).*|\/\/.*|\btool(?::| ===) "\w+"/g, ""))
          .filter((line) => names.some((name) => new RegExp(`\\b${name}\\b`).test(line)))
          .map((line) => `${file}: ${line.trim()}`),
      ),
  );
  assert.deepEqual(naming, []);
});

test("on a terminal messages break between words, and a command to type stays on its line", {
  skip: noTerminal(),
}, (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/認証.md": "axolotl\n" });
  const lines = (...words: string[]) =>
    someone.onTerminal(words, { columns: 30, env: { NO_COLOR: "1" } }).stdout.replaceAll("\r", "");
  assert.equal(
    lines("show", "9", "--project", "p"),
    "vibe-mcp: Task '9' not found\n  in project 'p'. Run\n  `vibe-mcp tasks p` to see\n  its tasks.\n",
  );
  assert.match(lines("search", "axolotl"), /\nRead one:\n {2}vibe-mcp show p\/認証\.md\n$/);
});
