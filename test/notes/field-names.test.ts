import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../src/core/markdown/frontmatter.ts";
import { describeDocument } from "../../src/core/notes/document.ts";
import { fieldsOf, nameOfKey } from "../../src/core/notes/field-names.ts";
import { mergeNotes } from "../../src/core/notes/merge/merge.ts";
import { setFields, setKeys } from "../../src/core/notes/set-fields.ts";
import { changeTask, type TaskChanges } from "../../src/core/notes/task/edit.ts";
import { readStatuses, setTaskStatus } from "../../src/core/notes/task/status.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const AT = { project: "p", folder: "tasks", filename: "001-a.md" };
const note = (fields: string, body = "# Task: A\n") => `---\n${fields}\n---\n${body}`;

const MEANINGS: Record<string, string[]> = {
  status: ["status", "Status", "STATUS", "Estado", "状態", "ステータス"],
  priority: ["Priority", "Prio", "prioridad", "優先度"],
  due: ["Due", "due_date", "dueDate", "Due Date", "due-date", "DUE", "Deadline", "fecha límite", "期限"],
  owner: ["Owner", "Assignee", "assigned_to", "assignedTo", "responsable", "担当"],
  tags: ["Tags", "tag", "Etiquetas", "タグ"],
  dependencies: ["Dependencies", "depends_on", "dependsOn", "blockedBy", "blocked-by", "Depende de", "依存"],
  claimed_until: ["Claimed_Until", "claimed until"],
  updated: [
    "Updated",
    "updated_date",
    "lastmod",
    "last_modified_at",
    "date modified",
    "dateModified",
    "modified",
    "updatedDate",
    "updated_at",
    "last_update",
    "lastEditedTime",
    "actualizado",
    "fecha de modificación",
    "更新日",
    "zuletzt geändert",
    "mis à jour",
    "data de atualização",
    "更新时间",
  ],
  created: ["created"],
  last_review: ["last review"],
  other_key: ["Other Key", "other-key"],
};

for (const [name, keys] of Object.entries(MEANINGS))
  for (const key of keys)
    test(`the key ${JSON.stringify(key)} is ${name}, and is written back as it stands`, () => {
      assert.equal(nameOfKey(key), name);
      const text = setFields(note(`x: 1\n"${key}": a # why\ny: 2`), { [name]: "b" });
      assert.equal(text, note(`x: 1\n"${key}": b # why\ny: 2`));
      assert.equal(fieldsOf(parseFrontmatter(text).data)[name], "b");
    });

const CAPITALS = note(
  "Status: Done\nTags: [Auth]\nOwner: ana\nPriority: High\nDue: 2026-12-01\nUpdated: 2026-11-01",
);

test("keys in capitals say what others do, and each change stays in its line", () => {
  const { status, tags, owner, updated, task } = describeDocument(AT, CAPITALS);
  assert.deepEqual([status, tags, owner, updated], ["done", ["auth"], "ana", "2026-11-01"]);
  assert.deepEqual([task?.priority, task?.due], ["high", "2026-12-01"]);
  assert.equal(setTaskStatus(CAPITALS, "blocked"), CAPITALS.replace("Done", "blocked"));
  const changes: [TaskChanges, string, string][] = [
    [{ priority: "low" }, "High", "low"],
    [{ owner: "eva" }, "ana", "eva"],
    [{ due: "2027-01-01" }, "2026-12-01", "2027-01-01"],
    [{ due: null }, "Due: 2026-12-01\n", ""],
    [{ priority: "high", tags: ["AUTH"] }, "", ""],
  ];
  for (const [change, old, text] of changes)
    assert.equal(changeTask(CAPITALS, change).text, CAPITALS.replace(old, text));
});

test("a value in a list of one is that value", () => {
  const text = note("status: [done]\npriority:\n  - high\nowner: [ana]\ndue: [2026-12-01]");
  const { status, owner, task } = describeDocument(AT, text);
  assert.deepEqual([status, owner, task?.priority, task?.due], ["done", "ana", "high", "2026-12-01"]);
  assert.equal(setTaskStatus(text, "blocked"), text.replace("[done]", "blocked"));
  assert.equal(changeTask(text, { priority: "high", due: "2026-12-01", owner: "ana" }).text, text);
});

