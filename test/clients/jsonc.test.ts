import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson, setJson } from "../../src/setup/clients/jsonc.ts";

test("a key is added, changed and removed, in the line endings and the indentation of the text", () => {
  const cases: [string, string[], number | undefined, string][] = [
    ["", ["a", "b"], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['{\r\n\t"a": 1\r\n}', ["b"], 2, '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}'],
    ['{\n    "a": 1, // why\n}', ["a"], 2, '{\n    "a": 2, // why\n}'],
    ['// mine\n{\n  "a": 1,\n  "b": 2\n}', ["b"], undefined, '// mine\n{\n  "a": 1\n}'],
    ['{\n  "a": 1\n}', ["b"], undefined, '{\n  "a": 1\n}'],
  ];
  for (const [before, path, value, after] of cases) assert.equal(setJson(before, path, value), after, before);
});

test("what is not an object is refused with the line", () => {
  assert.throws(() => parseJson("\n[1]", false), { message: "not a JSON object", line: 2 });
});
