import { DEFAULT_DAMPING } from "../../src/index/boosts.ts";
import { mergeSegments } from "../../src/index/merge.ts";
import { createSchema } from "../../src/index/schema.ts";
import { write } from "../../src/index/writer.ts";
import { locateDocument } from "../../src/notes/document.ts";
import { search } from "../../src/search/search.ts";
import type { Engine } from "../../src/sqlite/engine.ts";
import { openEngine } from "../../src/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/sqlite/types.ts";
import { describeEntry } from "../../src/workspace/batch.ts";
import { openEngine as openSqlJs } from "../sqljs/engine.ts";
import { hasLibrary } from "../sqljs/library.ts";
import { type CorpusOptions, generateDocuments, type Query, queriesFor } from "./corpus.ts";
import { type Comparison, compare, type Turns, time } from "./measure.ts";

/** sql.js against our engine: indexing, exporting and searching the same documents. */
export async function measureEngines(
  options: CorpusOptions,
  turns: Turns,
): Promise<{ name: string; comparison: Comparison }[]> {
  if (!hasLibrary()) return [];
  const [theirs, ours] = await Promise.all([openSqlJs(), openEngine()]);
  const entries = [...generateDocuments(options)].map(describe);
  const [a, b] = [fill(theirs, entries), fill(ours, entries)];
  const all = (db: SqlDatabase) => () =>
    time(() => queriesFor(options.seed).map(({ text }) => find(db, text)));
  const build = (engine: Engine) => () => time(() => fill(engine, entries).close());
  const rows = [
    {
      name: "sql.js: index",
      comparison: await compare(build(theirs), build(ours), { repeats: 3, warmUp: 1 }),
    },
    { name: "sql.js: search", comparison: await compare(all(a), all(b), turns) },
    {
      name: "sql.js: export",
      comparison: await compare(
        () => time(() => a.export()),
        () => time(() => b.export()),
        turns,
      ),
    },
  ];
  a.close();
  b.close();
  return rows;
}

/** Our index and searches against the same on the SQLite inside Node, which `native` opens. */
export async function measureNative(
  ours: SqlDatabase,
  { native, build, ...corpus }: CorpusOptions & { native: () => SqlDatabase; build: number },
  turns: Turns,
): Promise<{ build: Comparison; searches: { query: Query; comparison: Comparison }[] }> {
  const entries = [...generateDocuments(corpus)].map(describe);
  const theirs = native();
  const inserts = await compare(
    () => build,
    () => time(() => fillInto(theirs, entries)),
    { repeats: 1, warmUp: 0 },
  );
  // Our own build ends with this too.
  await mergeSegments(theirs);
  const searches = [];
  for (const query of queriesFor(corpus.seed)) {
    const run = (db: SqlDatabase) => () => time(() => find(db, query.text));
    searches.push({ query, comparison: await compare(run(ours), run(theirs), turns) });
  }
  theirs.close();
  return { build: inserts, searches };
}

type Entry = ReturnType<typeof describe>;

function describe({ path, text }: { path: string; text: string }) {
  if (locateDocument(path) === null) throw new Error(`not the path of a document: ${path}`);
  const bytes = Buffer.from(text);
  return describeEntry(path, { bytes, text, exact: true, hash: path }, 0).entry;
}

function fill(engine: Engine, entries: readonly Entry[]): SqlDatabase {
  return fillInto(new engine.Database(), entries);
}

function fillInto(db: SqlDatabase, entries: readonly Entry[]): SqlDatabase {
  createSchema(db);
  write(db, (writer) => {
    for (const entry of entries) writer.put(entry);
  });
  return db;
}

function find(db: SqlDatabase, query: string): void {
  search(db, { query, filter: {}, limit: 20, now: 0, damping: DEFAULT_DAMPING, textOf: () => undefined });
}