test("of two keys the exact one counts; those of a list are one list, and a new one takes their place", () => {
  assert.equal(readStatuses(note("Status: done\nstatus: pending")).frontmatter, "pending");
  const tags = note("tag: x\nTags: [y, z]");
  assert.deepEqual(describeDocument(AT, tags).tags, ["x", "y", "z"]);
  assert.equal(changeTask(tags, { tags: ["w"] }).text, note("tag: [w]"));
  assert.equal(changeTask(note("Due: 2026-12-01\nx: 1\ndue: 2026-12-02"), { due: null }).text, note("x: 1"));
});

test("a key that a client names is written under the one that stands there", () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ["Status: a", { status: "b" }, "Status: b"],
    ["assignee: a", { owner: "b" }, "assignee: b"],
    ["depends_on: [1]", { blocked_by: [2] }, "depends_on: [1]\nblocked_by: [2]"],
    ["Status: a\nstatus: c", { status: null }, "Status: a"],
  ];
  for (const [before, changes, after] of cases) assert.equal(setKeys(note(before), changes), note(after));
});

test("a merge takes keys in another letter case for the same", () => {
  const merge = (base: string, ours: string, theirs: string) =>
    mergeNotes({ base: note(base), ours: note(ours), theirs: note(theirs) }, { isSession: false });
  const merged = merge(
    "Tags: [a]\nDue: 2026-01-01",
    "Tags: [a, b]\nDue: 2026-01-01",
    "Tags: [a, c]\nDue: 2026-01-02",
  );
  assert.deepEqual(merged, { text: note("Tags: [a, b, c]\nDue: 2026-01-02"), conflicts: 0 });
  const texts = merge("tags: a, b", "tags: a, b, c", "tags: b, d");
  assert.deepEqual(texts, { text: note("tags: [b, c, d]"), conflicts: 0 });
  assert.equal(merge("x: 1", "x: 1\nDue: 2026-01-01", "x: 1\ndue: 2026-01-02").conflicts, 1);
  assert.equal(
    merge("Status: pending", "Status: done", "Status: pending\nx: 1").text,
    note("Status: done\nx: 1"),
  );
});

const LABELS: [before: string, status: string][] = [
  ["Estado: hecho", "done"],
  ["状態: 進行中", "in-progress"],
  ["- 状態：**保留**", "blocked"],
  ["Status:: [[done]]", "done"],
];

for (const [line, status] of LABELS)
  test(`${line} is read, and written back in its line`, () => {
    const before = `# Task: A\n\n${line}\n\n## Pasos\n1. [ ] a\n`;
    assert.equal(describeDocument(AT, before).status, status);
    const after = setTaskStatus(before, "review");
    const [label = "", value = ""] = line.split(/(?<=[:：] ?(?:\*\*)? ?)(?=[^:：*\s])/u);
    assert.equal(
      after,
      before.replace(label + value, label + (value.endsWith("**") ? "review**" : "review")),
    );
    assert.equal(describeDocument(AT, after).status, "review");
  });

test("a field is written and read back under any key, and what is said already changes nothing", () => {
  const key = fc.constantFrom(...Object.values(MEANINGS).flat());
  const value = fc.constantFrom("a", "high", "2026-12-01", "yes", "12:30", "- x", "[[a]]");
  const property = fc.property(
    fc.uniqueArray(key, { selector: nameOfKey }),
    value,
    value,
    (keys, was, is) => {
      const before = note(["x: 1", ...keys.map((one) => `"${one}": ${JSON.stringify(was)}`)].join("\n"));
      for (const name of keys.map(nameOfKey)) {
        const after = setFields(before, { [name]: is });
        assert.equal(fieldsOf(parseFrontmatter(after).data)[name], is);
        assert.equal(setFields(after, { [name]: is }), after);
        assert.deepEqual(
          parseFrontmatter(setFields(after, { [name]: was })).data,
          parseFrontmatter(before).data,
        );
      }
    },
  );
  fc.assert(property, { numRuns: numRuns(10_000) });
});
