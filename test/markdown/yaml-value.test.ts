import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { CORE_SCHEMA, EVENT_ID, load, parseEvents, SCALAR_STYLE, YAML11_SCHEMA } from "js-yaml";
import { UserError } from "../../src/core/lib/errors.ts";
import { dumpMapping, dumpValue, toYamlData } from "../../src/core/markdown/yaml-value.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const VALUES: [value: unknown, yaml: string][] = [
  [["backend", "fts5", "search"], "[backend, fts5, search]"],
  ["done", "done"],
  ["2025-02-09", "'2025-02-09'"],
  [{ due: "2025-02-09", day: "2025-02-09" }, "{due: 2025-02-09, day: '2025-02-09'}"],
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

/** What other readers of YAML take for something else than text: the types of YAML 1.1 with what PyYAML and Psych make of them. */
const YAML_1_1: [type: string, pattern: RegExp][] = [
  ["boolean", /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/],
  ["boolean in any letter case (Psych)", /^(?:yes|true|on|no|false|off)$/i],
  ["null", /^(?:~|null|Null|NULL|)$/],
  ["binary number", /^[-+]?0b[01_]+$/],
  ["octal number", /^[-+]?0[0-7_]+$/],
  ["octal number of 1.2", /^0o[0-7]+$/],
  ["number", /^[-+]?(?:0|[1-9][0-9_]*)$/],
  ["number with commas (Psych)", /^[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)$/],
  ["hexadecimal number", /^[-+]?0x[0-9a-fA-F_]+$/],
  ["number of base 60", /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/],
  ["number with a point", /^[-+]?(?:[0-9][0-9_]*)?\.[0-9.]*(?:[eE][-+][0-9]+)?$/],
  ["number with an exponent (1.2)", /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/],
  ["number of base 60 with a point", /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/],
  ["infinity", /^[-+]?\.(?:inf|Inf|INF)$/],
  ["not a number", /^\.(?:nan|NaN|NAN)$/],
  ["day", /^\d{4}-\d\d?-\d\d?$/],
  ["time", /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/],
  ["merge", /^<<$/],
  ["default value", /^=$/],
  ["symbol (Psych)", /^:./],
];

const ODD = (
  "no No nO yes YES on oN off y Y n N true True null Null ~ = << 1e3 1E3 1e+3 0123 0x1F -0x1f 0o17 0b11 010 -010 12:30:45 1:2 " +
  "190:20:30.15 2026-01-05 2026-1-5 2026-01-05T10:00:00Z 2026-01-05T10:00 1_000 1,000 +1 -1 -_1 .5 5. 1.2.3 . ._ .inf -.Inf .nan .NaN - " +
  ":x : ? -- --- ... & * ! % @ ` | > # , [ ] { } '"
).split(" ");

const oddText = fc.oneof(
  fc.constantFrom(
    ...ODD,
    "",
    " ",
    "2026-01-05 10:00:00",
    "a: b",
    "a #b",
    "'x'",
    '"x"',
    "x\\y",
    "\t",
    "\u0085",
    "a\u2028b",
  ),
  fc.string({ unit: fc.constantFrom(..."0123456789abefnotxyTZ_.,:+-~=<> '\"#"), maxLength: 9 }),
  fc.string({ unit: "binary", maxLength: 6 }).filter((text) => text.isWellFormed()),
);

function checkAlike(data: Record<string, unknown>): void {
  const yaml = dumpMapping(data);
  for (const schema of [CORE_SCHEMA, YAML11_SCHEMA]) assert.deepEqual(load(yaml, { schema }), data, yaml);
  for (const event of parseEvents(yaml, {})) {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) continue;
    const text = yaml.slice(event.valueStart, event.valueEnd);
    const [type] = YAML_1_1.find(([, pattern]) => pattern.test(text)) ?? [];
    assert.equal(type, undefined, yaml);
  }
}

test("text is text to readers of YAML 1.1 and 1.2, in values, lists and keys", () => {
  for (const text of ODD) checkAlike({ a: text, b: [text], [text]: "x", c: { d: [text, "y z"] } });
  fc.assert(
    fc.property(oddText, oddText, (value, key) => {
      fc.pre(key !== "__proto__");
      checkAlike({ owner: value, list: [value, "x"], [`${key}`]: { [`${key}`]: value } });
    }),
    { numRuns: numRuns(10_000) },
  );
});

test("numbers are numbers to both", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constantFrom(1e21, 1e-7, -0)),
      (value) => {
        for (const schema of [CORE_SCHEMA, YAML11_SCHEMA])
          assert.deepEqual(load(dumpMapping({ a: value }), { schema }), { a: value });
      },
    ),
  );
});

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
