import assert from "node:assert/strict";
import { test } from "node:test";
import { describeDocument, locateDocument } from "../../../src/core/notes/document.ts";
import { lookupOf } from "../../../src/core/notes/link/target.ts";
import {
  directSuccessors,
  lastOf,
  laterThan,
  type Successors,
} from "../../../src/core/notes/standing/successors.ts";

const standingOf = (text: string, path = "p/decisions/0003-old.md") => {
  const location = locateDocument(path) ?? assert.fail(path);
  return describeDocument(location, text).standing ?? { relations: [] };
};

/** What a document says: its word, `< x` for what takes its place, and `> x` for what it takes the place of. */
const said = (text: string, path?: string) => {
  const { word, relations } = standingOf(text, path);
  return [word ?? "", ...relations.map(({ field, path }) => `${field === "supersedes" ? ">" : "<"} ${path}`)];
};

const SAID: Record<string, string[]> = {
  // Fields.
  "---\nsuperseded_by: 0012-new.md\n---\n# A": ["superseded", "< 0012-new.md"],
  "---\nSuperseded-By: [4, 5]\n---\n# A": ["superseded", "< 4", "< 5"],
  '---\nreplaced_by: "[[0012-new]]"\n---\n# A': ["superseded", "< 0012-new"],
  "---\nreplacedBy: [[0012-new]]\n---\n# A": ["superseded", "< 0012-new"],
  "---\nsupersedes: ADR 3, ADR 4\nreplaces: 2\n---\n# A": ["", "> ADR 3", "> ADR 4", "> 2"],
  "---\nsustituido_por: 0012\n---\n# A": ["superseded", "< 12"],
  "---\n置き換え先: 0012-new\n---\n# A": ["superseded", "< 0012-new"],
  // A status in frontmatter.
  "---\nstatus: superseded\n---\n# A": ["superseded"],
  "---\nstatus: Rejected\n---\n# A": ["rejected"],
  "---\nstatus: 非推奨\n---\n# A": ["deprecated"],
  "---\nstatus: 已废弃\n---\n# A": ["obsolete"],
  "---\nstatus: superseded by [ADR-0012](0012-new.md)\n---\n# A": ["superseded", "< ./0012-new.md"],
  "---\nstatus: superseded by ADR-0012\n---\n# A": ["superseded", "< ADR-0012"],
  // Under a heading.
  "# A\n\n## Status\n\nSuperseded by [ADR 12](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\nStatus\n------\n\nSuperceded by [12. New](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## Status\n\nAccepted\n\nSupercedes [2. Older](0002-older.md)\n\nAmends [1. A](0001-a.md)\n": [
    "",
    "> ./0002-older.md",
  ],
  "# A\n\n## Status\n\n~~Accepted~~ Superseded (see [[0012-new]]).\n": ["superseded", "< 0012-new"],
  "# A\n\n## Superseded by\n\n- [ADR 12](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## Estado\n\nReemplazada por [ADR 12](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## ステータス\n\n[ADR 12](0012-new.md) に置き換えられた\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## Status\n\n**Deprecated** (2026-01-02), too slow\n": ["deprecated"],
  // Behind a label.
  "# A\n\n- Status: superseded by [20260102-new](20260102-new.md)\n- Date: 2026-01-01\n": [
    "superseded",
    "< ./20260102-new.md",
  ],
  "# A\n\n* Status: accepted, supersedes [ADR 2](0002-a.md), superseded by [ADR 12](0012-new.md)\n": [
    "superseded",
    "> ./0002-a.md",
    "< ./0012-new.md",
  ],
  "# A\n\n**Superseded by:** ADR-0012\n": ["superseded", "< ADR-0012"],
  // In other languages.
  "# A\n\n## Status\n\nErsetzt durch [ADR 12](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## Statut\n\nRemplacée par [ADR 12](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## Remplacé par\n\n[ADR 12](0012-new.md)\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n## Status\n\nAceita, substitui [ADR 2](0002-a.md)\n": ["", "> ./0002-a.md"],
  "# A\n\n## Status\n\nVeraltet\n": ["obsolete"],
  "---\nstatus: rejeitada\n---\n# A": ["rejected"],
  "---\n被取代: 0012-new\n---\n# A": ["superseded", "< 0012-new"],
  // Where the status of a task may stand, too, and in a line of its own.
  "# A\n\n## Status: Superseded by [ADR 12](0012-new.md)\n\nText\n": ["superseded", "< ./0012-new.md"],
  "# A\n\n| Status | Deprecated |\n|---|---|\n| Date | 2026-01-02 |\n": ["deprecated"],
  "# A\n\n| Field | Value |\n|---|---|\n| Date | x |\n| Superseded by | [ADR 12](0012-new.md) |\n": [
    "superseded",
    "< ./0012-new.md",
  ],
  "# A\n\nState: ❌ Obsolete\n": ["obsolete"],
  "# A\n\n## Status\n\n- [ ] Rejected\n- [x] Superseded by [ADR 12](0012-new.md)\n": [
    "superseded",
    "< ./0012-new.md",
  ],
  "# A\n\n> [!warning] Superseded by [[0012-new]]\n": ["superseded", "< 0012-new"],
  "# A\r\n\r\n> **Superseded by [ADR 12](0012-new.md)**\r\n": ["superseded", "< ./0012-new.md"],
  // What is not decided, or was decided against, takes the place of nothing.
  "---\nstatus: proposed\nsupersedes: 3\n---\n# A": ["proposed"],
  "# A\n\nStatus: rejected\nSupersedes: 3\n": ["rejected"],
  // Nothing of the kind.
  "# A\n\n## Status\n\n- [ ] Superseded by [ADR 12](0012-new.md)\n- [x] Accepted\n": [""],
  "# What went\n\n- the queue\n- Replaced by [a new one](0012-new.md)\n": [""],
  "# A\n\n| ADR | Status |\n|---|---|\n| 1 | Deprecated |\n| 2 | Accepted |\n": [""],
  "# A\n\nThe old queue was superseded by [a new one](0012-new.md).\n": [""],
  "# A\n\n## Status\n\nPartially superseded by [ADR 12](0012-new.md)\n": [""],
  "# A\n\n## Status\n\nDeprecated endpoints are listed below.\n": [""],
  "# A\n\n## Status\n\n- Deprecated: the old endpoints\n": [""],
  "# A\n\n## Status\n\nAccepted\n\n- Rejected\n": [""],
  "# A\n\n```\nStatus: deprecated\n```\n": [""],
  "# A\n\n## One call\n\nStatus: deprecated\n\n### Status\n\nRejected\n": [""],
  '---\nstatus: "{proposed | accepted | superseded by ADR-0123}"\n---\n# A': [""],
  "# A\n\n## Context\n\nSuperseded by [ADR 12](0012-new.md)\n": [""],
};

