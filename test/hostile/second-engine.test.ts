import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openEngine as openSqlJs } from "../../scripts/sqljs/engine.ts";
import { hasLibrary, LIBRARY } from "../../scripts/sqljs/library.ts";
import { write } from "../../src/index/writer.ts";
import { search } from "../../src/search/search.ts";
import { openEngine } from "../../src/sqlite/engine.ts";
import { SqliteError } from "../../src/sqlite/error.ts";
import type { SqlDatabase } from "../../src/sqlite/types.ts";
import { makeEntry, openIndex, rowsOf, textOf } from "../fixtures/entries.ts";

const skip = !hasLibrary() && `${LIBRARY} is not installed`;

const ENTRIES = Array.from({ length: 60 }, (_, n) =>
  makeEntry(
    `${n % 2 === 0 ? "alpha" : "beta"}/references/${n}.md`,
    `# Note ${n}\n\n${["node.js", "認証トークン", "sesión", "getUserProfile"][n % 4]} ${"word ".repeat(n)}\n\n## Part ${n % 7}\n\n한국어 ${n}\n`,
    { title: `Note ${n}`, hash: String(n), mtime: n * 1e10, tags: [`t${n % 3}`] },
  ),
);
const QUERIES = [
  "node.js",
  "トークン",
  "sesion",
  "getUserProfile",
  '"note 7"',
  "note AND word",
  "note*",
  "한국",
  "getUserProfle",
];

const TABLES = ["meta", "projects", "documents", "chunks", "chunks_fts_docsize", "chunks_fts_config"];

/** The rows of the tables, without the times of indexing. */
function contents(db: SqlDatabase) {
  db.run("UPDATE projects SET created_at = 0, updated_at = 0; UPDATE documents SET indexed_at = 0");
  db.run("UPDATE meta SET value = '0' WHERE key = 'created_at'");
  return TABLES.map((table) => rowsOf(db, `SELECT * FROM ${table} ORDER BY 1`));
}

function answers(db: SqlDatabase) {
  return QUERIES.map((query) => {
    const rest = { filter: {}, limit: 10, now: 1e12, damping: 0.1, textOf };
    const { total, results, corrected } = search(db, { query, ...rest });
    const shown = results.map(({ path, snippet, score }) => [path, snippet, score.toFixed(6)]);
    return { query, total, corrected, shown };
  });
}

test("sql.js with FTS5 gives the same rows and the same answers as our engine", { skip }, async () => {
  const [ours, theirs] = await Promise.all([openEngine(), openSqlJs()]);
  const [a, b] = [openIndex(ours, ENTRIES), openIndex(theirs, ENTRIES)];
  const version = "SELECT sqlite_version()";
  assert.notDeepEqual(rowsOf(a, version), rowsOf(b, version));
  assert.deepEqual(contents(b), contents(a));
  assert.deepEqual(answers(b), answers(a));
  assert.deepEqual(
    answers(a)
      .filter(({ total }) => total === 0)
      .map(({ query }) => query),
    [],
  );
  a.close();
  b.close();
});

test("each engine opens and continues the other's index", { skip }, async () => {
  const [ours, theirs] = await Promise.all([openEngine(), openSqlJs()]);
  for (const [from, to] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    const first = openIndex(from, ENTRIES);
    const [rows, found] = [contents(first), answers(first)];
    const second = new to.Database(first.export());
    assert.deepEqual(contents(second), rows);
    assert.deepEqual(answers(second), found);
    write(second, (writer) => {
      writer.remove("alpha/references/0.md");
      writer.put(makeEntry("alpha/references/new.md", "# New\n\nzyzzyva\n"));
    });
    const back = new from.Database(second.export());
    assert.equal(rowsOf(back, "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH 'zyzzyva'")[0]?.[0], 1);
    assert.deepEqual(rowsOf(back, "PRAGMA integrity_check"), [["ok"]]);
    for (const db of [first, second, back]) db.close();
  }
});

test("errors of sql.js become our errors", { skip }, async () => {
  const { Database } = await openSqlJs();
  const db = new Database();
  const kindOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return error instanceof SqliteError ? error.kind : error;
    }
    return undefined;
  };
  assert.equal(
    kindOf(() => db.run("NONSENSE")),
    "syntax",
  );
  assert.equal(
    kindOf(() => db.prepare("SELECT ? FROM nowhere")),
    "syntax",
  );
  assert.equal(
    kindOf(() => new Database(Buffer.alloc(8192, 7)).exec("SELECT * FROM sqlite_master")),
    "corrupt",
  );
});

test("the index suite passes on sql.js too", { skip }, (t) => {
  const files = ["index", "search"]
    .flatMap((room) => readdirSync(join("test", room)).map((name) => join("test", room, name)))
    .filter((name) => name.endsWith(".test.ts"));
  assert.ok(files.length >= 8);
  const hook = [
    "--import",
    "tsx",
    "--import",
    "./scripts/sqljs/hook.mjs",
    "--import",
    "./test/fixtures/seed.ts",
  ];
  const run = spawnSync(process.execPath, [...hook, "--test", ...files], {
    encoding: "utf8",
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, TZ: "UTC" },
  });
  assert.equal(run.status, 0, run.stdout.slice(-3000));
  t.diagnostic(/^# pass .*$/m.exec(run.stdout)?.[0] ?? "");
});
