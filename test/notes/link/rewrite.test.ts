import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeDocument, locateDocument } from "../../../src/core/notes/document.ts";
import { documentLinks } from "../../../src/core/notes/link/links.ts";
import { applyEdits, linkEdits } from "../../../src/core/notes/link/rewrite.ts";
import { lookupOf, resolveLink } from "../../../src/core/notes/link/target.ts";
import { numRuns } from "../../fixtures/num-runs.ts";

const PATHS = [
  "p/status.md",
  "p/tasks/001-start.md",
  "p/tasks/002-next.md",
  "p/references/flow.md",
  "p/references/with spaces.md",
  "p/references/設計 メモ.md",
  "p/plans/twin.md",
  "q/status.md",
  "q/references/flow2.md",
  "q/tasks/003-x.md",
  "p/tasks/004-a.md",
];
const FILES = ["p/assets/x.png", "p/references/x.png", "p/assets"];

/** The text of `source` after a move. */
function rewrite(
  source: string,
  text: string,
  [from, to]: [string, string],
  isRepair = false,
  bodyOffset = 0,
): string {
  const newPath = (path: string) => (path === from ? to : path);
  const move = {
    before: lookupOf(PATHS),
    after: lookupOf(PATHS.map(newPath)),
    newPath,
    exists: (path: string) => FILES.includes(path),
    isRepair,
  };
  const task = source.includes("/tasks/") ? {} : null;
  const facts = { bodyOffset, task } as never;
  return applyEdits(text, linkEdits({ path: source, text, facts }, move));
}

