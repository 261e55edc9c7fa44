import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../src/markdown/frontmatter.ts";
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
  ["dots as closing marker", "---\na: 1\n...\nbody", { a: 1 }, "body"],
  ["nothing in it", "---\n---\nbody", {}, "body"],
  ["only comments in it", "---\n# nothing yet\n---\nbody", {}, "body"],
  ["nothing after it", "---\na: 1\n---", { a: 1 }, ""],
  ["dates kept as text", "---\nupdated: 2025-02-09\n---\n", { updated: "2025-02-09" }, ""],
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
  ["no closing marker", "---\na: 1\n"],
  ["a marker that is not first", "\n---\na: 1\n---\n"],
  ["an indented marker", " ---\na: 1\n---\n"],
  ["four dashes", "----\na: 1\n----\n"],
  ["words after the marker", "--- a\nb: 1\n---\n"],
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

const MALFORMED: [name: string, yaml: string, problem: RegExp][] = [
  ["broken YAML", "a: 1\nb: [", /valid YAML/],
  ["a key given twice", "a: 1\nb: 2\na: 3", /line 4/],
  ["plain text", "just text", /key: value/],
  ["a list", "- a\n- b", /key: value/],
  ["two documents", "a: 1\n--- b", /key: value/],
  ["an unknown tag", "a: !!js/function x", /valid YAML/],
  ["an alias bomb", aliasBomb, /valid YAML/],
  ["a value that contains itself", "a: &a [*a]", /contains itself/],
  ["deep nesting", `a: ${"[".repeat(30_000)}`, /valid YAML/],
  ["a NUL character", "a: \0", /valid YAML/],
  ["more than 64 KB", "a: b\n".repeat(20_000), /64 KB/],
];

for (const [name, yaml, problem] of MALFORMED) {
  test(`a block with ${name} counts as none, stays in the body and is reported`, () => {
    const text = `${BOM}---\n${yaml}\n---\nbody`;
    const read = parseFrontmatter(text);
    assert.deepEqual(
      { data: read.data, block: read.block, bodyOffset: read.bodyOffset },
      {
        data: {},
        block: null,
        bodyOffset: 1,
      },
    );
    assert.match(read.problem ?? "", problem);
    assert.ok((read.problem ?? "").length < 100);
  });
}

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
        assert.equal(problem, null);
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