for (const [text, expected] of Object.entries(SAID)) {
  test(`${JSON.stringify(text)} says ${expected.join(" ") || "nothing"}`, () => {
    assert.deepEqual(said(text), expected);
  });
}

test("a rejected decision is no cancelled task", () => {
  const statusOf = (path: string) =>
    describeDocument(locateDocument(path) ?? assert.fail(path), "---\nstatus: Rejected\n---\n# A").status;
  assert.deepEqual(["p/decisions/3.md", "p/tasks/003-a.md"].map(statusOf), ["rejected", "cancelled"]);
});

test("the status of a task is another one, and what takes its place is the same", () => {
  assert.deepEqual(said("# Task: A\n\nStatus: rejected\n", "p/tasks/003-a.md"), [""]);
  assert.deepEqual(said("---\nstatus: obsolete\nsuperseded_by: 12\n---\n# A\n", "p/tasks/003-a.md"), [
    "superseded",
    "< 12",
  ]);
});

const PATHS = [
  "p/decisions/0003-old.md",
  "p/decisions/0012-new.md",
  "p/decisions/ADR-0013-newer.md",
  "p/decisions/decision-14 - Newest.md",
  "p/decisions/0015-a.md",
  "p/decisions/0015-b.md",
  "p/references/limits.md",
  "p/repo:docs/adr/0001-a.md",
  "p/repo:docs/adr/0002-b.md",
];
const OLD = "p/decisions/0003-old.md";

const directIn = (texts: Readonly<Record<string, string>>) => {
  const said = Object.entries(texts).map(([source, text]) => ({ source, ...standingOf(text, source) }));
  return directSuccessors(said, lookupOf(PATHS), () => PATHS);
};

const NAMED: [reference: string, path: string | undefined][] = [
  ["0012-new.md", "p/decisions/0012-new.md"],
  ["0012-new", "p/decisions/0012-new.md"],
  ["decisions/0012-new.md", "p/decisions/0012-new.md"],
  ["p/decisions/0012-new.md", "p/decisions/0012-new.md"],
  ["../references/limits.md", "p/references/limits.md"],
  ["12", "p/decisions/0012-new.md"],
  ["ADR-0012: New", "p/decisions/0012-new.md"],
  ["0012-its-name-before", "p/decisions/0012-new.md"],
  ["ADR 13", "p/decisions/ADR-0013-newer.md"],
  ["decision-14", "p/decisions/decision-14 - Newest.md"],
  ["15", undefined],
  ["16", undefined],
  ["3", undefined],
  ["2026-01-02", undefined],
];

for (const [reference, path] of NAMED) {
  test(`in a folder of decisions, ${reference} names ${path ?? "nothing"}`, () => {
    const direct = directIn({ [OLD]: `---\nsuperseded_by: ${JSON.stringify(reference)}\n---\n# Old\n` });
    assert.deepEqual(direct.get(OLD), path && [path]);
  });
}

test("a document of a repository names its neighbours by number", () => {
  const direct = directIn({ "p/repo:docs/adr/0001-a.md": "# A\n\n## Status\n\nSuperseded by ADR 2\n" });
  assert.deepEqual([...direct], [["p/repo:docs/adr/0001-a.md", ["p/repo:docs/adr/0002-b.md"]]]);
});

test("one end is enough, a chain leads to the last, and a circle to nothing", () => {
  const [b, c] = ["p/decisions/0012-new.md", "p/references/limits.md"];
  const chain = directIn({
    [OLD]: "---\nsuperseded_by: 12\n---\n# Old\n",
    [c]: "---\nreplaces: 0012-new\n---\n",
  });
  assert.deepEqual(
    [laterThan(OLD, chain), lastOf(OLD, chain), lastOf(b, chain), lastOf(c, chain)],
    [[b, c], [c], [c], []],
  );
  const circle = directIn({
    [OLD]: "---\nsuperseded_by: 12\n---\n# Old\n",
    [b]: "---\nsuperseded_by: 3\n---\n",
  });
  assert.deepEqual([laterThan(OLD, circle), laterThan(b, circle)], [[], []]);
  const long = Array.from({ length: 5_000 }, (_, at) => [`p/${at}.md`, [`p/${at + 1}.md`]] as const);
  const endless: Successors = new Map(long);
  assert.deepEqual(lastOf("p/1.md", endless), ["p/5000.md"]);
});
