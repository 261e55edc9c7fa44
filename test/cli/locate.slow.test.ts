import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { person } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const TASK = "# Task: Add login\n\nStatus: pending\n\n## Steps\n1. [ ] Form\n";
const PATH = "shop/tasks/003-add-login.md";

/** A workspace of two projects, seen from a folder that belongs to neither. */
function shopper(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, { [PATH]: TASK, "shop/plans/execution-plan.md": "# Plan\n", "other/a.md": "x" });
  return someone;
}

/** The names of the task that the program prints itself. */
const namesOf = (root: string) => [
  PATH,
  `./${PATH}`,
  join(root, ...PATH.split("/")),
  `vibe://projects/${PATH}`,
  `${PATH}#steps`,
];

for (const words of [
  ["show", "{}"],
  ["status", "{}", "in-progress"],
  ["claim", "{}"],
  ["tick", "{}", "1"],
  ["assign", "{}", "ana"],
  ["priority", "{}", "high"],
  ["due", "{}", "tomorrow"],
  ["move", "{}", "new-name", "--dry-run"],
  ["archive", "{}", "--dry-run"],
  ["delete", "{}", "--yes"],
]) {
  test(`${words[0]} takes a task by every path that is printed, wherever it is typed`, (t) => {
    for (const at of namesOf("").keys()) {
      const { root, inPipe } = shopper(t);
      const name = namesOf(root)[at] ?? "";
      const { status, stderr } = inPipe(words.map((word) => word.replace("{}", name)));
      // Only an open task is to be archived; what counts is that it was found.
      const isFound =
        words[0] === "archive" ? /003-add-login|is not done|pending/.test(stderr) : status === 0;
      assert.ok(isFound, `${words[0]} ${name}: ${stderr}`);
    }
  });
}

test("a place to move to may be an absolute path or an address, too", (t) => {
  for (const place of ["shop/references/x.md", "vibe://projects/shop/references/x.md", "absolute"]) {
    const { root, inPipe } = shopper(t);
    const typed = place === "absolute" ? join(root, "shop", "references", "x.md") : place;
    const { stdout } = inPipe(["move", PATH, typed, "--yes", "--json"]);
    assert.equal(JSON.parse(stdout).path, "shop/references/x.md");
  }
});

test("the plan is found by its path", (t) => {
  const { root, inPipe } = shopper(t);
  const path = "shop/plans/execution-plan.md";
  for (const file of [path, "plans/execution-plan.md", "execution-plan", join(root, ...path.split("/"))])
    assert.equal(JSON.parse(inPipe(["plan", "shop", "--file", file, "--json"]).stdout).path, path, file);
});

test("a heading after a path is the section to show", (t) => {
  const { inPipe } = shopper(t);
  assert.equal(inPipe(["show", `${PATH}#steps`]).stdout, inPipe(["show", PATH, "--section", "Steps"]).stdout);
});

test("a folder with its project's name is a folder", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/p/a.md": "inner\n", "p/a.md": "outer\n" });
  assert.equal(someone.inPipe(["show", "p/a.md", "--project", "p"]).stdout, "inner\n");
  assert.equal(someone.inPipe(["show", "p/p/a.md"]).stdout, "inner\n");
});

test("a path outside of the workspace is not found, and other addresses are refused", (t) => {
  const { cwd, inPipe } = shopper(t);
  for (const name of [join(cwd, "x.md"), pathToFileURL(cwd).href, "vibe://other/x", "vibe://projects/shop"]) {
    const { status, stderr } = inPipe(["status", name, "done"]);
    assert.equal(status, 1, name);
    assert.doesNotMatch(stderr, /unexpected/, name);
  }
});

test("tasks of two projects are not archived at once", (t) => {
  const { status, stderr } = shopper(t).inPipe(["archive", PATH, "other/tasks/001-x.md"]);
  assert.equal(status, 2);
  assert.match(stderr, /shop.*other/);
});

test("a project or folder may end with a slash", (t) => {
  const { inPipe } = shopper(t);
  for (const words of [
    ["projects", "shop/", "--folder", "tasks/"],
    ["tasks", "shop/"],
    ["search", "login", "--project", "shop/", "--folder", "tasks/"],
  ])
    assert.match(inPipe(words).stdout, /003-add-login/, words.join(" "));
});