const FLOW: [string, string] = ["p/references/flow.md", "p/plans/new flow.md"];
const [TASK, STATUS] = ["p/tasks/001-start.md", "p/status.md"];
const CASES: [source: string, move: [string, string], before: string, after: string][] = [
  // Names stay names, paths stay paths of their kind.
  [TASK, FLOW, "[[flow]] ![[flow.md]]", "[[new flow]] ![[new flow.md]]"],
  [TASK, FLOW, "[[Flow#Heading|the flow]]", "[[new flow#Heading|the flow]]"],
  [TASK, FLOW, "| [[flow\\|x]] |", "| [[new flow\\|x]] |"],
  [TASK, FLOW, "[[references/flow]]", "[[plans/new flow]]"],
  [TASK, FLOW, "[[../references/flow]]", "[[../plans/new flow]]"],
  [TASK, FLOW, "[a](../references/flow.md#x)", "[a](../plans/new%20flow.md#x)"],
  [TASK, FLOW, '[a](<../references/flow.md> "title")', '[a](<../plans/new flow.md> "title")'],
  [TASK, FLOW, "[a](/references/flow.md)", "[a](/plans/new%20flow.md)"],
  [TASK, FLOW, '[a]: ../references/flow.md "t"\r\n', '[a]: ../plans/new%20flow.md "t"\r\n'],
  [STATUS, FLOW, "[![i](assets/x.png)](references/flow.md)", "[![i](assets/x.png)](plans/new%20flow.md)"],
  [STATUS, FLOW, "`[[flow]]` [[nowhere]] <!-- [[flow]] -->", "`[[flow]]` [[nowhere]] <!-- [[flow]] -->"],
  // A name that is not unique any more.
  [
    TASK,
    ["p/references/flow.md", "p/references/twin.md"],
    "[[flow]] [[twin]]",
    "[[references/twin]] [[plans/twin]]",
  ],
  [TASK, ["q/references/flow2.md", "q/references/twin.md"], "[[flow2]]", "[[q/references/twin]]"],
  [
    TASK,
    ["q/references/flow2.md", "q/references/flow.md"],
    "[[flow2]] [[flow]]",
    "[[q/references/flow]] [[flow]]",
  ],
  // Folders.
  ["p/assets/a.md", ["p/assets/a.md", "p/a.md"], "[a](./) [b](../assets)", "[a](./assets/) [b](./assets)"],
  ["p/a.md", ["p/a.md", "p/assets/a.md"], "[a](assets) [b](./assets/)", "[a](.) [b](./)"],
  // Encoding.
  [TASK, ["p/references/設計 メモ.md", "p/plans/計画 (1).md"], "[[設計 メモ]]", "[[計画 (1)]]"],
  [
    TASK,
    ["p/references/設計 メモ.md", "p/plans/計画.md"],
    "[a](../references/%E8%A8%AD%E8%A8%88%20メモ.md)",
    "[a](../plans/%E8%A8%88%E7%94%BB.md)",
  ],
  [
    TASK,
    ["p/references/設計 メモ.md", "p/plans/計画 (1).md"],
    "[a](../references/設計%20メモ.md)",
    "[a](../plans/計画%20%281%29.md)",
  ],
  [
    TASK,
    ["p/references/flow.md", "p/plans/50%25 #1.md"],
    "[a](../references/flow.md)",
    "[a](../plans/50%2525%20%231.md)",
  ],
  [
    TASK,
    ["p/references/flow.md", "p/plans/a#b[c].md"],
    "[[flow#x y|z]]",
    "[z](../plans/a%23b%5Bc%5D.md#x%20y)",
  ],
  [TASK, ["p/references/flow.md", "p/plans/a.md.md"], "[[flow]]", "[[a.md.md]]"],
  [TASK, ["p/references/flow.md", "p/plans/a`b.md"], "[[flow]] `", "[a\\`b](../plans/a%60b.md) `"],
  // Links of the moved document.
  [FLOW[0], FLOW, "[a](flow.md) [b](#x) [[flow]]", "[a](new%20flow.md) [b](#x) [[new flow]]"],
  [
    FLOW[0],
    ["p/references/flow.md", "q/flow.md"],
    "[[status]] [a](../status.md)",
    "[[p/status]] [a](../p/status.md)",
  ],
  [
    FLOW[0],
    ["p/references/flow.md", "p/flow.md"],
    "![](x.png) ![[x.png]] [c](../../../src/a.ts)",
    "![](references/x.png) ![[references/x.png]] [c](../../src/a.ts)",
  ],
  [
    FLOW[0],
    ["p/references/flow.md", "p/a/b/flow.md"],
    "![](../assets/x.png) [d](../assets/) ![](gone.png)",
    "![](../../assets/x.png) [d](../../assets/) ![](gone.png)",
  ],
  // Dependencies.
  [
    TASK,
    ["p/tasks/002-next.md", "p/tasks/002-last.md"],
    "## Context\n- Dependencies: 002-next, 2, `tasks/002-next.md`, [[002-next]]",
    "## Context\n- Dependencies: 002-last, 2, `tasks/002-last.md`, [[002-last]]",
  ],
  [
    TASK,
    ["p/tasks/002-next.md", "p/tasks/002-a, b.md"],
    "## Context\n- Dependencies: 002-next, `tasks/002-next.md`, [[002-next]], 2",
    "## Context\n- Dependencies: [[p/tasks/002-a, b]], [[p/tasks/002-a, b]], [[002-a, b]], 2",
  ],
  [
    TASK,
    ["p/tasks/002-next.md", "p/tasks/002-a [b], (c).md"],
    "## Context\n- Dependencies: 002-next, [[002-next]]",
    "## Context\n- Dependencies: [002-a \\[b\\], (c)](./002-a%20%5Bb%5D,%20%28c%29.md), [002-a \\[b\\], (c)](./002-a%20%5Bb%5D,%20%28c%29.md)",
  ],
  [
    TASK,
    ["p/tasks/002-next.md", "p/tasks/010-next.md"],
    "## Context\n- Dependencies: 002, #2",
    "## Context\n- Dependencies: 010, #10",
  ],
  [
    TASK,
    ["p/tasks/002-next.md", "p/archive/tasks/002-next.md"],
    "## Context\n- Dependencies: 002, 002-next",
    "## Context\n- Dependencies: 002, 002-next",
  ],
  [
    TASK,
    ["p/tasks/002-next.md", "q/tasks/002-next.md"],
    "## Context\n- Dependencies: `tasks/002-next.md` (soon), 4",
    "## Context\n- Dependencies: [[q/tasks/002-next]] (soon), 4",
  ],
];

