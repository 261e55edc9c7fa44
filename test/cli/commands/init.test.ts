import assert from "node:assert/strict";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findProjectMarker, setProjectMarker } from "../../../src/notes/project-marker.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { noTerminal, person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const QUESTION = "[y/N] ";

function repository(t: TestContext, files: Record<string, string>) {
  const someone = person(t);
  writeFiles(someone.cwd, { ".git/HEAD": "", "src/": "", ...files });
  return { ...someone, text: (name: string) => readFileSync(join(someone.cwd, name), "utf8") };
}

test("init creates a project, and writes no link without a yes", (t) => {
  const { inPipe, cwd, root } = repository(t, {});
  const { status, stdout } = inPipe(["init", "my-api"]);
  assert.equal(status, 0);
  assert.ok(existsSync(join(root, "my-api", "status.md")));
  assert.match(stdout, /Link this folder to it: vibe-mcp init my-api --link\n/);
  assert.ok(!existsSync(join(cwd, "AGENTS.md")));
});

test("on a terminal init asks, and only yes writes the line", { skip: noTerminal() }, (t) => {
  const { onTerminal, inPipe, text, cwd } = repository(t, { "CLAUDE.md": "# Notes\n" });
  const no = onTerminal(["init", "one"], { answer: [QUESTION, "\n"] });
  assert.match(no.stdout, /Write `vibe: one` into CLAUDE\.md, so that agents find the project\?/);
  assert.equal(text("CLAUDE.md"), "# Notes\n");
  const yes = onTerminal(["init", "two"], { answer: [QUESTION, "y\n"], cwd: join(cwd, "src") });
  assert.equal(yes.status, 0, yes.stdout);
  assert.equal(text("CLAUDE.md"), "# Notes\n\nvibe: two\n");
  assert.match(inPipe(["brief"], { cwd: join(cwd, "src") }).stdout, /^# Session Start: two\n/);
});

test("--link writes the line into the existing file, even for an existing project", (t) => {
  const { inPipe, text, cwd } = repository(t, {
    "AGENTS.md": "# A\r\nvibe: old\r\nmore",
    "CLAUDE.md": "@AGENTS.md",
  });
  assert.equal(inPipe(["init", "old"]).status, 0);
  assert.equal(inPipe(["init", "my-api"]).status, 0);
  const linked = inPipe(["init", "MY-API", "--link"]);
  assert.equal(linked.status, 0, linked.stderr);
  assert.match(linked.stdout, /Wrote `vibe: my-api` into AGENTS\.md, replacing `vibe: old`/);
  assert.equal(text("AGENTS.md"), "# A\r\nvibe: my-api\r\nmore");
  assert.equal(text("CLAUDE.md"), "@AGENTS.md");
  assert.match(inPipe(["init", "my-api", "--link"], { cwd: join(cwd, "src") }).stdout, /names it already/);
  const { linked: file } = JSON.parse(inPipe(["init", "old", "--link", "--json"]).stdout) as {
    linked: string;
  };
  assert.equal(file, "AGENTS.md");
});

test("--link creates AGENTS.md at the top of the repository if there is no file yet", (t) => {
  const { inPipe, text, cwd } = repository(t, {});
  assert.equal(inPipe(["init", "my-api", "--link"], { cwd: join(cwd, "src") }).status, 0);
  assert.equal(text("AGENTS.md"), "vibe: my-api\n");
});

test("a symbolic link stays, and a file that is not UTF-8 is unchanged", { skip: ON_WINDOWS }, (t) => {
  const { inPipe, text, cwd } = repository(t, { "AGENTS.md": "# A\n" });
  symlinkSync("AGENTS.md", join(cwd, "CLAUDE.md"));
  assert.equal(inPipe(["init", "a", "--link"]).status, 0);
  assert.ok(lstatSync(join(cwd, "CLAUDE.md")).isSymbolicLink());
  assert.equal(text("AGENTS.md"), "# A\n\nvibe: a\n");
  const bytes = Buffer.from([0x23, 0xff, 0x0a]);
  writeFileSync(join(cwd, "AGENTS.md"), bytes);
  const refused = inPipe(["init", "a", "--link"]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /not valid UTF-8\. Add the line yourself: vibe: a/);
  assert.deepEqual(readFileSync(join(cwd, "AGENTS.md")), bytes);
});

test("the line is found in any notation, but not in code", () => {
  for (const line of [
    "vibe: a b",
    "- vibe: a b",
    "**vibe:** `a b`",
    "<!-- vibe: a b -->",
    "Vibe:  a b  ",
    "> vibe: a b",
  ])
    assert.equal(findProjectMarker(`x\n${line}\ny`)?.name, "a b", line);
  for (const text of ["", "vibe:", "vibes: a", "the vibe: a", "```\nvibe: a\n```", "    vibe: a"])
    assert.equal(findProjectMarker(text), null, text);
});

test("a line that was set is found again, and all else stays", () => {
  for (const text of ["", "# A", "# A\n", "# A\r\n", "a\nvibe: old\nb", "\uFEFF# A\n"]) {
    const after = setProjectMarker(text, "new");
    assert.equal(findProjectMarker(after)?.name, "new");
    assert.equal(setProjectMarker(after, "new"), after);
    if (!text.includes("old")) assert.ok(after.startsWith(text));
  }
});

test("inside the workspace, where the folder itself names the project, --link writes nothing", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const cwd = join(someone.root, "p");
  const { status, stderr } = someone.inPipe(["init", "q", "--link"], { cwd });
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(cwd), ["a.md"]);
});
