import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { before, type TestContext, test } from "node:test";
import { SCHEMA_VERSION } from "../../src/core/index/schema.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeWorkspace, open, temporaryFolder } from "../fixtures/workspace.ts";

const PAGE = readFileSync("docs/sqlite-schema.md", "utf8");
const QUERIES = [...PAGE.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = ""]) => sql);
const NOTES = {
  "one/tasks/001-setup.md": "# Setup\n\nStatus: pending\n\n## Objective\n\nA wombat.\n",
  "one/sessions/2026-06-01.md": "# Session\n\n## Next actions\n\nFeed the wombat.\n",
  "two/status.md": "# Two\n",
};

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

/** The saved index of the notes, and its rows as objects. */
async function savedIndex(t: TestContext) {
  const root = makeWorkspace(t, NOTES);
  const { workspace } = open(t, root);
  await workspace.index.query((db) => db.exec("SELECT 1"));
  await workspace.close();
  const file = join(root, "index.db");
  const db: SqlDatabase = new engine.Database(readFileSync(file));
  const rows = (sql: string, params = {}) => {
    const [{ columns, values } = { columns: [], values: [] }] = db.exec(sql, params);
    return values.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  };
  return { root, file, rows };
}

test("the four queries of the page answer on the saved index", async (t) => {
  const { root, rows } = await savedIndex(t);
  const [search = "", tasks = "", projects = "", stale = "", ...more] = QUERIES;
  assert.deepEqual(more, []);
  const boosts = new Map(rows(search, { ":query": "wombat" }).map(({ path, boost }) => [path, boost]));
  assert.deepEqual([...boosts.keys()].sort(), ["one/sessions/2026-06-01.md", "one/tasks/001-setup.md"]);
  assert.equal(boosts.get("one/sessions/2026-06-01.md"), 1.5 * 2.5);
  assert.deepEqual(
    rows(tasks, { ":project": "one" }).map(({ filename, status }) => [filename, status]),
    [["001-setup.md", "pending"]],
  );
  const numbers = rows(projects);
  assert.deepEqual(
    numbers.map(({ name, path, total_docs, pending_tasks, done_tasks }) => [
      name,
      path,
      total_docs,
      pending_tasks,
      done_tasks,
    ]),
    [
      ["one", join(root, "one"), 2, 1, 0],
      ["two", join(root, "two"), 1, 0, 0],
    ],
  );
  assert.match(String(numbers[0]?.["last_session"]), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.deepEqual(rows(stale), []);
});

test("the page is about the present schema", () => {
  const version = `${Math.floor(SCHEMA_VERSION / 100)}.${SCHEMA_VERSION % 100}`;
  const prose = PAGE.replaceAll(/```sql[^`]+```/g, "");
  const named = [...prose.matchAll(/\b2\.\d+\b/g)].map(([text]) => text);
  assert.deepEqual([...new Set(named)], [version]);
});

test("the page explains every table and column", async (t) => {
  const { rows } = await savedIndex(t);
  for (const table of ["meta", "projects", "documents", "links", "chunks", "chunks_fts"]) {
    const [, part = ""] = PAGE.split(`**${table}**`);
    for (const { name } of rows(`SELECT name FROM pragma_table_info('${table}')`))
      assert.ok(part.split("\n\n**")[0]?.includes(`\`${name}\``), `${table}.${name}`);
  }
});

test("an index that moved along with its folder says where the projects are now", async (t) => {
  const { root, rows } = await savedIndex(t);
  assert.deepEqual(rows("SELECT path FROM projects WHERE name = 'one'"), [{ path: join(root, "one") }]);
  const moved = join(temporaryFolder(t), "moved");
  renameSync(root, moved);
  const { workspace } = open(t, moved);
  const paths = await workspace.index.query(
    (db) => db.exec("SELECT path FROM projects ORDER BY name")[0]?.values,
  );
  assert.deepEqual(paths, [[join(moved, "one")], [join(moved, "two")]]);
  await workspace.close();
});

const version = spawnSync("sqlite3", ["--version"], { encoding: "utf8" }).stdout ?? "";
const skip = version === "" && "there is no sqlite3 shell";

test("the sqlite3 shell runs them, the search from 3.43 on", { skip }, async (t) => {
  const { file } = await savedIndex(t);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const queries = major > 3 || minor >= 43 ? QUERIES : QUERIES.slice(1);
  for (const sql of queries) {
    const input = `.parameter init\n.parameter set :query wombat\n.parameter set :project one\n${sql}\n`;
    const { status, stderr } = spawnSync("sqlite3", ["-readonly", file], { input, encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""], sql);
  }
});
