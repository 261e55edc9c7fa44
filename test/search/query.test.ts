import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { UserError } from "../../src/core/lib/errors.ts";
import { askedDays } from "../../src/core/search/asked-days.ts";
import { openScope } from "../../src/core/search/filter.ts";
import { lookUp } from "../../src/core/search/lookup.ts";
import { analyse, expressionTerms, type Term } from "../../src/core/search/query.ts";
import { planQuery } from "../../src/core/search/query-plan.ts";
import { search } from "../../src/core/search/search.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex, textOf } from "../fixtures/entries.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyScript } from "../fixtures/texts.ts";

let db: SqlDatabase;
before(async () => {
  db = openIndex(await openEngine(), [
    makeEntry("p/references/a.md", "# Words\n\nauth token 認証トークン reads id near and or not"),
  ]);
});

const expressions =
  '"exact phrase"|auth AND token|auth OR session|auth NOT deprecated|auth*|(auth)|heading:objective|content:api|content : api|title:x|-heading:x|NEAR(a b)|NEAR (a b, 2)|^first|a + b|認証 AND トークン|x heading:y'.split(
    "|",
  );

const plain =
  `auth token|node.js|foo-bar|C++|1+1|2^8|what's next?|and or not|near the end|2026-03-31|10:30|https://example.org/a|subheading:x|notacolumn:x|ANDROID|ORDER|認証|*reads|*id|＊reads (x)|say "hello|foo()|x AND|a* OR b*`.split(
    "|",
  );

test("a query is an expression if it has an operator, quotes, brackets, a star, a caret, a plus or a column", () => {
  for (const query of expressions) assert.notEqual(analyse(query).expression, null, query);
  for (const query of plain) assert.equal(analyse(query).expression, null, query);
});

test("an expression has no NUL and no half character, which would end or change it", () => {
  assert.equal(analyse('"auth\0token" OR x').expression, '("auth token" OR x)');
  assert.ok(analyse('"auth" \ud83d').expression?.isWellFormed());
});

const shown = (terms: Term[]) =>
  terms.map(({ tokens, unspaced, prefix }) => {
    const text = unspaced ? `[${tokens.join("")}]` : tokens.join(" ");
    return prefix ? `${text}*` : text;
  });

const terms: Record<string, string[]> = {
  "Node.js NODE": ["node", "js"],
  "sesión Sesion SESIÓN": ["sesion"],
  "認証token 認証": ["[認証]", "token"],
  ที่นี่: ["[ที่นี่]"],
  "Ｎｏｄｅ　２２": ["node", "22"],
  "½ ㌔": ["1", "2", "[キロ]"],
  'x "b" (c) d* AND': ["x", "b", "c", "d", "and"],
  "\ud83dx\ude00": ["x"],
  "Größe STRASSE": ["grosse", "strasse"],
};

test("words are folded and listed once, runs of unspaced letters stay together", () => {
  for (const [query, expected] of Object.entries(terms)) {
    assert.deepEqual(shown(analyse(query).terms), expected, JSON.stringify(query));
  }
});

test("a query without a word is refused with an example", () => {
  for (const query of ["", "  \n", ...'!!! ???|""|***|🙂🥳|\0|\ud83d|\u200b|\u0301|()'.split("|")]) {
    assert.throws(() => analyse(query), { code: "INVALID_QUERY", message: /at least one word/ });
  }
});

test("only the first words of a very long query are used", () => {
  const words = Array.from({ length: 5000 }, (_, n) => `w${n}`);
  const { terms } = analyse(words.join(" "));
  assert.equal(terms.length, 48);
  assert.deepEqual(shown(terms.slice(0, 2)), ["w0", "w1"]);
  assert.throws(() => analyse(`${" ".repeat(20_000)}word`), { code: "INVALID_QUERY" });
});

