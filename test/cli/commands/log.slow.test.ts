import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeVibeMcp } from "../../fixtures/vibe-mcp-project.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("log does not read a note from a terminal", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const { status, stdout } = someone.onScreen(["log", "-", "--project", "vibeMCP"]);
  assert.equal(status, 2);
  assert.match(stdout, /log needs text/);
});

test("log reads a note from a pipe, with or without a hyphen", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  for (const args of [["log"], ["log", "-"]]) {
    const { status, stderr } = someone.inPipe([...args, "--project", "vibeMCP"], {
      input: `piped ${args.length}\n`,
    });
    assert.equal(status, 0, stderr);
  }
  const { stdout } = someone.inPipe(["show", "vibeMCP/sessions/2025-02-10.md"]);
  assert.match(stdout, /piped 1\n[\s\S]*piped 2\n/);
});

test("log refuses an empty note, with an example", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  for (const words of [[], [" "], ["-"]]) {
    const { status, stderr } = someone.inPipe(["log", ...words, "--project", "p"], { input: " \n" });
    assert.equal(status, 2, words.join());
    assert.match(stderr, /^vibe-mcp: log needs text, .* vibe-mcp log "/);
  }
});

test("the example of log is read with its next step", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const example = COMMANDS.find(({ name }) => name === "log")?.example ?? "";
  const [, typed = ""] = /"([^"]+)"/.exec(example) ?? [];
  assert.equal(someone.inPipe(["log", typed, "--project", "p"]).status, 0);
  const { stdout } = someone.inPipe(["brief", "p"]);
  assert.match(stdout, /Continue .*last session/);
});
