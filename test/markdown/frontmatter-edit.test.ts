import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { UserError } from "../../src/core/lib/errors.ts";
import { parseFrontmatter } from "../../src/core/markdown/frontmatter.ts";
import {
  mergeFrontmatter,
  renderFrontmatter,
  replaceBody,
} from "../../src/core/markdown/frontmatter-edit.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";
import { anyChanges, blockOf, fieldKey, fieldValue, yamlFields } from "../fixtures/yaml.ts";

const BOM = "\uFEFF";

const invalid = (message: RegExp) => (error: unknown) =>
  error instanceof UserError && error.code === "INVALID_ARGUMENT" && message.test(error.message);

const merge = (yaml: string, changes: Record<string, unknown>) => {
  const merged = mergeFrontmatter(`---\n${yaml}---\nbody`, changes);
  return /^---\n(.*)---\nbody$/s.exec(merged)?.[1] ?? merged;
};

const MERGES: [name: string, yaml: string, changes: Record<string, unknown>, expected: string][] = [
  ["a value", "a: 1\nb: 2\n", { a: 3 }, "a: 3\nb: 2\n"],
  ["a value before a comment", "a: 1  # why\nb: 2\n", { a: 3 }, "a: 3  # why\nb: 2\n"],
  ["a quoted value", "a: '#1' # c\n", { a: "x" }, "a: x # c\n"],
  ["the value of a quoted key", '"a" : 1\n', { a: 2 }, '"a" : 2\n'],
  ["a tagged value", "a: !!str 1 # c\n", { a: 2 }, "a: 2 # c\n"],
  [
    "a list of lines",
    "tags: # all\n  - a # x\n  - b\n\nc: 1\n",
    { tags: ["x"] },
    "tags: [x] # all\n\nc: 1\n",
  ],
  ["a list at the margin", "tags:\n- a\n- b\n# c\nd: 1\n", { tags: [] }, "tags: []\n# c\nd: 1\n"],
  ["a list in brackets over lines", "t: [a, # ]\n  ']'] # end\nd: 1\n", { t: 1 }, "t: 1 # end\nd: 1\n"],
  ["a list closed at the margin", "t: [\n  a,\n  b\n] # end\nd: 1\n", { t: 1 }, "t: 1 # end\nd: 1\n"],
  ["a field beside such a list", "t: [\n  a\n]\nd: 1\n", { d: 2 }, "t: [\n  a\n]\nd: 2\n"],
  ["a mapping", "a:\n  b: 1\n  c:\nd: 1\n", { a: "x" }, "a: x\nd: 1\n"],
  ["a block of text", "a: | # c > d\n  x\n  # y\n\nb: 1\n", { a: "z" }, "a: z # c > d\n\nb: 1\n"],
  ["a value on the next line", "a:\n  x # c\nb: 1\n", { a: "z" }, "a: z # c\nb: 1\n"],
  ["an explicit key", "? a\n: 1 # c\nb: 1\n", { a: 2 }, "? a\n: 2 # c\nb: 1\n"],
  ["nothing where the value is the same", "a: 'x'   # c\n", { a: "x" }, "a: 'x'   # c\n"],
  ["a new field at the end", "a: 1\n# end\n", { c: 1, b: 2 }, "a: 1\n# end\nc: 1\nb: 2\n"],
  ["a new field after a block of text", "a: |+\n  x\n\n", { b: 1 }, "a: |+\n  x\n\nb: 1\n"],
  ["a new field in an indented block", "  a: 1\n", { b: 2 }, "  a: 1\n  b: 2\n"],
  ["a removed field", "a: 1 # c\n# d\nb: 2\n", { a: null }, "# d\nb: 2\n"],
  ["the last field above a comment", "# keep\na: 1\n", { a: null }, "# keep\n"],
  ["a mapping in braces, as lines", '{"a": 1, "b": [2]}\n', { a: 3 }, "a: 3\nb: [2]\n"],
  ["the anchor of an alias, written out", "a: &x 1\nb: *x\n", { a: 3 }, "a: 3\nb: 1\n"],
  ["an alias", "a: &x 1\nb: *x # c\n", { b: 3 }, "a: &x 1\nb: 3 # c\n"],
  ["a key that is no text", "1: x\n", { 1: "z" }, "1: z\n"],
  ["a key of the object prototype", "a: 1\n", JSON.parse('{"__proto__": 1}'), "a: 1\n__proto__: 1\n"],
  ["an odd key", "a: 1\n", { "b: c": 1, "#": 2 }, "a: 1\n'b: c': 1\n'#': 2\n"],
];

