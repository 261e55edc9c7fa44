import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../src/core/markdown/frontmatter.ts";
import { mergeFrontmatter } from "../../src/core/markdown/frontmatter-edit.ts";
import { editYaml } from "../../src/core/markdown/yaml-edit.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { blockOf, fieldKey, fieldValue, yamlFields } from "../fixtures/yaml.ts";

test("a layout that has no lines of its own for a key is left to the caller", () => {
  const change = new Map([["a", 2]]);
  assert.equal(editYaml("{a: 1}\n", change, "\n"), null);
  assert.equal(editYaml("? a # c\n: 1\n", change, "\n"), null);
  assert.equal(editYaml("? a\n: 1\n", change, "\n"), "? a\n: 2\n");
});

test("generated fields are valid frontmatter more often than not", () => {
  const texts = fc.sample(yamlFields, 500).map((fields) => blockOf(fields, "\n"));
  assert.ok(texts.filter((text) => parseFrontmatter(text).problem === null).length > 450);
});

test("a merge leaves every line of other fields and every comment between fields as it was", () => {
  fc.assert(
    fc.property(
      yamlFields,
      fc.constantFrom("\n", "\r\n"),
      fieldKey,
      fieldValue,
      (fields, ending, key, value) => {
        const text = blockOf(fields, ending);
        fc.pre(fields.length > 0 && parseFrontmatter(text).problem === null);
        const changed = fields.findIndex((field) => field.key === key);
        const above = fields.slice(0, changed === -1 ? fields.length : changed);
        const below = changed === -1 ? [] : fields.slice(changed + 1);
        const head = blockOf(above, ending).slice(0, -3 - ending.length);
        const tail = blockOf(below, ending).slice(3 + ending.length);
        const kept = (fields[changed]?.above ?? []).map((line) => line + ending).join("");
        // Blank lines after a removed field would become text of a block above that keeps its last blank lines.
        const isKept = above.at(-1)?.lines[0]?.endsWith("|+") ?? false;
        for (const change of isKept ? [value] : [value, null]) {
          const merged = mergeFrontmatter(text, { [key]: change });
          if (merged === "") return;
          assert.ok(merged.startsWith(head + kept), `${merged} does not start with ${head + kept}`);
          assert.ok(merged.endsWith(tail), `${merged} does not end with ${tail}`);
        }
      },
    ),
    { numRuns: numRuns(2000) },
  );
});
