import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { documentLinks } from "../../../src/core/notes/link/links.ts";
import { lookupOf, resolveLink } from "../../../src/core/notes/link/target.ts";

const PATHS = [
  "p/status.md",
  "p/tasks/001-start.md",
  "p/tasks/002-next.md",
  "p/tasks/sub/005-deep.md",
  "p/archive/tasks/003-old.md",
  "p/tasks/007-a.md",
  "p/tasks/007-b.md",
  "p/tasks/001.md",
  "p/plans/execution-plan.md",
  "p/references/with spaces.md",
  "p/references/設計 メモ.md",
  "p/references/v1.2.md",
  "p/references/node.js.md",
  "p/references/cafe\u0301.md",
  "p/references/a#b.md",
  "p/references/Case.md",
  "p/references/case.md",
  "p/references/UPPER.md",
  "p/references/twin.md",
  "p/reports/twin.md",
  "p/tasks/tasks/inner.md",
  "p/references/p/status.md",
  "q/status.md",
  "q/references/only-here.md",
  "q/references/both.md",
  "r/references/both.md",
  "q/tasks/001-start.md",
  "r/references/Status.md",
];
const lookup = lookupOf(PATHS);

/** Where links of the document `source` lead. */
function resolve(source: string, text: string): string[] {
  const task = source.includes("/tasks/") ? { dependencies: [] } : null;
  return documentLinks(text, { bodyOffset: 0, task } as never).map((link) => {
    const target = resolveLink(source, link, lookup);
    if (target.kind === "document") return target.path;
    return [target.kind, ...(target.kind === "elsewhere" ? target.paths : target.candidates)].join(" ");
  });
}

const TASK = "p/tasks/001-start.md";
const REFERENCE = "p/references/node.js.md";

const TARGETS: [source: string, text: string, target: string][] = [
  // Bare names: the project, then the workspace.
  [TASK, "[[execution-plan]]", "p/plans/execution-plan.md"],
  [TASK, "[[Execution-Plan#x]]", "p/plans/execution-plan.md"],
  [TASK, "![[with spaces]]", "p/references/with spaces.md"],
  [TASK, "[[caf\u00e9]]", "p/references/cafe\u0301.md"],
  [TASK, "[[node.js]]", REFERENCE],
  [TASK, "[[Case]]", "p/references/Case.md"],
  [TASK, "[[CASE]]", "ambiguous p/references/Case.md p/references/case.md"],
  [TASK, "[[upper]]", "p/references/UPPER.md"],
  [TASK, "[[twin]]", "ambiguous p/references/twin.md p/reports/twin.md"],
  [TASK, "[[only-here]]", "q/references/only-here.md"],
  [TASK, "[[both]]", "ambiguous q/references/both.md r/references/both.md"],
  ["q/tasks/001-start.md", "[[both]]", "q/references/both.md"],
  ["q/tasks/001-start.md", "[[status]]", "q/status.md"],
  ["r/references/both.md", "[[status]]", "r/references/Status.md"],
  [TASK, "[[nothing]]", "missing"],
  [TASK, "[[image.png]]", "elsewhere p/tasks/image.png p/image.png image.png"],
  // With a folder: the file's, the project, the workspace.
  [TASK, "[[plans/execution-plan]]", "p/plans/execution-plan.md"],
  [TASK, "[[tasks/inner]]", "p/tasks/tasks/inner.md"],
  [TASK, "[[q/status]]", "q/status.md"],
  [REFERENCE, "[[p/status]]", "p/references/p/status.md"],
  [TASK, "[[p/status]]", "p/status.md"],
  [TASK, "[[../../q/status]]", "q/status.md"],
  [TASK, "[[references/execution-plan]]", "missing p/plans/execution-plan.md"],
  [TASK, "[[assets/x.png]]", "elsewhere p/tasks/assets/x.png p/assets/x.png assets/x.png"],
  // Markdown paths: the file's folder.
  [TASK, "[a](002-next.md#x)", "p/tasks/002-next.md"],
  [TASK, "[a](../plans/execution-plan.md)", "p/plans/execution-plan.md"],
  [TASK, "[a](../references/with%20spaces.md)", "p/references/with spaces.md"],
  [TASK, "[a](<../references/with spaces.md>)", "p/references/with spaces.md"],
  [TASK, "[a](../references/%E8%A8%AD%E8%A8%88%20メモ.md)", "p/references/設計 メモ.md"],
  [TASK, "[a](../references/a%23b.md)", "p/references/a#b.md"],
  [TASK, "[a](/plans/execution-plan.md)", "p/plans/execution-plan.md"],
  [TASK, "[a](/q/status.md)", "q/status.md"],
  [TASK, "[a]: ../status.md", "p/status.md"],
  [TASK, "[a](#b)", TASK],
  [TASK, "[a](plans/execution-plan.md)", "missing p/plans/execution-plan.md"],
  [TASK, "![a](../assets/x.png)", "elsewhere p/assets/x.png"],
  // Outside, or where no documents are.
  [TASK, "[a](../../../x.md)", "elsewhere"],
  [TASK, "[a](../../README.txt)", "elsewhere README.txt"],
  [TASK, "[a](../.hidden/x.md)", "elsewhere p/.hidden/x.md"],
];

