import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { readSimpleYaml } from "../../src/core/markdown/simple-yaml.ts";
import { growth, PROPORTIONATE } from "../fixtures/growth.ts";

function parsed(yaml: string): unknown {
  try {
    const documents = loadAll(yaml, { schema: CORE_SCHEMA });
    return documents.length > 1 ? "several" : (documents[0] ?? {});
  } catch {
    return "no YAML";
  }
}

test("plain lines are read as the YAML parser reads them", () => {
  const yaml =
    "status: in-progress\nupdated: 2025-02-09\ntags: [api, rate limits, diseño]\n\nowner: María  \r\n";
  const expected = {
    status: "in-progress",
    updated: "2025-02-09",
    tags: ["api", "rate limits", "diseño"],
    owner: "María",
  };
  assert.deepEqual(readSimpleYaml(yaml), expected);
  assert.deepEqual(parsed(yaml), expected);
});

test("what could mean something else is left to the parser", () => {
  const others = [
    "a: true",
    "a: 5",
    "a: 'x'",
    "a: x # c",
    "a:",
    "a: [x, ]",
    "a: [x, y",
    "- x",
    "a: x\na: y",
    "a: &x y",
    "a: |\n  x",
    "a: {b: c}",
    "null: x",
    "a : x",
    "__proto__: x",
    "a: x\ry",
    "a: 2025-02-09T10:00",
    "a:\u00A0x",
  ];
  for (const yaml of others) assert.equal(readSimpleYaml(yaml), null, yaml);
});

test("whatever it reads, the parser reads alike", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "in-progress",
      "a b",
      "null",
      "Yes",
      "x/y.md",
      "2025-02-09",
      "0x1",
      "-",
      "é",
      "[a, b]",
      "[a,b ]",
      "[ ]",
    ),
    fc.string({ unit: fc.constantFrom(..."aZ0 -_./@+():,[]{}#&*!|>'\"%\t\r日é\u0301"), maxLength: 8 }),
  );
  const line = fc
    .tuple(fc.constantFrom("a", "b-c", "Tags", "y", "true"), word)
    .map(([key, value]) => `${key}: ${value}`);
  const yaml = fc
    .array(fc.oneof({ weight: 4, arbitrary: line }, word), { maxLength: 4 })
    .map((lines) => lines.join("\n"));
  let read = 0;
  fc.assert(
    fc.property(yaml, (text) => {
      const simple = readSimpleYaml(text);
      if (simple === null) return;
      if (Object.keys(simple).length > 0) read++;
      assert.deepEqual(simple, parsed(text));
    }),
    { numRuns: 5000 },
  );
  assert.ok(read > 100, `only ${read} were read`);
});

test("the time to read a line grows with it, also where it is nothing but spaces", () => {
  const read = (text: string) => readSimpleYaml(text);
  assert.ok(growth((length) => `a: x${" ".repeat(length)}y`, read, 16_000) < PROPORTIONATE);
  assert.ok(growth((length) => `a: [x${" ".repeat(length)}y]`, read, 16_000) < PROPORTIONATE);
});
