import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenize } from "../../src/core/index/tokenizer.ts";
import { analyse, expressionTerms } from "../../src/core/search/query.ts";
import { snippetMaker } from "../../src/core/search/snippet.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyScript } from "../fixtures/texts.ts";

const size = (chars: number) => ({ chars, tokens: 64 });
const snippet = (text: string, query: string, chars = 500) =>
  snippetMaker(text, analyse(query).terms)(size(chars)).text;

const filler = (words: number, word = "filler") =>
  Array.from({ length: words }, (_, n) => `${word}${n}`).join(" ");

const marked: [text: string, query: string, expected: string][] = [
  ["Use a bearer token.", "bearer token", "Use a >>>bearer<<< >>>token<<<."],
  ["Zebra, ZEBRA, zebras", "zebra", ">>>Zebra<<<, >>>ZEBRA<<<, zebras"],
  ["Revisé la sesión.", "sesion", "Revisé la >>>sesión<<<."],
  ["Ｎｏｄｅ is wide", "node", ">>>Ｎｏｄｅ<<< is wide"],
  ["認証の設計", "認証", ">>>認証<<<の設計"],
  ["期限の有効性", "有効期限", ">>>期限<<<の>>>有効<<<性"],
  ["ﾊﾞｸﾞを直す", "バグ", ">>>ﾊﾞｸﾞ<<<を直す"],
  ["ไปที่นี่", "ที่นี่", "ไป>>>ที่นี่<<<"],
  ["API設計の話", "api設計", ">>>API設計<<<の話"],
  ["spaces\n\n  and\ttabs \u3000 zebra", "zebra", "spaces and tabs >>>zebra<<<"],
  ["> >>>zebra<<< quoted", "zebra", "> >>>>>>zebra<<<<<< quoted"],
  ["call findZebras and runZebra(1)", "zebra", "call findZebras and run>>>Zebra<<<(1)"],
  ["nothing here", "zebra", "nothing here"],
  ["", "zebra", ""],
  ["🙂 🙂 --- 🙂", "zebra", "🙂 🙂 --- 🙂"],
];

test("matches are marked as written in the text", () => {
  for (const [text, query, expected] of marked) assert.equal(snippet(text, query), expected, text);
});

test("of stretches with the same words the shortest is shown", () => {
  const text = `lion ${filler(4)} zebra ${filler(30)} lion zebra ${filler(30)} lion ${filler(2)} zebra`;
  assert.match(snippet(text, "lion zebra", 60), />>>lion<<< >>>zebra<<</);
});

test("a hit in a name alone shows that name, and the beginning of the text behind it", () => {
  const names = ["Rate limits", "Gateway", "p/notes/zebra.md"];
  const shown = (query: string, budget = 500) =>
    snippetMaker("Ten a second.", analyse(query).terms, () => names)(size(budget)).text;
  assert.equal(shown("limits"), "Rate >>>limits<<<: Ten a second.");
  assert.equal(shown("gateway second"), "Ten a >>>second<<<.", "the text comes first");
  assert.equal(shown("gateway"), ">>>Gateway<<<: Ten a second.");
  assert.equal(shown("zebra"), "p/notes/>>>zebra<<<.md: Ten a second.");
  assert.equal(shown("gateway", 30), ">>>Gateway<<<", "a short snippet holds the name only");
  assert.equal(shown("lion"), "Ten a second.");
});

test("a star marks the words that begin with it, an operator marks nothing", () => {
  const marks = (query: string) =>
    snippetMaker("an author or authentication", expressionTerms(query))(size(500)).text;
  assert.equal(marks("auth* OR nothing"), "an >>>author<<< or >>>authentication<<<");
  assert.equal(marks("author OR x"), "an >>>author<<< or authentication");
});

test("a match in the middle of a long text is shown with its surroundings", () => {
  const shown = snippet(`${filler(200)} zebra ${filler(200)}`, "zebra");
  assert.match(shown, /^\.\.\.filler\d+ .*filler199 >>>zebra<<< filler0 filler1 .*\.\.\.$/);
});

test("a snippet at the start or end of a long text is cut only on the other side", () => {
  assert.match(snippet(`zebra ${filler(200)}`, "zebra"), /^>>>zebra<<< filler0 .*\.\.\.$/);
  assert.match(snippet(`${filler(200)} zebra.`, "zebra"), /^\.\.\.filler\d+ .* >>>zebra<<<\.$/);
});

test("a sentence is shown from its beginning", () => {
  assert.equal(
    snippet(`${filler(100)}. The zebra grazes. ${filler(5)}`, "zebra"),
    `...The >>>zebra<<< grazes. ${filler(5)}`,
  );
});

test("the passage with most different terms wins over the one with most matches", () => {
  const text = `zebra zebra zebra ${filler(100)} zebra and lion ${filler(100)} lion lion`;
  assert.match(snippet(text, "zebra lion"), />>>zebra<<< and >>>lion<<</);
});

test("of equal passages the first is shown", () => {
  assert.match(snippet(`first zebra ${filler(100)} second zebra`, "zebra"), /^first >>>zebra<<</);
});

