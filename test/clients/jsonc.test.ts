import assert from "node:assert/strict";
import { test } from "node:test";
import { appendJson, parseJson, removeJson, setJson } from "../../src/setup/clients/jsonc.ts";

const ENTRY = { command: "a", args: [1, "x"], env: {} };

test("comments of an otherwise empty file stay before the new object", () => {
  assert.equal(setJson("", ["a"], 1), '{\n  "a": 1\n}\n');
  assert.equal(setJson(" \n", ["a"], 1), '{\n  "a": 1\n}\n');
  assert.equal(setJson("// mine\n\n", ["a", "b"], 1), '// mine\n{\n  "a": {\n    "b": 1\n  }\n}\n');
});

test("an addition to a line follows its style", () => {
  assert.equal(setJson('{"a":1}', ["b"], ENTRY), '{"a":1,"b":{"command":"a","args":[1,"x"],"env":{}}}');
  assert.equal(
    setJson('{ "a": 1 }', ["b"], ENTRY),
    '{ "a": 1, "b": { "command": "a", "args": [1, "x"], "env": {} } }',
  );
  assert.equal(setJson('{ "a": 1, }', ["b"], 2), '{ "a": 1, "b": 2, }');
  assert.equal(setJson('{ "a": 1 /* one */ }', ["b"], 2), '{ "a": 1, /* one */ "b": 2 }');
  assert.equal(appendJson('{"a": [1, 2]}', ["a"], 3), '{"a": [1, 2, 3]}');
});

test("only a list can be appended to, and only an object has keys", () => {
  assert.throws(() => appendJson('{\n"a": {}}', ["a"], 1), { message: '"a" must be a list', line: 2 });
  assert.throws(() => appendJson("{}", ["a"], 1), { message: '"a" must be a list', line: 1 });
  assert.throws(() => setJson('{\n\n"a": 1}', ["a", "b"], 1), { message: "must be an object", line: 3 });
  assert.throws(() => parseJson("\n[1]", false), { message: "not a JSON object", line: 2 });
});

test("a removed value takes its comma and lines along, and comments stay", () => {
  const cases: [string, (string | number)[], string][] = [
    ['{"a": 1, "b": 2}', ["a"], '{"b": 2}'],
    ['{"a": 1, "b": 2}', ["b"], '{"a": 1}'],
    ['{\n  "a": 1,\n  "b": 2\n}', ["b"], '{\n  "a": 1\n}'],
    ['{\n  "a": 1, // why\n  "b": 2,\n}', ["a"], '{\n  "b": 2,\n}'],
    ['{\n  // mine\n  "a": 1\n}', ["a"], "{\n  // mine\n}"],
    ['{\n  "a": 1,\n  "b": 2}', ["b"], '{\n  "a": 1}'],
    ['{ "a": 1 /* , */ }', ["a"], "{}"],
    ['{"a": [1, 2]}', ["a", 1], '{"a": [1]}'],
    ['{ "s": { "a": 1, } }', ["s", "a"], '{ "s": {} }'],
    ['{\n  "a": [1, 2, 3]\n}', ["a", 1], '{\n  "a": [1, 3]\n}'],
    ['{"a": {"b": 1}}', ["a", "b"], '{"a": {}}'],
  ];
  for (const [before, path, after] of cases) assert.equal(removeJson(before, path), after, before);
});

test("adding and removing restores every byte, with comments and trailing commas", () => {
  for (const text of [
    '{"a":1}',
    '{ "a": 1, }',
    '{ "a": [1] /* , */ }',
    '{\n\t"a": { "b": "}" } // a, b\n}\n',
    '{\r\n  "a": 1, // "b": 2,\r\n  // own\r\n}',
    '// x\n{\n  "a": 1 /* two\n lines */\n\n  // own\n}',
  ]) {
    const added = setJson(text, ["c"], ENTRY);
    assert.equal(JSON.stringify(parseJson(added, false)["c"]), JSON.stringify(ENTRY));
    assert.equal(removeJson(added, ["c"]), text, added);
  }
});

test("removing a missing key changes nothing", () => {
  for (const text of ["", "{}", '{"a": 1}', "// mine\n"]) assert.equal(removeJson(text, ["b"]), text);
  assert.equal(removeJson('{"a": {}}', ["a", 0]), '{"a": {}}');
});
