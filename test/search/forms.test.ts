import assert from "node:assert/strict";
import { before, test } from "node:test";
import { inflectedIn, stemOf, wordForms } from "../../src/core/search/forms.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";

let db: SqlDatabase;
before(async () => {
  const texts = [
    "refund refunds refunds refundable migrate migrations",
    "happy happiness hope hoping about buying",
    "configuración configuraciones configurar configuró podría podrían",
  ];
  db = openIndex(
    await openEngine(),
    texts.map((text, at) => makeEntry(`p/notes/${at}.md`, text)),
  );
});

test("the forms of a word have its stem", () => {
  assert.deepEqual(wordForms(db, "refunding", "en").sort(), ["refund", "refundable", "refunds"]);
  assert.deepEqual(wordForms(db, "migrate", "en"), ["migrations"]);
  assert.deepEqual(wordForms(db, "happy", "en"), ["happiness"]);
  assert.deepEqual(wordForms(db, "hope", "en"), ["hoping"]);
  assert.deepEqual(wordForms(db, "buy", "en"), ["buying"]);
  assert.deepEqual(
    wordForms(db, "configuracion", "es").sort(),
    ["configurar", "configuraciones", "configuro"].sort(),
  );
  assert.deepEqual(wordForms(db, "podria", "es"), ["podrian"]);
});

test("stop words, short words, numbers and other scripts have no forms", () => {
  for (const word of ["is", "as", "the", "v2", "0296", "привет", "認証", ""])
    assert.deepEqual(wordForms(db, word, "en"), [], word);
});

test("Spanish endings are known without their accents", () => {
  assert.equal(stemOf("migracion", "es"), stemOf("migraciones", "es"));
  assert.equal(stemOf("decidiria", "es"), stemOf("decidirian", "es"));
});

test("a question has forms in its own language, a few words in both", () => {
  assert.deepEqual(inflectedIn("en"), ["en"]);
  assert.deepEqual(inflectedIn("es"), ["es"]);
  assert.deepEqual(inflectedIn("ja"), ["en"]);
  assert.deepEqual(inflectedIn(null), ["en", "es"]);
});
