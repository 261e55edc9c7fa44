import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { someOf } from "../fixtures/num-runs.ts";
import {
  NOTE_PATH,
  noteSpellings,
  PROJECT,
  SPELLED_FILES,
  TASK_PATH,
  taskSpellings,
} from "../fixtures/spellings.ts";
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
    for (const at of someOf([...namesOf("").keys()])) {
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

test("a path that may or may not begin with its project is not guessed", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/p/a.md": "inner\n", "p/a.md": "outer\n" });
  assert.match(someone.inPipe(["show", "p/a.md", "--project", "p"]).stderr, /p\/a\.md'?, '?p\/p\/a\.md/);
  assert.equal(someone.inPipe(["show", "p/a.md"]).stdout, "outer\n");
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

for (const [what, spellings, path] of [
  ["document", noteSpellings, NOTE_PATH],
  ["task", taskSpellings, TASK_PATH],
] as const)
  test(`show, history and move find a ${what} by every spelling of its name`, (t) => {
    const someone = person(t);
    const { root } = someone;
    writeFiles(root, SPELLED_FILES);
    const env = { VIBE_PROJECT: PROJECT };
    const answer = (...args: string[]) =>
      JSON.parse(someone.inPipe([...args, "--json"], { env }).stdout || "{}");
    someone.inPipe(["move", path, "new-name", "--yes"], { env });
    someone.inPipe(["undo", "--yes"], { env });
    for (const name of someOf(spellings(root))) {
      assert.equal(answer("show", name).path, path, name);
      assert.equal(answer("move", name, "new-name", "--dry-run").previous_path, path, name);
      assert.equal(answer("history", name).versions?.[0]?.path, path, name);
    }
  });

test("commands on tasks and completion find a project and its tasks by every spelling", (t) => {
  const someone = person(t);
  writeFiles(someone.root, SPELLED_FILES);
  const env = { VIBE_PROJECT: PROJECT };
  for (const name of someOf(taskSpellings(someone.root)))
    for (const words of [
      ["status", name, "in-progress"],
      ["tick", name, "1"],
    ]) {
      const { stdout, stderr } = someone.inPipe([...words, "--json"], { env });
      assert.equal(JSON.parse(stdout || "{}").task?.path, TASK_PATH, `${words.join(" ")}: ${stderr}`);
    }
  const project = PROJECT.normalize("NFC").toLowerCase();
  const typed = ["__complete", "--word=", "--", "show", "--project", project];
  assert.match(someone.inPipe(typed).stdout, /^003\t/m);
});

test("doctor names folders that are spelled otherwise, and entries that are alike", (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/Tasks/001-a.md": "# Task: A\n\nStatus: done\n",
    "p/Ref/a.md": "a",
    "p/ref/b.md": "b",
  });
  const { stdout } = someone.inPipe(["doctor"]);
  assert.match(stdout, /p\/Tasks: read and written like/);
  if (readdirSync(join(someone.root, "p")).length === 3) assert.match(stdout, /p\/Ref, p\/ref differ only/);
});

test("names of files are listed as the disk spells them", (t) => {
  const someone = person(t);
  const paths = ["p/Reports/r.md", "p/TASKS/001-a.md", "p/reports/R.md", "p/status.md"];
  writeFiles(someone.root, Object.fromEntries(paths.map((path) => [path, "x\n"])));
  if (readdirSync(join(someone.root, "p")).length < 4) return t.skip("this disk tells no letter case apart");
  const { stdout } = someone.inPipe(["projects", "P", "--names"]);
  assert.deepEqual(stdout.trimEnd().split("\n").sort(), paths);
});
