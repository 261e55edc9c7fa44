import { elapsed } from "../lib/clock.ts";
import { type Lookup, resolveLink } from "../notes/link-target.ts";
import type { LinkRow } from "../notes/links.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { indexLookup } from "./links.ts";
import { readJson } from "./postings.ts";
import { foldedWords, segment } from "./tokenizer.ts";
import { write } from "./writer.ts";

/** Texts of links that are indexed with a document. */
const MAX_TEXTS = 20;
/** With one name, such as `readme`: each is resolved whenever a document with that name changes. */
const MAX_LINKS = 1_000;
const STEP_MS = 50;
const STEP_NAMES = 500;

const FORGET_NAMELESS = `DELETE FROM stale_links AS s WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.name_key = s.name_key)
  OR NOT EXISTS (SELECT 1 FROM links l WHERE l.name_key = s.name_key AND l.texts <> '')
    AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.name_key = s.name_key AND d.link_texts <> '[]')`;
const FORGET = "DELETE FROM stale_links WHERE name_key IN (SELECT value FROM json_each(?))";
const STALE = "SELECT json_group_array(name_key) FROM (SELECT name_key FROM stale_links LIMIT ?)";
const LINKS = `SELECT json_group_array(json_object('source', source, 'kind', kind, 'path', path, 'texts', texts))
  FROM (SELECT d.path AS source, l.kind, l.path, l.texts FROM links l CROSS JOIN documents d ON d.id = l.document_id
    WHERE l.name_key = ? AND l.texts <> '' ORDER BY d.path, l.link_order LIMIT ${MAX_LINKS})`;
const TARGETS = `SELECT json_group_array(json_object('id', id, 'path', path, 'title', title, 'filename', filename,
    'texts', json(link_texts), 'last', (SELECT max(id) FROM chunks WHERE document_id = d.id)))
  FROM documents d WHERE name_key = ?`;

interface Target {
  id: number;
  path: string;
  title: string;
  filename: string;
  /** The texts of the links to it, as indexed. */
  texts: string[];
  /** The number of its last chunk. */
  last: number;
}

interface Change extends Target {
  wanted: string[];
}

type Source = Pick<LinkRow, "kind" | "path"> & { source: string; texts: string };

/** Lets documents be found by what links call them, in one more chunk of each: a step, for links that changed. */
export function putLinkTexts(db: SqlDatabase): { isDone: boolean; changed: boolean } {
  db.run(FORGET_NAMELESS);
  const names = readJson<number[]>(db, STALE, [STEP_NAMES]);
  if (names.length === 0) return { isDone: true, changed: false };
  const start = elapsed();
  const lookup = indexLookup(db);
  const changes: Change[] = [];
  let done = 0;
  for (; done < names.length && elapsed() - start < STEP_MS; done++)
    changes.push(...changesOf(db, names[done] ?? 0, lookup));
  // In the order of their numbers: FTS5 begins a new b-tree for each lower one.
  changes.sort((a, b) => a.last - b.last);
  write(db, () => {
    for (const change of changes) put(db, change);
    db.run(FORGET, [JSON.stringify(names.slice(0, done))]);
  });
  return { isDone: false, changed: changes.length > 0 };
}

/** The documents with a name whose link texts are other than indexed. */
function changesOf(db: SqlDatabase, name: number, lookup: Lookup): Change[] {
  const labels = new Map<string, string[]>();
  for (const { source, texts, ...link } of readJson<Source[]>(db, LINKS, [name])) {
    const target = resolveLink(source, link, lookup);
    if (target.kind !== "document" || target.path === source) continue;
    labels.set(target.path, [...(labels.get(target.path) ?? []), ...texts.split("\n")]);
  }
  return readJson<Target[]>(db, TARGETS, [name])
    .map((target) => ({ ...target, wanted: tellingTexts(target, labels.get(target.path) ?? []) }))
    .filter(({ wanted, texts }) => wanted.join("\n") !== texts.join("\n"));
}

/** Without repeats, and without those that say nothing besides the target's title and name. */
function tellingTexts({ title, filename }: Target, labels: string[]): string[] {
  const own = new Set(foldedWords(`${title} ${filename}`));
  const known = new Set<string>();
  return labels
    .filter((label) => {
      const words = foldedWords(label);
      const key = words.join(" ");
      return words.some((word) => !own.has(word)) && !known.has(key) && known.add(key);
    })
    .slice(0, MAX_TEXTS);
}

const ADD_CHUNK = `INSERT INTO chunks (id, document_id, boost, day, char_offset, char_length, chunk_order, heading_level, heading,
    is_priority_heading) SELECT id + 1, document_id, boost, day, 0, 0, chunk_order + 1, 0, NULL, 0 FROM chunks WHERE id = ?`;

function put(db: SqlDatabase, { id, last, texts, wanted }: Change): void {
  const hadTexts = texts.length > 0;
  const chunk = hadTexts ? last : last + 1;
  if (hadTexts) db.run("DELETE FROM chunks_fts WHERE rowid = ?", [chunk]);
  else db.run(ADD_CHUNK, [last]);
  if (wanted.length === 0) db.run("DELETE FROM chunks WHERE id = ?", [chunk]);
  else db.run("INSERT INTO chunks_fts (rowid, tags) VALUES (?, ?)", [chunk, segment(wanted.join("\n"))]);
  db.run("UPDATE documents SET link_texts = ? WHERE id = ?", [JSON.stringify(wanted), id]);
}