test("words side by side are pairs, each once, without runs of unspaced letters", () => {
  const pairs = (query: string) => analyse(query).adjacent.map(({ words }) => words.join(" "));
  assert.deepEqual(pairs("one two three"), ["one two", "two three"]);
  assert.deepEqual(pairs("one two one two"), ["one two", "two one"]);
  assert.deepEqual(pairs("react 認証 hook state"), ["hook state"]);
  assert.deepEqual(pairs("word"), []);
  assert.deepEqual(pairs("state of the art"), ["state of", "the art"]);
});

const operands: Record<string, string[]> = {
  "auth OR session": ["auth", "session"],
  "heading:login AND content : page": ["login", "page"],
  "NEAR(bearer token, 2) 2": ["bearer", "token", "2"],
  '"this OR that" NOT other': ["this", "or", "that", "other"],
  "auth* token": ["token", "auth*"],
  '"bearer tok" *': ["bearer", "tok*"],
  "(or AND near)": ["or", "near"],
};

test("the terms of an expression are its words, not its operators and column names", () => {
  for (const [query, expected] of Object.entries(operands)) {
    assert.deepEqual(shown(expressionTerms(query)).sort(), expected.sort(), query);
  }
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  anyScript,
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."AND OR NOT NEAR( NEAR ( ) \" ' * ^ + - : , { } heading: rowid: auth token 認証 トークン 2 🥳".split(
            " ",
          ),
          ..."\0 \ud83d \udc00 \u200b \u0301 ; -- ?1 :match % \\ é ﷺ ½ reads".split(" "),
          "content :",
        ),
        fc.string({ unit: "binary", maxLength: 3 }),
      ),
      { maxLength: 20 },
    )
    .chain((pieces) => fc.constantFrom(pieces.join(" "), pieces.join(""))),
);

/** Null if the query is refused because it has no word. */
function analyseOrNull(query: string) {
  try {
    return analyse(query);
  } catch (error) {
    assert.ok(error instanceof UserError && error.code === "INVALID_QUERY", String(error));
    return null;
  }
}

