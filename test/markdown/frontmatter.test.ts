import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../src/core/markdown/frontmatter.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const BOM = "\uFEFF";

test("a block gives its data, its offsets and the start of the body", () => {
  const text = "---\ntags: [a, b]\nowner: max\n---\n# Title\n";
  const { data, block, bodyOffset, problem } = parseFrontmatter(text);
  assert.deepEqual(data, { tags: ["a", "b"], owner: "max" });
  assert.ok(block);
  assert.equal(text.slice(block.yamlStart, block.yamlEnd), "tags: [a, b]\nowner: max\n");
  assert.equal(text.slice(block.start, block.end), "---\ntags: [a, b]\nowner: max\n---\n");
  assert.equal(text.slice(bodyOffset), "# Title\n");
  assert.equal(problem, null);
});

const BLOCKS: [name: string, text: string, data: Record<string, unknown>, body: string][] = [
  ["a byte order mark before it", `${BOM}---\na: 1\n---\nbody`, { a: 1 }, "body"],
  ["CRLF", "---\r\na: 1\r\nb: two\r\n---\r\nbody", { a: 1, b: "two" }, "body"],
  ["spaces after the markers", "---  \na: 1\n--- \t\nbody", { a: 1 }, "body"],
  ["nothing in it", "---\n---\nbody", {}, "body"],
  ["only comments in it", "---\n# nothing yet\n---\nbody", {}, "body"],
  ["dates kept as text", "---\nupdated: 2025-02-09\n---\n", { updated: "2025-02-09" }, ""],
  [
    "a list closed at the margin",
    "---\na: [\n  x,\n  y\n]\nb: {\n  c: [\n    1\n  ]\n}\n---\n",
    { a: ["x", "y"], b: { c: [1] } },
    "",
  ],
  ["the same with CRLF", "---\r\na: [\r\n  x\r\n]\r\n---\r\n", { a: ["x"] }, ""],
  ["an alias", "---\na: &x [1]\nb: *x\n---\n", { a: [1], b: [1] }, ""],
];

for (const [name, text, data, body] of BLOCKS) {
  test(`a block is read with ${name}`, () => {
    const read = parseFrontmatter(text);
    assert.deepEqual(read.data, data);
    assert.equal(text.slice(read.bodyOffset), body);
    assert.equal(read.problem, null);
    assert.ok(read.block);
  });
}

const NONE: [name: string, text: string][] = [
  ["no closing marker, and no field", "---\ntext\n"],
  ["no closing plus signs", "+++\na = 1\n---\n"],
  ["text between plus signs", "+++\ntext\n+++\n"],
  ["an indented marker", " ---\na: 1\n---\n"],
  ["an empty text", ""],
];

for (const [name, text] of NONE) {
  test(`there is no frontmatter with ${name}`, () => {
    assert.deepEqual(parseFrontmatter(text), { data: {}, block: null, bodyOffset: 0, problem: null });
  });
}

const aliasBomb = `a: &a [x]\n${"bcdefgh"
  .split("")
  .map((key, at) => `${key}: &${key} [${`*${"abcdefg"[at]},`.repeat(9)}]\n`)
  .join("")}`;

const MALFORMED: [name: string, yaml: string, data: Record<string, unknown>, problem: RegExp][] = [
  ["broken YAML", "a: 1\nb: [", { a: 1 }, /valid YAML \(line 4\)\. Not read: b\./],
  [
    "a colon in a value",
    "title: Fix: x\nstatus: done # c\ntags:\n- a",
    { status: "done", tags: ["a"] },
    /Not read: title\./,
  ],
  ["a quote that stays open", 'a: "x\nb: 2', { b: 2 }, /Not read: a\./],
  ["a quote inside quotes", "a: 'it's'\nb: |\n  c: 1\n\n  d", { b: "c: 1\n\nd\n" }, /Not read: a\./],
  ["an @", "owner: @ana\n'b': 2", { b: 2 }, /Not read: owner\./],
  ["a template", "date: {{date}}\n<%* let x = 1 %>\nx: `= this.y`\nb: 2", { b: 2 }, /Not read: date, x\./],
  ["a link behind brackets", "up: [a](b.md)\nsub title: 2", { "sub title": 2 }, /Not read: up\./],
  ["an alias of nothing", "# c\n\na: *x\nb: 2", { b: 2 }, /Not read: a\./],
  ["no line that can be read", "título: a: b", {}, /none of its fields is read/],
  ["two documents", "a: 1\n--- b", { a: 1 }, /key: value/],
  ["an unknown tag", "a: !!js/function x", {}, /valid YAML/],
  ["an alias bomb", aliasBomb, { a: ["x"] }, /valid YAML/],
  ["a value that contains itself", "a: &a [*a]", {}, /contains itself/],
  ["deep nesting", `a: ${"[".repeat(30_000)}`, {}, /valid YAML/],
  ["more than 64 KB", "a: b\n".repeat(20_000), {}, /64 KB/],
  ["too many lines", `a: [\n${"b: c\n".repeat(300)}`, {}, /none of its fields/],
];