test("a passage is whole sentences, if that leaves most of it", () => {
  const story = "One two three. Four zebra six! Seven eight nine? Ten eleven twelve. Thirteen fourteen.";
  const shown = (chars: number) => snippet(story, "zebra", chars).replaceAll(/>>>|<<<|^\.\.\.|\.\.\.$/g, "");
  for (const chars of [34, 40, 52, 70, 200])
    assert.match(shown(chars), /^(?:[A-Z][a-z ]+[.!?] ?)+$/, `${chars}: ${shown(chars)}`);
  assert.match(snippet(`zebra ${filler(20)}. ${filler(200)}`, "zebra"), / filler\d+\.\.\.$/);
});

test("room that the end of a text leaves is used before the match", () => {
  assert.equal(snippet(`${filler(50)} zebra`, "zebra"), `${filler(50)} >>>zebra<<<`);
});

test("words are counted as people do: a name, a contraction, two letters of an unspaced script", () => {
  const parts: [part: string, words: number][] = [
    ["word", 1],
    ["don't", 1],
    ["node.js", 1],
    ["foo-bar", 1],
    ["設計", 1],
  ];
  for (const [part, words] of parts) {
    const text = Array.from({ length: 100 }, () => part).join(" ");
    const shown = snippetMaker(text, [])({ chars: 10_000, words: 40 }).text.replace("...", "");
    assert.equal(shown.split(" ").length, 40 / words, part);
  }
});

test("a text without a match gives its beginning", () => {
  const shown = snippet(filler(200, "w"), "zebra");
  assert.match(shown, /^w0 w1 .*\.\.\.$/);
  assert.equal(tokenize(shown).length, 64);
});

test("signs before the first word do not push the match out", () => {
  assert.equal(snippet(`${"=".repeat(5000)} zebra`, "zebra"), "...>>>zebra<<<");
  assert.equal(snippet(`zebra ${"=".repeat(5000)} lion`, "lion zebra"), ">>>zebra<<<...");
});

test("a match longer than the snippet is marked up to the cut", () => {
  const shown = snippet("あ".repeat(3000), "あ".repeat(500));
  assert.match(shown, />>>あ{10,64}<<</);
  assert.equal(tokenize(shown).length, 64);
});

test("a word of 100,000 characters is cut between characters", () => {
  const word = "x".repeat(100_000);
  assert.equal(snippet(word, "zebra", 200), `${"x".repeat(400)}...`);
  const terms = [{ tokens: [word], unspaced: false }];
  assert.equal(snippetMaker(`a ${word}`, terms)(size(200)).text, `...>>>${"x".repeat(400)}<<<...`);
  assert.equal(snippet(`a${"𝒳".repeat(50_000)}`, "zebra", 200), `a${"𝒳".repeat(199)}...`);
});

test("a run of one letter is marked however often query and text repeat it", () => {
  assert.match(snippet("あ".repeat(6000), "あ".repeat(20_000)), />>>あ+<<</);
});

const words = fc.array(
  fc.oneof(fc.constantFrom("zebra", "lion", "認証", "トークン", "sesión", "\n", ". ", "---"), anyScript),
  { maxLength: 120 },
);

/** Text without signs that look like marks or ellipses. */
const text = words.map((pieces) =>
  pieces
    .join(" ")
    .replaceAll(/[<>.…]/g, "")
    .toWellFormed(),
);

test("without its marks a snippet is a piece of the text, within words and budget", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 60, max: 500 }), (text, budget) => {
      const shown = snippet(text, "zebra lion 認証トークン sesion", budget);
      const bare = shown.replaceAll(/>>>|<<<|^\.\.\.|\.\.\.$/g, "");
      assert.ok(text.replaceAll(/\s+/g, " ").includes(bare), JSON.stringify(shown));
      assert.ok(shown.isWellFormed());
      assert.ok(tokenize(bare).length <= 64);
      assert.ok(bare.length <= 2 * budget);
    }),
    { numRuns: numRuns(500) },
  );
});

test("what a text says elsewhere was not shown, and holds a term", () => {
  const lone = `zebra ${filler(40)} lion ${filler(40, "more")}`;
  for (const text of [
    `${lone} zebra lion ${filler(40, "last")}`,
    `zebra lion ${filler(40, "last")} ${lone}`,
  ]) {
    const shown = snippetMaker(text, analyse("zebra lion").terms)(size(100));
    const other = shown.elsewhere()?.(size(100));
    const words = (of = "") => [...of.matchAll(/(?:filler|more|last)\d+/g)].map(([word]) => word);
    assert.match(shown.text, />>>zebra<<< >>>lion<<</);
    assert.match(other?.text ?? "", />>>(?:zebra|lion)<<</);
    assert.deepEqual(
      words(shown.text).filter((word) => words(other?.text).includes(word)),
      [],
    );
  }
  const whole = snippetMaker("a zebra", analyse("zebra").terms)(size(100));
  assert.equal(whole.elsewhere(), undefined);
});

test("a text that holds a term shows it marked", () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 60, max: 500 }), (before, after, budget) => {
      assert.match(snippet(`${before} quagga ${after}`, "quagga", budget), />>>quagga<<</);
    }),
  );
});