test("whatever the words of a query are, they are looked up as words", () => {
  fc.assert(
    fc.property(hostile, (query) => {
      const analysis = analyseOrNull(query);
      if (analysis === null) return;
      const found = lookUp(openScope(db, {}, textOf), { query: { ...analysis, expression: null }, also: [] });
      const size = { count: 9, allowed: 9 };
      const { clauses, phrases, missing } = planQuery(analysis, found, size);
      assert.ok(clauses.length + missing.length >= 1 && clauses.length + phrases.length <= 48);
      for (const { weight } of [...clauses, ...phrases]) assert.ok(Number.isFinite(weight) && weight >= 0);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("a search for any query answers or says that there is no word", () => {
  fc.assert(
    fc.property(hostile, (query) => {
      if (analyseOrNull(query) === null) return;
      const { total, results } = search(db, { query, filter: {}, limit: 5, now: 0, damping: 0.1, textOf });
      assert.equal(total, results.length);
      for (const { passage } of results) assert.ok(passage({ chars: 500, words: 64 }).text.isWellFormed());
    }),
    { numRuns: numRuns(1000) },
  );
});

/** Asked on Friday, July 18 of 2025. */
const LAST_WEEK = ["07", "08", "09", "10", "11", "12", "13"].map((day) => `2025-07-${day}`);
const ASKED: Record<string, string[]> = {
  "what was said on 11 February 2025?": ["2025-02-11"],
  "action items of May 4, 2024": ["2024-05-04"],
  "the 18th of November 2024": ["2024-11-18"],
  "minutes of 3 Sep 2023": ["2023-09-03"],
  "2025-09-18": ["2025-09-18"],
  "2025/9/8 standup": ["2025-09-08"],
  "on 01/12/2026": ["2026-12-01", "2026-01-12"],
  "qué se habló el 25 de marzo de 2025": ["2025-03-25"],
  "el 1 de enero de 2024": ["2024-01-01"],
  "2025年7月4日の会議": ["2025-07-04"],
  "2025年12月24日": ["2025-12-24"],
  "decisions of February 2017": ["2017-02"],
  "todo lo de marzo de 2025": ["2025-03"],
  "2025年7月の決定": ["2025-07"],
  "weekly meeting 2025年7月": ["2025-07"],
  "what may we do in 2025": [],
  "30 February 2025": ["2025-02"],
  "port 8080 of the server": [],
  "what did we decide yesterday": ["2025-07-17"],
  "lo de ayer": ["2025-07-17"],
  昨日の決定: ["2025-07-17"],
  "昨天 决定": ["2025-07-17"],
  "what happened on Monday": ["2025-07-14"],
  "what happened on Friday": ["2025-07-11"],
  "changes since Wednesday": ["2025-07-16", "2025-07-17", "2025-07-18"],
  "desde el jueves": ["2025-07-17", "2025-07-18"],
  "el miércoles": ["2025-07-16"],
  水曜日の会議: ["2025-07-16"],
  "last week": LAST_WEEK,
  先週: LAST_WEEK,
  "the yesterdays of Mondays": [],
  "4 de mayo": ["2025-05-04", "2024-05-04"],
  "qué se decidió el 1 de noviembre": ["2025-11-01", "2024-11-01"],
  "minutes of May 4th": ["2025-05-04", "2024-05-04"],
  "the 3rd of June": ["2025-06-03", "2024-06-03"],
  "the 3 plans of Sep. 30": ["2025-09-30", "2024-09-30"],
  "29 February": ["2024-02-29"],
  "31 April": [],
  "7月4日の会議": ["2025-07-04", "2024-07-04"],
  "7 月 4 日": [],
  "am 3. April": ["2025-04-03", "2024-04-03"],
  "was 3 days ago": [],
  "may 40 clients connect": [],
  "may 4: the plan": [],
  "version 3 of the plan": [],
  "am 4. Juli 2024": ["2024-07-04"],
  "vom 3. November 2023": ["2023-11-03"],
  "4 Mai 2024": ["2024-05-04"],
  "4. März 2024": ["2024-03-04"],
  "4. Okt. 2024": ["2024-10-04"],
  "le 1er août": ["2025-08-01", "2024-08-01"],
  "4 de setembro de 2024": ["2024-09-04"],
  "set 12 out 2024": [],
  "9 February 2017": ["2017-02-09"],
  "Feb. 9, 2017": ["2017-02-09"],
  "February 9th 2017": ["2017-02-09"],
  "el 9 de febrero del 2017": ["2017-02-09"],
  "2017.02.09": ["2017-02-09"],
  "9.2.2017": ["2017-02-09", "2017-09-02"],
  "2025年 7月 4日": ["2025-07-04"],
  "Sept 2023": ["2023-09"],
  "since Monday": ["2025-07-14", "2025-07-15", "2025-07-16", "2025-07-17", "2025-07-18"],
  "desde el lunes": ["2025-07-14", "2025-07-15", "2025-07-16", "2025-07-17", "2025-07-18"],
  yesterday: ["2025-07-17"],
  "la semana pasada": LAST_WEEK,
  上周的会议: LAST_WEEK,
  "letzte Woche": LAST_WEEK,
  "la semaine dernière": LAST_WEEK,
  "was gestern beschlossen wurde": ["2025-07-17"],
  "la réunion d'hier": ["2025-07-17"],
  "was steht hier": [],
  "a reunião de ontem": ["2025-07-17"],
  "seit Mittwoch": ["2025-07-16", "2025-07-17", "2025-07-18"],
  "na segunda-feira": ["2025-07-14"],
  "what was done today": ["2025-07-18"],
  今日の決定: ["2025-07-18"],
};

test("days that a question says in words are those that notes name in digits", () => {
  for (const [question, days] of Object.entries(ASKED))
    assert.deepEqual(askedDays(question, new Date(2025, 6, 18, 9)), days, question);
});
