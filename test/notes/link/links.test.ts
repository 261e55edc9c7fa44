import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeDocument, locateDocument } from "../../../src/core/notes/document.ts";
import { documentLinks, linkNames, linkRows, nameKey } from "../../../src/core/notes/link/links.ts";
import { assertProportionate } from "../../fixtures/growth.ts";
import { anyText } from "../../fixtures/texts.ts";

const factsOf = (path: string, text: string) => {
  const location = locateDocument(path);
  assert.ok(location);
  return describeDocument(location, text);
};
const taskLinks = (text: string) => documentLinks(text, factsOf("p/tasks/001-a.md", text));

const DEPENDENCIES: [written: string, links: [kind: string, target: string, task?: string][]][] = [
  ["003", [["dependency", "003"]]],
  [
    "003-setup, 4",
    [
      ["dependency", "003-setup"],
      ["dependency", "4"],
    ],
  ],
  ["`tasks/003-setup.md`", [["dependency", "003-setup"]]],
  [
    "Task #3 (see 004), **005-x**",
    [
      ["dependency", "3"],
      ["dependency", "005-x"],
    ],
  ],
  ["[[003-setup|Setup]]", [["wiki", "003-setup", "003-setup"]]],
  [
    "[Setup](003-setup.md#a), 004",
    [
      ["inline", "003-setup.md", "003-setup"],
      ["dependency", "004"],
    ],
  ],
  ["[Setup](../tasks/003%20a.md)", [["inline", "../tasks/003%20a.md", "003 a"]]],
  [
    "003, [[004]], 005, [b](006.md)",
    [
      ["dependency", "003"],
      ["wiki", "004", "004"],
      ["dependency", "005"],
      ["inline", "006.md", "006"],
    ],
  ],
  ["none", []],
];

for (const [written, expected] of DEPENDENCIES) {
  test(`the dependencies ${JSON.stringify(written)} are links at their places`, () => {
    for (const [list, line] of [
      [`- Dependencies: ${written}\n`, "\n"],
      [`- **Dependencies:**\n  - ${written}\n`, "\r\n"],
    ] as const) {
      const text = `\uFEFF---\na: 1\n---\n# A\n\nSee [[other]].\n\n## Context\n${list}\n## Steps\n[[last]]\n`;
      const source = text.replaceAll("\n", line);
      const [first, ...rest] = taskLinks(source);
      const links = rest.slice(0, -1);
      assert.deepEqual([first?.path, first?.task, rest.at(-1)?.path], ["other", undefined, "last"]);
      assert.deepEqual(
        links.map(({ kind, target, task }) => [kind, target.text, ...(task === undefined ? [] : [task])]),
        expected,
      );
      for (const { start, end, target } of links) {
        assert.equal(source.slice(target.start, target.end), target.text);
        assert.ok(start <= target.start && target.end <= end);
      }
    }
  });
}

test("only tasks have dependencies, and frontmatter has links", () => {
  const text = '---\nsource: "[[a]]"\n---\n## Context\n- Dependencies: 003, [[b]]\n';
  const links = documentLinks(text, factsOf("p/reports/a.md", text));
  assert.deepEqual(
    links.map(({ kind, path, task }) => [kind, path, task]),
    [
      ["wiki", "a", undefined],
      ["wiki", "b", undefined],
    ],
  );
});

test("links come in the order in which they start, for any text", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 5 }), anyText, (parts, dependencies) => {
      const text = `[a ![b](c.md)](d.md)\n## Context\n- Dependencies: ${dependencies}\n${parts.join("[[a]], 003, ")}`;
      const starts = taskLinks(text).map(({ start }) => start);
      assert.deepEqual(
        starts,
        [...starts].sort((a, b) => a - b),
      );
      for (const { target } of taskLinks(text))
        assert.equal(text.slice(target.start, target.end), target.text);
    }),
  );
});

test("the index gets each target once, by name, without files and the document itself", () => {
  const text = `# A
[a](../Plans/X.md) [again](../Plans/X.md#b) [[X]] [[x#y]] ![[Y.png]] ![z](z.png) [b](c.txt) [self](#a) [[#a]]
\`[[code]]\`

## Context
- Dependencies: 003-setup, 4, [[X]]
`;
  assert.deepEqual(
    linkRows(text, factsOf("p/tasks/001-a.md", text)).map(({ kind, path, name }) => [kind, path, name]),
    [
      ["inline", "../Plans/X.md", "x"],
      ["wiki", "X", "x"],
      ["wiki", "x", "x"],
      ["embed", "Y.png", "y.png"],
      ["dependency", "003-setup", "#3"],
      ["dependency", "4", "#4"],
      ["dependency", "X", "x"],
    ],
  );
});

test("a document is found by its name without case, composition, folder and extension, and by its number", () => {
  assert.equal(nameKey("p/assets/sub/CAFE\u0301 Plan.MD"), "caf\u00e9 plan");
  assert.deepEqual(linkNames("p/tasks/003-Setup.md"), ["003-setup", "#3"]);
  assert.deepEqual(linkNames("p/status.md"), ["status"]);
});

test("a document without end has as many links as the index can bear", () => {
  const text = Array.from({ length: 20_000 }, (_, n) => `[[n${n}]]`).join("\n");
  assert.equal(linkRows(text, factsOf("p/a.md", text)).length, 5_000);
  const head = "## Context\n- Dependencies: ";
  assertProportionate(["3,", "[[3]],", "[a](3.md),"], (part) => taskLinks(head + part).length, 20_000);
});

test("frontmatter has links, be it valid YAML or not, but no plain paths, and none in comments and other languages", () => {
  for (const [head, path] of [
    ["a: [[b]]", "b"],
    ["a: [x](b.md)\nb: [", "b.md"],
    ["{ a: [x](b.md)", "b.md"],
    ["a: b.md # [[b]]\nc: [b.md]", undefined],
  ]) {
    const paths = path === undefined ? ["c"] : [path, "c"];
    const text = `---\n${head}\n---\n[[c]]\n`;
    const facts = factsOf("p/notes.md", text);
    assert.deepEqual(
      documentLinks(text, facts).map(({ path }) => path),
      paths,
      head,
    );
    assert.deepEqual(
      linkRows(text, facts).map(({ path }) => path),
      paths,
    );
  }
  const toml = '+++\na = "[[b]]"\n+++\n';
  assert.equal(documentLinks(toml, factsOf("p/notes.md", toml)).length, 0);
  const prose = "---\nRead [x](b.md).\n---\n";
  assert.equal(documentLinks(prose, factsOf("p/notes.md", prose)).length, 1);
});