for (const [name, yaml, changes, expected] of MERGES) {
  test(`a merge changes ${name}`, () => assert.equal(merge(yaml, changes), expected));
}

test("a text without a block gets one before its body, after a byte order mark, in its line endings", () => {
  assert.equal(mergeFrontmatter("# A\n", { a: 1 }), "---\na: 1\n---\n# A\n");
  assert.equal(mergeFrontmatter(`${BOM}# A\r\n`, { a: 1 }), `${BOM}---\r\na: 1\r\n---\r\n# A\r\n`);
  assert.equal(mergeFrontmatter("---\nb\n", { a: 1 }), "---\na: 1\n---\n---\nb\n");
  assert.equal(mergeFrontmatter("# A\n", { a: null }), "# A\n");
});

test("a block keeps its byte order mark, markers and line endings", () => {
  const text = `${BOM}---  \r\na: 1\r\n...\r\nbody\n\n\n\n`;
  assert.equal(mergeFrontmatter(text, { a: 2, b: 3 }), `${BOM}---  \r\na: 2\r\nb: 3\r\n...\r\nbody\n\n\n\n`);
});

test("an emptied block goes with its markers, unless the body would then be read as one", () => {
  assert.equal(mergeFrontmatter(`${BOM}---\na: 1\n---\n# A\n`, { a: null }), `${BOM}# A\n`);
  assert.equal(mergeFrontmatter("---\na: 1\n---", { a: null }), "");
  for (const body of ["---\nb: 2\n---\n", "---\n---\n"]) {
    assert.equal(mergeFrontmatter(`---\na: 1\n---\n${body}`, { a: null }), `---\n---\n${body}`);
  }
  assert.equal(mergeFrontmatter("---\n---\n# A\n", { a: null }), "---\n---\n# A\n");
});

const BROKEN = "title: Fix: x # why\nstatus: open\nn: [1\nd: 1\nd: 2\n";
const BY_LINE: [name: string, changes: Record<string, unknown>, expected: string][] = [
  ["a field that is read", { status: "done" }, BROKEN.replace("open", "done")],
  ["a new field", { tags: ["a"] }, `${BROKEN}tags: [a]\n`],
  ["two fields", { status: null, a: 1 }, `${BROKEN.replace("status: open\n", "")}a: 1\n`],
  ["a field that is not read, on one line", { title: "Fix: y" }, BROKEN.replace("Fix: x", "'Fix: y'")],
  ["nothing where the value is the same", { status: "open", other: null }, BROKEN],
];

for (const [name, changes, expected] of BY_LINE) {
  test(`in a malformed block ${name} is set by its line`, () => {
    assert.equal(merge(BROKEN, changes), expected);
    const crlf = (text: string) => `---\n${text}---\nbody`.replaceAll("\n", "\r\n");
    assert.equal(mergeFrontmatter(crlf(BROKEN), changes), crlf(expected));
  });
}

const REFUSED: [name: string, yaml: string, changes: Record<string, unknown>, message: RegExp][] = [
  ["opens a bracket", BROKEN, { n: 2 }, /Not read: title, n, d\. Its field 'n' cannot be changed by itself/],
  ["stands twice", BROKEN, { a: 1, d: 3 }, /Its field 'd'/],
  ["is a list", "a: b: c\ntags: [a]\n", { tags: null }, /Its field 'tags'/],
  ["would become a list", "a: b: c\nd: 1\n", { d: [1] }, /Its field 'd'/],
  ["opens a brace", "a: {b: c: d\nd: 1\n", { a: null }, /Its field 'a'/],
  ["opens a quote", 'a: "x\nb: 1\n', { a: 1 }, /Its field 'a'/],
  ["opens a block of text", "a: |x\n  y\nb: 1\n", { a: 1 }, /Its field 'a'/],
  ["would leave no field", "a: [\nb: c: d\n", { b: null, a: null }, /Its field 'a'/],
  ["has no line at the margin", "  a: x: y\n  b: 1\n", { b: 2 }, /Its field 'b'/],
  ["is in no mapping", "- a\n", { b: 1 }, /one by one/],
];

