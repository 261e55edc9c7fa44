import { DEFAULT_DAMPING } from "../../src/index/boosts.ts";
import { mergeSegments } from "../../src/index/merge.ts";
import { createSchema } from "../../src/index/schema.ts";
import { write } from "../../src/index/writer.ts";
import { locateDocument } from "../../src/notes/document.ts";
import { search } from "../../src/search/search.ts";
import type { SqlDatabase } from "../../src/sqlite/types.ts";
import { describeEntry } from "../../src/sync/batch.ts";
import { type CorpusOptions, generateDocuments, type Query, queriesFor } from "./corpus.ts";
import { type Comparison, compare, type Turns, time } from "./measure.ts";

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
  return describeEntry(path, { text, hash: path }, 0).entry;
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
