import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const FILES = { "p/plans/old.md": "\uFEFF# Old\r\n", "p/status.md": "x\n[[old]]\n" };

test("delete lists the links that break, deletes when told to, and undo brings it back", (t) => {
  const { root, inPipe } = person(t);
  writeFiles(root, FILES);
  const file = join(root, "p/plans/old.md");
  const dashed = inPipe(["delete", "--root", ".", "--", "p/plans/old.md"], { cwd: root });
  assert.match(dashed.stdout, / delete --root (?!\. )\S+ --yes -- p\/plans\/old\.md\n$/);
  const shown = inPipe(["delete", "p/plans/old.md"]);
  assert.equal(shown.status, 1);
  assert.match(
    shown.stdout,
    /^1 link will lead nowhere:\np\/status\.md:2 {2}\[\[old\]\]\n\nNothing deleted\. To delete it: .*delete p\/plans\/old\.md --yes\n$/,
  );
  assert.equal(existsSync(file), true);
  const deleted = inPipe(["delete", "p/plans/old.md", "--yes"]);
  assert.match(deleted.stdout, /Deleted p\/plans\/old\.md\. .*: .* undo [0-9a-f]{12}(?: --root .*)?\n$/);
  assert.equal(existsSync(file), false);
  assert.equal(inPipe(["undo", "--project", "p", "--yes"]).status, 0);
  assert.equal(readFileSync(file, "utf8"), FILES["p/plans/old.md"]);
  assert.match(inPipe(["delete", "p/no.md", "--yes"]).stderr, /not found/);
});

test("delete asks on a terminal", (t) => {
  const { root, onScreen } = person(t);
  writeFiles(root, FILES);
  onScreen(["delete", "p/plans/old.md"], {
    answer: ["Delete p/plans/old.md? It can be undone. [y/N]", "n\n"],
  });
  assert.equal(existsSync(join(root, "p/plans/old.md")), true);
});
