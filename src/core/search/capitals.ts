import { jsonList, LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { tokenize } from "../index/tokenizer.ts";
import { fold } from "../lib/text.ts";
import type { Scope } from "./filter.ts";
import { sampleOf } from "./vocabulary.ts";

/** As many passages tell how a word is written, and as many documents are read for it. */
const PASSAGES = 100;
const DOCUMENTS = 8;
const WRITTEN = `SELECT json_group_array(json_array(d.path, d.title || ' ' || ifnull(c.heading, '')))
  FROM ${LISTED_CHUNKS} JOIN documents d ON d.id = c.document_id`;

/** Whether documents write a word with a capital, as names are: in the title or a heading of a passage with it, or in the text. */
export function isWrittenAsName({ db, textOf }: Scope, word: string, chunks: Int32Array): boolean {
  const listed = jsonList(sampleOf(chunks, PASSAGES));
  const found = readJson<[path: string, names: string][]>(db, WRITTEN, [listed]);
  const paths = [...new Set(found.map(([path]) => path))].slice(0, DOCUMENTS);
  return (
    found.some(([, names]) => hasCapital(names, word)) ||
    paths.some((path) => hasCapital(textOf(path) ?? "", word))
  );
}

function hasCapital(text: string, word: string): boolean {
  return tokenize(text).some(({ text: written }) => /^\p{Lu}/u.test(written) && fold(written) === word);
}
