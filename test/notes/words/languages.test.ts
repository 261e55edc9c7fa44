import assert from "node:assert/strict";
import { test } from "node:test";
import { fold } from "../../../src/core/lib/text.ts";
import { labelKey } from "../../../src/core/notes/short-text.ts";
import { normalizeStatus } from "../../../src/core/notes/task/status-word.ts";
import { LANGUAGES, listOf } from "../../../src/core/notes/words/languages.ts";

for (const [language, words] of Object.entries(LANGUAGES)) {
  const { stopWords, statuses, standings, session, decisions, headings, sections, labels, task, counted } =
    words;

  test(`${language}: each word is in the form that is compared`, () => {
    const folded = [...stopWords.split(/\s+/), ...Object.values(headings).flatMap(listOf)];
    assert.deepEqual(
      folded.filter((word) => fold(word) !== word),
      [],
    );
    const keys = [...Object.values(session), decisions].flatMap(listOf);
    assert.deepEqual(
      keys.filter((word) => labelKey(word) !== word),
      [],
    );
    const lower = [words.none, words.yes, ...Object.values({ ...sections, ...standings })].flatMap(listOf);
    assert.deepEqual(
      lower.filter((word) => word.toLowerCase() !== word),
      [],
    );
  });

  test(`${language}: each status word reads as its status`, () => {
    for (const [status, own] of Object.entries(statuses))
      for (const word of listOf(own)) assert.equal(normalizeStatus(word), status, word);
  });

  test(`${language}: no word of a label steers the pattern that it becomes a part of`, () => {
    const parts = [...Object.values({ ...labels, ...standings }), task, counted].flatMap(listOf);
    assert.deepEqual(
      parts.filter((word) => !/^[\p{L}\p{M}\p{N} ]+$/u.test(word)),
      [],
    );
  });
}
