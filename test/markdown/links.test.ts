import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eachLink, type Link } from "../../src/core/markdown/links.ts";
import { assertProportionate } from "../fixtures/growth.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const linksOf = (text: string) => [...eachLink(text)];

type Parts = Pick<Link, "kind" | "path" | "anchor" | "label">;

/** A link as it stands alone in a line, and what it means. */
const FORMS: [text: string, parts: Parts, target?: string][] = [
  ["[[name]]", { kind: "wiki", path: "name", anchor: null, label: "" }],
  ["[[name|An alias]]", { kind: "wiki", path: "name", anchor: null, label: "An alias" }],
  ["[[folder/name#A heading]]", { kind: "wiki", path: "folder/name", anchor: "A heading", label: "" }],
  ["[[name#A#B|x]]", { kind: "wiki", path: "name", anchor: "A#B", label: "x" }],
  ["[[#A heading]]", { kind: "wiki", path: "", anchor: "A heading", label: "" }],
  ["[[ name |x]]", { kind: "wiki", path: "name", anchor: null, label: "x" }],
  ["![[embed]]", { kind: "embed", path: "embed", anchor: null, label: "" }],
  ["[text](path.md)", { kind: "inline", path: "path.md", anchor: null, label: "text" }],
  ['[text](../a/path.md#b "A title")', { kind: "inline", path: "../a/path.md", anchor: "b", label: "text" }],
  ["[text](<with spaces.md#a b>)", { kind: "inline", path: "with spaces.md", anchor: "a b", label: "text" }],
  ["[a](b%20c.md#d%C3%A9)", { kind: "inline", path: "b c.md", anchor: "dé", label: "a" }, "b%20c.md"],
  ["[a](50%.md)", { kind: "inline", path: "50%.md", anchor: null, label: "a" }],
  ["[a](b\\_c\\#.md)", { kind: "inline", path: "b_c#.md", anchor: null, label: "a" }, "b\\_c\\#.md"],
  ["[a](b(1).md)", { kind: "inline", path: "b(1).md", anchor: null, label: "a" }],
  ["[a](b.md?plain=1#c)", { kind: "inline", path: "b.md", anchor: "c", label: "a" }],
  ["[a](#self)", { kind: "inline", path: "", anchor: "self", label: "a" }],
  ["[a [b] c](d.md)", { kind: "inline", path: "d.md", anchor: null, label: "a [b] c" }],
  ["[a `]` b](c.md)", { kind: "inline", path: "c.md", anchor: null, label: "a `]` b" }],
  ["![alt](assets/x.png)", { kind: "image", path: "assets/x.png", anchor: null, label: "alt" }],
];

for (const [text, parts, written = parts.path] of FORMS) {
  test(`${JSON.stringify(text)} is a link, wherever it stands`, () => {
    for (const [before, after] of [
      ["", ""],
      ["A note on ", ", and more."],
      ["- item\n  ", "\n- item"],
      ["> quote ", "\n"],
      ["## Heading\n", "\n\n"],
      ["\uFEFF日本語 😀 ", " `code`"],
      ["\\[no](no.md) [ ] ", " ]"],
    ] as const) {
      const source = `${before}${text}${after}`;
      const [link, ...others] = linksOf(source);
      assert.ok(link, source);
      const { start, end, target, ...found } = link;
      assert.deepEqual([found, others], [parts, []], source);
      assert.equal(source.slice(start, end), text);
      assert.deepEqual([source.slice(target.start, target.end), target.text], [written, written]);
    }
  });
}

const DEFINITIONS: [text: string, written: string, path: string, anchor: string | null][] = [
  ['[id]: path.md "A title"', "path.md", "path.md", null],
  ["  [id]: <with spaces.md#a>", "with spaces.md", "with spaces.md", "a"],
  ["[id]: a%20b.md 'title'", "a%20b.md", "a b.md", null],
  ["> [id]: path.md", "path.md", "path.md", null],
  ["> quote\n>\n> - [id]: <path.md> 'title'", "path.md", "path.md", null],
];

for (const [text, written, path, anchor] of DEFINITIONS) {
  test(`${JSON.stringify(text)} defines a link`, () => {
    const source = `See [it][id].\n\n${text}\n`;
    const [link, ...others] = linksOf(source);
    assert.deepEqual([link?.kind, link?.path, link?.anchor, link?.label], ["definition", path, anchor, "id"]);
    assert.deepEqual([link?.target.text, others], [written, []]);
  });
}

const NO_LINKS = [
  "[[]]",
  "[[a[b]]]",
  "[[a\nb]]",
  "[a]",
  "[a]()",
  "[a](b c.md)",
  "[a](b.md",
  "[a\n\nb](c.md)",
  "[ ] (todo)",
  "\\[a](b.md)",
  "\\[[name]]",
  "[a](https://example.org/b.md)",
  "![a](data:image/png;base64,x)",
  "<https://example.org/a.md>",
  "[a](b`c`.md)",
  "[[a `b` c]]",
  "[id]: two words.md",
  "text [id]: path.md",
  "[id]: https://example.org",
  "`[[name]]`",
  "`two\nlines [[name]]`",
  "```\n[[name]]\n```",
  "- item\n  ```\n  [[name]]\n  ```",
  "    [[indented code]]",
  "text\n\n    [a](b.md)\n\n    [[c]]",
  "<!-- [[name]] -->",
  "text <!-- [[name]] --> text",
];

