import assert from "node:assert/strict";
import { test } from "node:test";
import { measurePoint } from "../../scripts/scale/measure.ts";
import { merge, parseMarkdown, renderMarkdown, tableOf } from "../../scripts/scale/table.ts";
import { builtFile } from "../fixtures/built.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

test("the built server is measured, and the table keeps earlier figures", async (t) => {
  const options = { documents: 40, repeats: 1, settle: 0 };
  const point = await measurePoint(builtFile(t), temporaryFolder(t), options);
  for (const [name, value] of Object.entries(point)) assert.ok(Number.isFinite(value) && value > 0, name);
  const table = tableOf([point, { ...point, documents: 1000 }]);
  assert.deepEqual(table.documents, [40, 1000]);
  assert.deepEqual(parseMarkdown(renderMarkdown(table)), table);
  const newer = tableOf([
    { ...point, documents: 200 },
    { ...point, documents: 1000, write: 7000 },
  ]);
  const merged = merge(table, newer);
  assert.deepEqual(merged.documents, [40, 200, 1000]);
  const [was = 0] = table.rows.find(({ title }) => title === "Write")?.values ?? [];
  assert.deepEqual(merged.rows.find(({ title }) => title === "Write")?.values, [was, was, 7000]);
});
