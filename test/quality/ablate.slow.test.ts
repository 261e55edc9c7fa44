import assert from "node:assert/strict";
import { test } from "node:test";
import { ablate, renderAblation, TECHNIQUES } from "../../scripts/quality/ablate.ts";
import { withWorkspace } from "../../scripts/quality/run.ts";
import { TUNING } from "../../src/search/weights.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("every technique can be taken away", () => {
  const touched = new Set(Object.values(TECHNIQUES).flatMap((tuning) => Object.keys(tuning)));
  // The number of words up to which a second passage counts is no technique of its own; no query says where it is asked.
  const rest = ["keywords", "preferredProject", "also"];
  assert.deepEqual(
    [...touched].sort(),
    Object.keys(TUNING)
      .filter((name) => !rest.includes(name))
      .sort(),
  );
  for (const [name, tuning] of Object.entries(TECHNIQUES))
    assert.notDeepEqual({ ...TUNING, ...tuning }, TUNING, name);
});

test("what a technique contributes is the difference without it", async (t) => {
  const root = makeWorkspace(t, {
    "a/notes/kiln.md": "# Kiln\n\nFire it.\n",
    "a/notes/glaze.md": "# Glaze\n",
  });
  const queries = [
    { id: "1", class: "typo", query: "klin", relevant: ["a/notes/kiln.md"], ignore: [] },
    { id: "2", class: "plain", query: "glaze", relevant: ["a/notes/glaze.md"], ignore: [] },
  ];
  const rows = await withWorkspace({ root, boost: 0, now: new Date() }, (workspace) =>
    ablate(workspace, queries, { damping: 0, now: new Date() }),
  );
  assert.deepEqual(
    rows.map(({ without }) => without),
    ["(nothing)", ...Object.keys(TECHNIQUES)],
  );
  const [all] = rows;
  const corrected = rows.find(({ without }) => without.startsWith("correction"));
  assert.equal(all?.figures.mrr, 100);
  assert.equal(corrected?.figures.mrr, 50);
  assert.deepEqual([corrected?.lower, corrected?.higher], [1, 0]);
  assert.match(
    renderAblation(rows),
    /^correction of unknown words +50\.0 +-50\.0 +50\.0 +-50\.0 +1 lower, 0 higher$/m,
  );
});
