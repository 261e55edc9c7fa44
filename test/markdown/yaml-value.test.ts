import assert from "node:assert/strict";
import test from "node:test";
import { UserError } from "../../src/lib/errors.ts";
import { dumpMapping, dumpValue, toYamlData } from "../../src/markdown/yaml-value.ts";

const VALUES: [value: unknown, yaml: string][] = [
  [["backend", "fts5", "search"], "[backend, fts5, search]"],
  ["done", "done"],
  ["2025-02-09", "2025-02-09"],
  ["42", "'42'"],
  ["true", "'true'"],
  ["null", "'null'"],
  ["", "''"],
  ["a: b # c", "'a: b # c'"],
  ["two\nlines\n", '"two\\nlines\\n"'],
  ["---", "---"],
  [["a, b", "c"], "['a, b', c]"],
  [{ a: { b: [1, null] } }, "{a: {b: [1, null]}}"],
  ["word ".repeat(60).trim(), "word ".repeat(60).trim()],
];

for (const [value, yaml] of VALUES) {
  test(`the value ${JSON.stringify(value).slice(0, 40)} is written on one line`, () => {
    assert.equal(dumpValue(value), yaml);
    assert.equal(dumpMapping({ a: value }), `a: ${yaml}\n`);
  });
}

test("a mapping has a line for each key, and none when it is empty", () => {
  assert.equal(dumpMapping({ a: 1, "b: c": null, "#": [] }), "a: 1\n'b: c': null\n'#': []\n");
  assert.equal(dumpMapping({}), "");
});

test("data is copied without what its objects inherit", () => {
  const shared = { b: [1, "x", null, true] };
  const data = { a: shared, c: shared, ...JSON.parse('{"__proto__": {"d": 1}}') };
  assert.deepEqual(toYamlData(Object.assign(Object.create(null), data)), data);
  assert.notEqual(toYamlData(data)["a"], shared);
  assert.deepEqual(Object.keys(toYamlData(JSON.parse('{"__proto__": 1}'))), ["__proto__"]);
});

const circular: unknown[] = [];
circular.push(circular, circular);

const REFUSED: [name: string, value: unknown][] = [
  ["a function", () => 1],
  ["undefined", undefined],
  ["a bigint", 1n],
  ["a symbol", Symbol("a")],
  ["a date", new Date(0)],
  ["a map", new Map()],
  ["a list that contains itself", circular],
  ["a list of thirty levels", JSON.parse(`${"[".repeat(30)}${"]".repeat(30)}`)],
];

for (const [name, value] of REFUSED) {
  test(`data with ${name} is refused, and the field is named`, () => {
    for (const held of [value, [value], { b: value }]) {
      assert.throws(
        () => toYamlData({ a: 1, owner: held }),
        (error) =>
          error instanceof UserError && error.code === "INVALID_ARGUMENT" && /'owner'/.test(error.message),
      );
    }
  });
}