for (const [source, move, before, after] of CASES)
  test(`${source}: ${before.replaceAll("\n", "↵")}`, () =>
    assert.equal(rewrite(source, before, move), after));

test("what leads somewhere after a move by another program stays", () => {
  const text = "[[status]] [a](flow.md)";
  const move: [string, string] = ["p/references/flow.md", "q/flow.md"];
  assert.equal(rewrite(move[0], text, move, true), "[[status]] [a](flow.md)");
  assert.equal(rewrite(TASK, "[[references/flow]]", move, true), "[[q/flow]]");
});

test("what climbs out of the workspace after a move by another program led somewhere in it", () => {
  const up: [string, string] = ["p/references/in/deep.md", "p/deep.md"];
  const before = "[s](../../status.md) [o](../../../../x.md)";
  assert.equal(rewrite(up[0], before, up, true), "[s](status.md) [o](../../../../x.md)");
});

const PROPERTIES: [to: string, before: string, after: string][] = [
  ["new.md", 'up: "[[flow]]"', 'up: "[[new]]"'],
  ["new.md", "up: '[[flow.md#x|it''s]]' # [[flow]]", "up: '[[new.md#x|it''s]]' # [[flow]]"],
  [
    "new.md",
    'a:\n  - "[[flow|a]] and ![[FLOW]]"\n  - "[[gone]]"\n  - plain',
    'a:\n  - "[[new|a]] and ![[new]]"\n  - "[[gone]]"\n  - plain',
  ],
  ["new.md", "a: ['[[flow]]', \"[x](flow.md)\"]", "a: ['[[new]]', \"[x](new.md)\"]"],
  ["new.md", "a: {b: {c: \"[x](<flow.md> 't')\"}}", "a: {b: {c: \"[x](<new.md> 't')\"}}"],
  ["new.md", "up: [[flow]]\nof:\n  - [[references/flow|x]]", "up: [[new]]\nof:\n  - [[references/new|x]]"],
  ["new.md", "a: see [[flow]] # c", "a: see [[new]] # c"],
  ["new.md", "a: |\n  [[flow]]\n  [x](flow.md)", "a: |\n  [[new]]\n  [x](new.md)"],
  [
    "new.md",
    "a: Fix: [[flow]]\nb: [x](flow.md)\nc: '[[flow]]'",
    "a: Fix: [[new]]\nb: [x](new.md)\nc: '[[new]]'",
  ],
  ["it's.md", "up: '[[flow]]'", "up: '[[it''s]]'"],
  ["it's.md", "up: [[flow]]", "up: [[it's]]"],
  ["a, b.md", "up: [[flow]]\nx: '[[flow|y]]'", "up: \"[[a, b]]\"\nx: '[[a, b|y]]'"],
  ["a#b.md", 'up: "[[flow|x]]"', 'up: "[x](./a%23b.md)"'],
  ["{a}, b.md", "a: [[flow]], x\nb: x [[flow]]", "a: [[{a}, b]], x\nb: x [[{a}, b]]"],
  ["a [1].md", "a: x, [[flow]]", "a: x, [a \\[1\\]](./a%20%5B1%5D.md)"],
  ["a, b.md", "a: [[[flow]], x]\nb: {c: [[flow]]}", 'a: ["[[a, b]]", x]\nb: {c: "[[a, b]]"}'],
  ["a: b #c.md", "a: x, [[flow]] y # [[flow]]", "a: x, [a&#58; b &#35;c](./a%3A%20b%20%23c.md) y # [[flow]]"],
  [
    "new.md",
    "a: flow.md\nb: references/flow.md\nc: '`[[flow]]`'",
    "a: flow.md\nb: references/flow.md\nc: '`[[flow]]`'",
  ],
];