for (const [name, yaml, changes, message] of REFUSED) {
  test(`in a malformed block a field that ${name} is refused, and the message says what to do`, () => {
    assert.throws(() => merge(yaml, changes), invalid(message));
    assert.throws(() => merge(yaml, changes), invalid(/whole content/));
  });
}

test("fields of other languages, and those without an end, are not changed", () => {
  for (const text of ["+++\na = 1\n+++\n", '{\n"a": 1\n}\n', "---toml\na = 1\n---\n", "---\na: 1\n\n# T\n"])
    assert.throws(() => mergeFrontmatter(text, { b: 1 }), invalid(/one by one.*whole content/));
});

for (const held of [
  () => 1,
  undefined,
  "x".repeat(70_000),
  JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`),
]) {
  test(`a value that cannot be read back is refused: ${String(held).slice(0, 9)}`, () => {
    assert.throws(() => merge("a: 1\n", { a: held }), invalid(/^The frontmatter/));
    assert.throws(() => mergeFrontmatter("body", { a: held }), invalid(/^The frontmatter/));
    assert.throws(() => renderFrontmatter({ a: held }, "\n"), invalid(/^The frontmatter/));
  });
}

const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data));

function expectedData(before: Record<string, unknown>, changes: Record<string, unknown>) {
  const entries = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) entries.delete(key);
    else entries.set(key, value);
  }
  return plain(Object.fromEntries(entries));
}

test("a merge gives the data before with the changes, leaves the body alone and does nothing twice", () => {
  fc.assert(
    fc.property(
      yamlFields,
      fc.constantFrom("\n", "\r\n"),
      anyText,
      anyChanges,
      (fields, ending, body, changes) => {
        const text = blockOf(fields, ending) + body;
        const before = parseFrontmatter(text);
        fc.pre(before.problem === null);
        const merged = mergeFrontmatter(text, changes);
        const after = parseFrontmatter(merged);
        assert.equal(after.problem, null);
        assert.deepEqual(plain(after.data), expectedData(before.data, changes));
        assert.equal(merged.slice(after.bodyOffset), text.slice(before.bodyOffset));
        assert.equal(mergeFrontmatter(merged, changes), merged);
      },
    ),
    { numRuns: numRuns(2000) },
  );
});

test("a merge into any text either is refused or gives the data with the changes", () => {
  fc.assert(
    fc.property(anyText, anyChanges, (text, changes) => {
      const before = parseFrontmatter(text);
      let merged: string;
      try {
        merged = mergeFrontmatter(text, changes);
      } catch (error) {
        assert.ok(before.problem !== null && invalid(/whole content/)(error));
        return;
      }
      const after = parseFrontmatter(merged);
      assert.deepEqual(plain(after.data), expectedData(before.data, changes));
      assert.equal(merged.slice(after.bodyOffset), text.slice(before.bodyOffset));
    }),
    { numRuns: numRuns(2000) },
  );
});

test("in a malformed block a field that can be set reads back, all other lines stay, and what is read changes nothing", () => {
  const refused = fc.constantFrom("title: Fix: x", "n: [1", "a b: c: d", '"q: x', "@: 1");
  const property = fc.property(
    yamlFields,
    refused,
    fc.constantFrom("\n", "\r\n"),
    fieldKey,
    fieldValue,
    (fields, broken, ending, key, value) => {
      const lines = [...fields, { key: "", lines: [broken], above: [] }];
      const text = `${blockOf(lines, ending)}# Body${ending}`;
      const before = parseFrontmatter(text);
      fc.pre(before.problem !== null && before.block !== null);
      const edited = mergedOrNull(text, { [key]: value });
      if (edited !== null) {
        const { data } = parseFrontmatter(edited);
        assert.deepEqual(plain(data), expectedData({ ...before.data, [key]: null }, { [key]: value }));
        const own = fields.find((field) => field.key === key);
        const others = text.split(ending).filter((line) => !own?.lines.includes(line));
        const left = edited.split(ending);
        for (const line of others) assert.ok(left.includes(line), line);
      }
      for (const [name, read] of Object.entries(before.data))
        if (read !== null) assert.equal(mergedOrNull(text, { [name]: read }) ?? text, text);
    },
  );
  fc.assert(property, { numRuns: numRuns(2000) });
});