for (const text of NO_LINKS) {
  test(`${JSON.stringify(text)} has no link into the workspace`, () => assert.deepEqual(linksOf(text), []));
}

const PATHS: [name: string, text: string, paths: string[]][] = [
  ["a code span that is not closed", "a ` b [[c]]\n\n` [[d]]", ["c", "d"]],
  ["a backtick in each of two items", "- a ` [[b]]\n- c ` [[d]]", ["b", "d"]],
  ["cells of a table", "| a |\n|---|\n| [[b\\|c]] | `[[d]]` |\n| [e](f.md) |", ["b", "f.md"]],
  ["a comment that is not closed", "a <!-- [[b]]", ["b"]],
  ["text behind a comment", "a <!-- b --> [[c]]", ["c"]],
  ["an indented line of a paragraph", "a\n    [[b]]", ["b"]],
  ["an indented paragraph of a list", "- a\n\n    [[b]]\n\n\t[[c]]", ["b", "c"]],
  ["code after a heading", "# a [[b]]\n\n    [[c]]", ["b"]],
  ["an image in a link", "[![a](b.png)](c.md)", ["b.png", "c.md"]],
  ["several links in one line", "[a](b.md)[c](d.md), [[e]][[f]]", ["b.md", "d.md", "e", "f"]],
  ["definitions in a row", "[a]: b.md\n[c]: d.md\n", ["b.md", "d.md"]],
];

for (const [name, text, paths] of PATHS) {
  test(`the links of ${name} are told from code`, () =>
    assert.deepEqual(
      linksOf(text).map(({ path }) => path),
      paths,
    ));
}

test("links before `from` are left out", () => {
  const text = "---\nnote: '[[a]]'\n---\n[[b]]\n";
  assert.deepEqual(
    [...eachLink(text, text.indexOf("[[b"))].map(({ path }) => path),
    ["b"],
  );
});

const pieces = fc.constantFrom(
  "[[",
  "]]",
  "[",
  "](",
  ")",
  "!",
  "|",
  "#",
  "`",
  "``",
  "\\",
  "<",
  ">",
  "<!--",
  "-->",
  "(",
  '"',
  ": ",
  "a b",
  "x.md",
  "\n",
  "\n\n",
  "\r\n",
  "- ",
  "    ",
  "```\n",
  "日本",
  "😀",
  "%20",
  "[a](b.md)",
  "[[c#d|e]]",
  "\n[f]: g.md\n",
);
const linkText = fc.array(fc.oneof(pieces, anyText), { maxLength: 60 }).map((parts) => parts.join(""));

test("places are those of the text, in order and never overlapping", () => {
  fc.assert(
    fc.property(linkText, (text) => {
      let end = 0;
      for (const { kind, target, ...link } of eachLink(text)) {
        assert.equal(text.slice(target.start, target.end), target.text);
        assert.ok(link.start < target.start && target.end <= link.end && link.end <= text.length);
        assert.ok(target.start >= end);
        end = target.end;
        if (kind === "wiki" || kind === "embed") assert.equal(target.text, link.path);
      }
    }),
    { numRuns: numRuns(500) },
  );
});

test("a target replaced by another path gives the same links with that path", () => {
  fc.assert(
    fc.property(linkText, (text) => {
      const links = linksOf(text).filter(({ path }) => path !== "");
      const moved = [...links].reverse().reduce((all, { target }) => {
        return `${all.slice(0, target.start)}zz.md${all.slice(target.end)}`;
      }, text);
      const found = linksOf(moved).filter(({ path }) => path !== "");
      assert.deepEqual(
        found.map(({ kind, path, anchor }) => [kind, path, anchor]),
        links.map(({ kind, anchor }) => [kind, "zz.md", anchor]),
      );
    }),
    { numRuns: numRuns(500) },
  );
});

test("the time to find links grows with the text", () => {
  const parts = [
    "[",
    "]",
    "[[",
    "![[a",
    "[[a]]",
    "](",
    "[](",
    "[](a",
    "[a](b.md)",
    "[](<",
    '[](a "',
    "[](a (",
    "[](a\n\n",
  ];
  const more = [
    "`",
    "` ``",
    "`a`",
    "\\",
    "<!--",
    "<!---->",
    "[a]:",
    "[a]: b\n",
    "[a](((",
    "[](a(",
    "    ",
    "- [a](b.md)\n",
    "[ ",
  ];
  assertProportionate([...parts, ...more], (text) => linksOf(`[[a]]${text}`).length, 50_000);
  assertProportionate(["\\a", "\\", "(\\a)"], (text) => linksOf(`[a]: ${text} x`).length, 50_000);
});

test("a link with an empty anchor leads to its document", () => {
  for (const [text, path] of [
    ["[a](b.md#)", "b.md"],
    ["[a](#)", ""],
    ["[a](<b c.md#>)", "b c.md"],
  ])
    assert.deepEqual(
      [...eachLink(text ?? "")].map((link) => [link.path, link.anchor]),
      [[path, ""]],
      text,
    );
});