for (const [to, before, after] of PROPERTIES) {
  test(`a move rewrites links in frontmatter: ${JSON.stringify(before)} to ${to}`, () => {
    const text = (yaml: string) => `\uFEFF---\n${yaml}\n---\n# T\n\n[[${to === "new.md" ? "" : "#T"}]]\n`;
    const body = text(before).indexOf("# T");
    const move: [string, string] = ["p/references/flow.md", `p/references/${to}`];
    assert.equal(rewrite("p/references/a.md", text(before), move, false, body), text(after));
  });
}

test("an escaped name in double quotes stays escaped", () => {
  const move: [string, string] = ["p/references/flow.md", 'p/references/"new".md'];
  const text = '---\nup: "[[fl\\u006fw|x]]"\n---\n';
  const expected = '---\nup: "[[\\"new\\"|x]]"\n---\n';
  assert.equal(rewrite("p/references/a.md", text, move, false, text.length), expected);
});

test("after a move each link leads where it led, in frontmatter and text, all else stays, and without one nothing changes", () => {
  const target = fc.constantFrom(
    ...[
      "flow",
      "Flow",
      "references/flow",
      "p/references/flow.md",
      "flow#H",
      "flow|the flow",
      "flow2",
      "twin",
      "nowhere",
    ],
  );
  const property = fc.constantFrom<(to: string) => string>(
    (to) => `up: "[[${to}]]"`,
    (to) => `'up to': '[[${to}]]' # [[flow]]`,
    (to) => `up: [[${to}]]`,
    (to) => `related:\n  - "[[${to}]]"\n  - see [[${to}]], x`,
    (to) => `related: ["[[${to}]]", b]`,
    (to) => `title: Fix: [[${to}]]`,
    (to) => `text: >-\n  a [[${to}]]\n  b`,
  );
  const line = fc.constantFrom<(to: string) => string>(
    (to) => `See [[${to}]] and ![[${to}]], it's $&.`,
    (to) => `> - [x] [a](../references/flow.md#${to.length}) \`[[${to}]]\``,
    (to) => `| [[${to.replace("|", "\\|")}]] | b |`,
    (to) => `- Dependencies: [[${to}]], 002`,
    () => "[a]: ../references/flow.md 'b' %% [[flow]] %%",
  );
  const linesOf = (kind: fc.Arbitrary<(to: string) => string>) =>
    fc.array(
      fc.tuple(kind, target).map(([make, to]) => make(to)),
      { maxLength: 4 },
    );
  const moved = fc.constantFrom(
    FLOW,
    ["p/references/flow.md", "p/references/twin.md"] as [string, string],
    ["p/references/flow.md", "p/archive/references/it's cafe\u0301 & 1.md"] as [string, string],
    ["p/tasks/001-start.md", "p/archive/tasks/001-start.md"] as [string, string],
  );
  const draw = fc.property(linesOf(property), linesOf(line), moved, (fields, lines, [from, to]) => {
    const [ending] = fields.length % 2 ? ["\r\n"] : ["\n"];
    const block = ["---", ...fields, "---", ""].join("\n");
    const text = `${block}# A\n\n${lines.join("\n\n")}\n`.replaceAll("\n", ending ?? "");
    const source = TASK;
    const at = (path: string) => (path === from ? to : path);
    const leadsTo = (path: string, written: string, paths: string[]) => {
      const facts = describeDocument(locateDocument(path) ?? assert.fail(), written);
      const lookup = lookupOf(paths);
      return documentLinks(written, facts).map((link) => {
        const found = resolveLink(path, link, lookup);
        return found.kind === "document" ? found.path : found.kind;
      });
    };
    const { bodyOffset } = describeDocument(locateDocument(source) ?? assert.fail(), text);
    const after = rewrite(source, text, [from, to], false, bodyOffset);
    assert.deepEqual(leadsTo(at(source), after, PATHS.map(at)), leadsTo(source, text, PATHS).map(at));
    assert.equal(after.split(ending ?? "").length, text.split(ending ?? "").length);
    assert.equal(rewrite(source, text, ["p/plans/none.md", "p/plans/new.md"], false, bodyOffset), text);
  });
  fc.assert(draw, { numRuns: numRuns(2000) });
});