function mergedOrNull(text: string, changes: Record<string, unknown>): string | null {
  try {
    return mergeFrontmatter(text, changes);
  } catch (error) {
    assert.ok(invalid(/./)(error));
    return null;
  }
}

test("rendered frontmatter stands between markers, in the line ending asked for", () => {
  assert.equal(renderFrontmatter({ a: "1", b: [] }, "\n"), "---\na: '1'\nb: []\n---\n");
  assert.equal(renderFrontmatter({ a: "x\ny" }, "\r\n"), '---\r\na: "x\\ny"\r\n---\r\n');
});

test("rendered frontmatter reads back as its data, and empty data renders nothing", () => {
  assert.equal(renderFrontmatter({}, "\n"), "");
  fc.assert(
    fc.property(anyChanges, fc.constantFrom("\n", "\r\n"), (data, ending) => {
      const { data: read } = parseFrontmatter(renderFrontmatter(data, ending));
      assert.deepEqual(plain(read), plain(data));
    }),
  );
});

const BODIES: [name: string, text: string, content: string, expected: string][] = [
  ["keeps the block", "---\na: 1 # c\n---\nold\n", "new\n", "---\na: 1 # c\n---\nnew\n"],
  ["takes the block of the content", "---\na: 1\n---\nold\n", "---\nb: 2\n---\nnew", "---\nb: 2\n---\nnew"],
  ["takes a malformed block of the content", "---\na: 1\n---\nold\n", "---\n[\n---\n", "---\n[\n---\n"],
  ["replaces text between dashes", "---\n[\n---\nold\n", "new", "new"],
  ["keeps a malformed block", "---\na: b: c\n---\nold\n", "new", "---\na: b: c\n---\nnew"],
  ["keeps TOML", `${BOM}+++\r\na = 1\r\n+++\r\nold\n`, "new\n", `${BOM}+++\r\na = 1\r\n+++\r\nnew\r\n`],
  ["keeps JSON", `${BOM}{\r\n "a": 1\r\n}\r\nold\r\n`, "new\n", `${BOM}{\r\n "a": 1\r\n}\r\nnew\r\n`],
  ["keeps YAML above JSON", "---\na: 1\n---\nold\n", '{"b": 1}\n', '---\na: 1\n---\n{"b": 1}\n'],
  ["keeps byte order mark and CRLF", `${BOM}old\r\n`, "a\nb\n", `${BOM}a\r\nb\r\n`],
  ["adds no byte order mark", "old\n", `${BOM}new`, "new"],
  ["ends a block that ends the text", "---\na: 1\n---", "new", "---\na: 1\n---\nnew"],
  ["keeps the line endings of the content where the text has none", "old", "a\r\n", "a\r\n"],
];

for (const [name, text, content, expected] of BODIES) {
  test(`a new body ${name}`, () => assert.equal(replaceBody(text, content), expected));
}

test("a block without an end is replaced with its text only by a block", () => {
  const text = "---\na: 1\n\n# T\n";
  assert.throws(() => replaceBody(text, "new"), invalid(/no closing line.*whole content/));
  assert.equal(replaceBody(text, "---\na: 2\n---\nnew"), "---\na: 2\n---\nnew");
});

test("a body replaced by itself is the same text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(!text.includes("\r"));
      assert.equal(replaceBody(text, text), text);
    }),
  );
});

test("a key is set in blocks of any size and depth", () => {
  const lists = `a: ${"[".repeat(18)}${"x, ".repeat(20_000)}${"]".repeat(18)}\n`;
  assert.equal(merge(lists, { a: 1 }), "a: 1\n");
  const keys = Array.from({ length: 6000 }, (_, at) => `k${at}: # c`).join("\n");
  assert.equal(merge(`${keys}\n`, { k5999: 1 }), `${keys.slice(0, -4)} 1 # c\n`);
  assert.equal(merge(`a:${" ".repeat(60_000)}\n`, { a: 1 }).length, 60_000 + "a: 1\n".length);
  const bomb = `a: &a [${"x,".repeat(20_000)}]\nb: &b [${"*a,".repeat(4)}]\nc: &c [${"*b,".repeat(4)}]\nd: 1\n`;
  assert.ok(merge(bomb, { d: 2 }).endsWith("\nd: 2\n"));
});
