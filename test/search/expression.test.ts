import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { segment } from "../../src/core/index/tokenizer.ts";
import { simplify } from "../../src/core/search/expression.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { SqliteError } from "../../src/core/sqlite/error.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const WORDS = ["auth", "token", "認証", "or"];

let db: SqlDatabase;
before(async () => {
  // A note for each set of words, so that expressions with different meanings find different notes.
  const sets = Array.from({ length: 2 ** WORDS.length }, (_, bits) =>
    WORDS.filter((_, at) => bits & (1 << at)).join(" "),
  );
  const notes = sets.map((text, at) => makeEntry(`p/references/${at}.md`, `# ${text}\n\nfoo ${text}\n`));
  db = openIndex(await openEngine(), notes);
});

/** What FTS5 itself finds; undefined if it does not parse. */
function found(expression: string): unknown {
  try {
    return db.exec("SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY 1", [expression]);
  } catch (error) {
    assert.ok(error instanceof SqliteError, String(error));
    return undefined;
  }
}

const simple: Record<string, string | null> = {
  "a OR b OR a": "(a OR b)",
  "a b a  b a": "(a b)",
  "a AND a": "a",
  "a NOT a": "(a NOT a)",
  "a NOT b NOT b": "(a NOT b)",
  "a b OR a b": "(a b)",
  "(a OR b) AND (a OR b)": "(a OR b)",
  "heading : (a a)": "heading : (a)",
  "{title name}: x NOT -tags: y": "({title name}: x NOT -tags: y)",
  'NEAR(a "b c", 5) NEAR(a "b c", 5)': 'NEAR(a "b c", 5)',
  '^a + "b" * ^a': '(^a + "b" * ^a)',
  '"he said ""OR""" ORDER': '("he said ""OR""" ORDER)',
  'say "hello': null,
  "foo()": null,
  "a OR": null,
  "a AND NOT b": null,
  "(a) b": null,
  "a**": null,
  "a.b*": null,
  "": null,
};

test("repeated operands are dropped, and text that does not parse is no expression", () => {
  for (const [expression, expected] of Object.entries(simple))
    assert.equal(simplify(expression), expected, expression);
});

const piece = fc.constantFrom(
  ...'auth "token" 認証 foo nothing authoriz* heading:auth -title: NEAR AND OR NOT AND OR ( ) ( ) * + , " - { } : ^ 😀 .'.split(
    " ",
  ),
  ...'"foo auth"|foo + auth|^ auth|content : |{title content} :|NEAR(auth token)|NEAR(foo auth,3)'.split("|"),
);
const operand = fc.constantFrom("auth", '"token"', "認証", "heading:or", "foo", "tok*", "content:token");
const { expression: wellFormed } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.array(operand, { minLength: 1, maxLength: 3 }).map((operands) => operands.join(" ")),
    fc
      .tuple(tie("expression"), fc.constantFrom("AND", "OR", "NOT"), tie("expression"))
      .map((parts) => parts.join(" ")),
    tie("expression").map((inner) => `(${inner})`),
    tie("expression").map((inner) => `content:(${inner})`),
  ),
}));

test("for any expression, FTS5 finds the same without the repeats, and accepts it as often", () => {
  const anything = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(" "));
  fc.assert(
    fc.property(fc.oneof(wellFormed, anything), (written) => {
      const expression = segment(written);
      const simplified = simplify(expression);
      if (simplified !== null) assert.deepEqual(found(simplified), found(expression), simplified);
      else assert.equal(found(expression), undefined, expression);
    }),
    { numRuns: numRuns(3000) },
  );
});

test("an expression that would take too long is refused: short prefixes cost most", () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" OR ");
  assert.notEqual(simplify(words(48)), null);
  assert.equal(simplify(words(49)), null);
  assert.notEqual(simplify(`${words(48)} OR `.repeat(20).slice(0, -4)), null, "repeats cost nothing");
  const few = ["s*", "s* OR au*", "auth* OR token* OR sess* OR cred*", "認* OR 証* OR 設* OR 計*"];
  for (const expression of few) assert.notEqual(simplify(segment(expression)), null, expression);
  for (const expression of ["s* OR t*", 's* "t" *', "NEAR(a* b* c*)", '"x s" * NOT "y t" *'])
    assert.equal(simplify(segment(expression)), null, expression);
});

test("deep parentheses and long texts are answered", () => {
  assert.equal(simplify(`${"(".repeat(10)}a${")".repeat(10)}`), "a");
  for (const text of ["(", "a(", "NEAR(a ", "{a ", "a+", "a:", "^", "-", " "]) {
    const long = text.repeat(20_000 / text.length);
    assert.ok(simplify(long) === null, text);
  }
});
