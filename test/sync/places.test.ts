import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPlaces } from "../../src/together/sync/places.ts";

interface Row {
  ours: string[];
  /** All files afterwards. */
  after: string[];
  /** What the remote has besides notes that can be here. */
  others?: string[];
  clash: string | null;
}

const rows: Record<string, Row> = {
  "a file where the remote has a folder": { ours: ["p/a"], after: ["p/a", "p/a/c.md"], clash: "p/a" },
  "a folder where the remote has a file": { ours: ["p/a/c.md"], after: ["p/a/c.md", "p/a"], clash: "p/a" },
  "a file takes the name of a folder that goes": { ours: ["p/a"], after: ["p/a"], clash: null },
  "a folder takes the name of a file that goes": { ours: ["p/a"], after: ["p/a/c.md"], clash: null },
  "a link where our file is": { ours: ["p/a.md"], after: [], others: ["p/a.md"], clash: "p/a.md" },
  "a link where our folder is": { ours: ["p/x/b.md"], after: ["p/x/b.md"], others: ["p/x"], clash: "p/x" },
  "a hidden file below our file": { ours: ["p/y"], after: ["p/y"], others: ["p/y/.z"], clash: "p/y" },
  "a hidden file beside ours": { ours: ["p/a.md"], after: ["p/a.md"], others: ["p/.z"], clash: null },
};

for (const [name, { ours, after, others = [], clash }] of Object.entries(rows))
  test(name, () => {
    const treeOf = (paths: string[]) => new Map(paths.map((path) => [path, "1"]));
    const check = () =>
      checkPlaces({ ours: treeOf(ours) }, { tree: treeOf(after), meetings: [] }, new Set(others));
    if (clash === null) check();
    else assert.throws(check, { code: "CONFLICT", message: new RegExp(`^'${clash}' is a file on one side`) });
  });