for (const [source, text, target] of TARGETS) {
  test(`${text} in ${source} leads to ${target}`, () => assert.deepEqual(resolve(source, text), [target]));
}

const DEPENDENCIES: [text: string, target: string][] = [
  ["2", "p/tasks/002-next.md"],
  ["002-renamed", "p/tasks/002-next.md"],
  ["003", "p/archive/tasks/003-old.md"],
  ["007", "ambiguous p/tasks/007-a.md p/tasks/007-b.md"],
  ["007-b", "p/tasks/007-b.md"],
  ["001-start", TASK],
  ["009", "missing"],
  ["only-here", "missing"],
  ["[[002-renamed]]", "p/tasks/002-next.md"],
  ["[Next](tasks/002-next.md)", "p/tasks/002-next.md"],
  ["[Plan](../plans/execution-plan.md)", "p/plans/execution-plan.md"],
];

for (const [text, target] of DEPENDENCIES) {
  test(`the dependency ${text} is ${target}`, () =>
    assert.deepEqual(resolve("p/tasks/002-next.md", `## Context\n- Dependencies: ${text}\n`), [target]));
}

test("no link leads out of the workspace, and none fails", () => {
  const part = fc.constantFrom(
    "..",
    ".",
    "",
    "p",
    "q",
    "tasks",
    "status",
    "x.md",
    "\0",
    "%2e%2e",
    "C:",
    "日本",
    "a\\b",
  );
  const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(
      path,
      fc.constantFrom(...PATHS),
      fc.constantFrom("wiki", "inline", "dependency"),
      (to, source, kind) => {
        const target = resolveLink(source, { kind, path: to }, lookup);
        if (target.kind === "document") assert.ok(PATHS.includes(target.path));
        if (target.kind === "elsewhere")
          for (const place of target.paths) assert.doesNotMatch(place, /^(?:\/|\.\.(?:\/|$))/);
      },
    ),
  );
});

test("a bare name without a document is an alias, in the project first, and one of several notes is never guessed", () => {
  const aliases = [
    { path: "q/references/both.md", alias: "Walrus Memo" },
    { path: "p/references/twin.md", alias: "own.md" },
    { path: "q/status.md", alias: "own" },
    { path: "q/status.md", alias: "shared" },
    { path: "r/references/both.md", alias: "SHARED" },
    { path: "r/references/both.md", alias: "Case" },
  ];
  const named = lookupOf(PATHS, aliases);
  const leadsTo = (path: string) => resolveLink("p/status.md", { kind: "wiki", path }, named);
  const document = (path: string) => ({ kind: "document", path });
  assert.deepEqual(leadsTo("walrus memo"), document("q/references/both.md"));
  assert.deepEqual(leadsTo("Own"), document("p/references/twin.md"));
  assert.deepEqual(leadsTo("Case"), document("p/references/Case.md"));
  assert.deepEqual(leadsTo("shared"), {
    kind: "ambiguous",
    candidates: ["q/status.md", "r/references/both.md"],
  });
  assert.equal(leadsTo("p/walrus memo").kind, "missing");
});
