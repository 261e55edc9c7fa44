import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { noTerminal, person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const FILES = { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" };

test("edit opens the editor on the file, and says what is wrong afterwards", { skip: noTerminal() }, (t) => {
  const { root, cwd, onTerminal } = person(t);
  writeFiles(root, FILES);
  const file = join(root, "p/tasks/001-a.md");
  const edit = (script: string) => {
    writeFileSync(join(cwd, "editor.sh"), script);
    const env = { VISUAL: "", EDITOR: "sh editor.sh --wait" };
    return onTerminal(["edit", "1", "--project", "p"], { env });
  };
  const unchanged = edit("exit 0");
  assert.deepEqual([unchanged.stdout, unchanged.status], ["p/tasks/001-a.md: unchanged\r\n", 0]);

  const saved = edit(`printf '\\n## Context\\n- Dependencies: 009\\n' >> "$2"`);
  assert.equal(saved.status, 1);
  assert.match(saved.stdout, /^p\/tasks\/001-a\.md: saved\r\nThere is no task 009\./);

  const broken = edit(`printf -- '---\\ntags: [\\n---\\n# Task: A\\n' > "$2"`);
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /frontmatter .*: /);
  assert.match(broken.stdout, /no known status/);
  assert.equal(readFileSync(file, "utf8"), "---\ntags: [\n---\n# Task: A\n");

  const failed = edit("exit 3");
  assert.equal(failed.status, 1);
  assert.match(failed.stdout, /The editor \(sh editor\.sh --wait\) failed\./);
});

test("edit without an editor names EDITOR; in a pipe it is refused", { skip: noTerminal() }, (t) => {
  const { root, inPipe, onTerminal } = person(t);
  writeFiles(root, FILES);
  const args = ["edit", "1", "--project", "p"];
  const none = onTerminal(args, { env: { VISUAL: "", EDITOR: "" } });
  assert.equal(none.status, 2);
  assertTells(none.stdout, ["no editor", "EDITOR"]);
  const piped = inPipe(args, { env: { EDITOR: "cat" } });
  assert.equal(piped.status, 2);
  assertTells(piped.stderr, ["terminal"]);
});
