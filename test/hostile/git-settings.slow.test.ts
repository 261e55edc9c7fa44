import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { person } from "../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const skip =
  (ON_WINDOWS && "made for a shell") || (spawnSync("git", ["--version"]).status !== 0 && "git is missing");

/** Notes in a repository whose settings start a program wherever git lets them. */
function planted(t: TestContext) {
  const someone = person(t);
  const proof = join(temporaryFolder(t), "ran");
  const program = join(temporaryFolder(t), "program");
  writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\n`, { mode: 0o755 });
  writeFiles(someone.root, {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    ".gitattributes": "*.md filter=planted diff=planted\n",
    ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n`,
  });
  spawnSync("git", ["init", "-q"], { cwd: someone.root });
  mkdirSync(join(someone.root, ".git/hooks"), { recursive: true });
  for (const hook of ["post-checkout", "pre-commit", "post-index-change", "reference-transaction"])
    writeFileSync(join(someone.root, ".git/hooks", hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const settings = [
    `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\teditor = ${program}\n\tsshCommand = ${program}\n\tattributesFile = ${program}`,
    `[alias]\n\tconfig = !${program}\n\tcheck-attr = !${program}`,
    `[filter "planted"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n\trequired = true`,
    `[diff "planted"]\n\ttextconv = ${program}\n\tcommand = ${program}`,
    `[pager]\n\tconfig = ${program}\n\tcheck-attr = true`,
  ];
  appendFileSync(join(someone.root, ".git/config"), `${settings.join("\n")}\n`);
  return { ...someone, proof };
}

test("the settings of a repository make doctor, new and merge --register run nothing", { skip }, (t) => {
  const { root, inPipe, proof } = planted(t);
  for (const words of [
    ["doctor"],
    ["doctor", "--fix"],
    ["new", "B", "--project", "p"],
    ["merge", "--register"],
    ["merge", "--remove"],
  ]) {
    inPipe(words);
    assert.ok(!existsSync(proof), words.join(" "));
  }
  const inside = inPipe(["init", "--in-repo", "--yes"], { cwd: root, env: { VIBE_ROOT: "" } });
  assert.deepEqual([inside.status, existsSync(proof)], [0, false], inside.stderr);
  assert.equal(
    readFileSync(join(root, ".gitattributes"), "utf8"),
    "*.md filter=planted diff=planted\n",
    "what --register added, --remove takes away",
  );
  spawnSync("git", ["status"], { cwd: root });
  assert.ok(existsSync(proof), "git itself runs them");
});

test("a pipe in place of .gitattributes does not hold doctor up", { skip }, (t) => {
  const { root, inPipe } = planted(t);
  rmSync(join(root, ".gitattributes"));
  spawnSync("mkfifo", [join(root, ".gitattributes")]);
  const { stdout, signal } = inPipe(["doctor"]);
  assert.equal(signal, null);
  assert.match(stdout, /1 project/);
});
