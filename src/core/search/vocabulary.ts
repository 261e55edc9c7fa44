import type { Language } from "../index/language.ts";
import { jsonList } from "../index/postings.ts";
import { termsFrom } from "../index/terms.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

/** The words that begin with `start`: the shorter it is, the longer it takes. Some may be of texts that are gone. */
export function wordsFrom(
  db: SqlDatabase,
  start: string,
  letters: { least: number; most: number },
): string[] {
  return termsFrom(db, start).filter(({ length }) => length >= letters.least && length <= letters.most);
}

/** A table that lists the words of the full text, only for this connection. */
const TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab('main', 'chunks_fts', 'row')";

/** Those of the words that the full text has. */
export function knownWords(db: SqlDatabase, words: readonly string[]): string[] {
  db.run(TABLE);
  const sql = `SELECT term FROM temp.words WHERE term IN (${words.map(() => "?").join(", ")})`;
  return (db.exec(sql, [...words])[0]?.values ?? []).map(([term]) => String(term));
}

/** About so many of the chunks, from all over the notes. */
export function sampleOf(chunks: Int32Array, count: number): Int32Array {
  const step = Math.max(1, Math.floor(chunks.length / count));
  return chunks.filter((_, at) => at % step === 0);
}

/** As many chunks tell the language of a word. */
const SAMPLE = 30;
const LANGUAGE = `SELECT d.language FROM json_each(?) listed CROSS JOIN chunks c ON c.id = listed.value
  JOIN documents d ON d.id = c.document_id WHERE d.language IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`;

/** The language of most documents that a word is in, by its chunks; null if they have none. */
export function languageOfWord(db: SqlDatabase, chunks: Int32Array): Language | null {
  return (db.exec(LANGUAGE, [jsonList(sampleOf(chunks, SAMPLE))])[0]?.values[0]?.[0] ??
    null) as Language | null;
}
