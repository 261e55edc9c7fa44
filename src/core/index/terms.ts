import type { SqlDatabase } from "../sqlite/types.ts";

/*
 * FTS5 stores its terms sorted, in pages of about 4 KB, and names the first one of each page in `chunks_fts_idx`. fts5vocab
 * would also read all places of each term to count them, which takes ten times as long.
 */

/** Every term of the main index begins with this byte. */
const MAIN = "0";

const PAGES = `WITH RECURSIVE segments(id) AS (
    SELECT min(segid) FROM chunks_fts_idx
    UNION ALL SELECT (SELECT min(segid) FROM chunks_fts_idx WHERE segid > id) FROM segments WHERE id IS NOT NULL)
  SELECT block FROM segments s CROSS JOIN chunks_fts_idx i ON segid = s.id AND term < :end
    AND term >= ifnull((SELECT max(term) FROM chunks_fts_idx WHERE segid = s.id AND term <= :start), x'')
  CROSS JOIN chunks_fts_data d ON d.id = (segid << 37) + (pgno >> 1)`;

/** The terms of the full text that begin with `start`, sorted; some may be of texts that are gone. */
export function termsFrom(db: SqlDatabase, start: string): string[] {
  const first = Buffer.from(MAIN + start);
  const pages = db.exec(PAGES, { ":start": first, ":end": Buffer.concat([first, Buffer.of(0xff)]) })[0]
    ?.values;
  const found = new Set<string>();
  for (const [page] of pages ?? [])
    if (page instanceof Uint8Array) addTerms(found, page, first.toString("latin1"));
  return [...found].sort();
}

/**
 * Adds the terms of a page. Its third and fourth byte say where its list of places ends and that of its terms begins: the
 * distances from each to the next one. A term shares so many bytes with the one before it, but for the first of the page.
 */
function addTerms(found: Set<string>, block: Uint8Array, start: string): void {
  const page = Buffer.from(block.buffer, block.byteOffset, block.length);
  // One character for each byte: a term may share half a letter with the one before it.
  const letters = page.toString("latin1");
  const list = { page, at: (page[2] ?? 0) * 256 + (page[3] ?? 0) };
  const text = { page, at: 0 };
  let place = 0;
  for (let term = ""; list.at < page.length; ) {
    const isFirst = place === 0;
    place += varint(list);
    text.at = place;
    const shared = isFirst ? 0 : varint(text);
    const length = varint(text);
    term = term.slice(0, shared) + letters.slice(text.at, text.at + length);
    if (term.startsWith(start)) found.add(decode(term));
  }
}

function decode(term: string): string {
  const letters = term.slice(MAIN.length);
  return /^[\0-\x7f]*$/.test(letters) ? letters : Buffer.from(letters, "latin1").toString();
}

/** SQLite's numbers of one byte or more, the highest first. */
function varint(cursor: { page: Buffer; at: number }): number {
  for (let value = 0; ; ) {
    const byte = cursor.page[cursor.at++] ?? 0;
    value = value * 128 + (byte % 128);
    if (byte < 128) return value;
  }
}