for (const [name, yaml, data, problem] of MALFORMED) {
  test(`a block with ${name} is read line by line, and what is not read is named`, () => {
    const text = `${BOM}---\n${yaml}\n---\nbody`;
    const read = parseFrontmatter(text);
    assert.deepEqual(read.data, data);
    assert.equal(text.slice(read.bodyOffset), "body");
    assert.match(read.problem ?? "", problem);
    assert.ok((read.problem ?? "").length < 100);
  });
}

for (const yaml of ["just text", "- a\n- b", "[", "text\n\nstatus: done"]) {
  test(`text between two lines of dashes is text: ${JSON.stringify(yaml)}`, () => {
    const { problem, ...read } = parseFrontmatter(`${BOM}---\n${yaml}\n---\nbody`);
    assert.deepEqual(read, { data: {}, block: null, bodyOffset: 1 });
    assert.match(problem ?? "", /^The frontmatter is not /);
  });
}

for (const block of [
  '+++\ntitle = "x"\n+++\n',
  "+++\r\n[extra]\r\na = 1\r\n+++\r\n",
  '---json\n{"a": 1}\n---\n',
  "---toml\na = 1\n---\n",
  '{\n  "title": "a } b \\"",\n  "params": {"x": [{}]}\n}\n',
  '{ "my title": "x",\r\n"b": 1 }  \r\n',
  '{"a": 1}\n',
]) {
  test(`a block in another language is kept apart: ${JSON.stringify(block)}`, () => {
    const { data, bodyOffset, problem } = parseFrontmatter(`${block}body`);
    assert.deepEqual({ data, bodyOffset }, { data: {}, bodyOffset: block.length });
    assert.match(problem ?? "", /not YAML/);
  });
}

for (const text of [
  '{"a": 1} and more\n',
  '{"a": {\n}\n',
  "{ .class }\n",
  "{{< x >}}\n",
  '{% raw "a": %}\n',
  "{}\n",
])
  test(`braces are text here: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(parseFrontmatter(text), { data: {}, block: null, bodyOffset: 0, problem: null });
  });

test("a block without an end is named", () => {
  const { problem, ...read } = parseFrontmatter("---\na: 1\n\n# T\n");
  assert.deepEqual(read, { data: {}, block: null, bodyOffset: 0 });
  assert.match(problem ?? "", /no closing line/);
});

test("keys of the object prototype stay plain data", () => {
  const { data } = parseFrontmatter("---\n__proto__: {status: done}\nconstructor: 1\n---\n");
  assert.equal(data["status"], undefined);
  assert.equal(Object.getPrototypeOf(data), Object.prototype);
  assert.equal(({} as Record<string, unknown>)["status"], undefined);
});

test("no text makes it throw, and its offsets fit together", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { block, bodyOffset, data, problem } = parseFrontmatter(text);
      const mark = text.startsWith(BOM) ? 1 : 0;
      assert.equal(bodyOffset, block?.end ?? mark);
      if (block === null) assert.deepEqual(data, {});
      else {
        assert.ok(problem === null || problem.length < 200);
        assert.ok(mark === block.start && block.start < block.yamlStart && block.yamlStart <= block.yamlEnd);
        assert.ok(block.yamlEnd < block.end && block.end <= text.length);
      }
      JSON.stringify(data);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("simple data written as JSON reads back as itself", () => {
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const key = fc.string({ minLength: 1 }).filter((name) => name !== "__proto__");
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(scalar, fc.array(scalar)), { noNullPrototype: true }), (data) => {
      const { data: read, problem } = parseFrontmatter(`---\n${JSON.stringify(data)}\n---\nbody`);
      assert.equal(problem, null);
      assert.deepEqual(read, data);
    }),
  );
});
