import assert from "node:assert/strict";
import { test } from "node:test";
import { asPrefix, headingOf, titleOf } from "../../src/board/views/search/text.ts";

test("a heading has a level and a text", () => {
  assert.deepEqual(headingOf("## Next steps"), { level: 2, text: "Next steps" });
  assert.deepEqual(headingOf("Setext"), { level: 0, text: "Setext" });
  assert.deepEqual(headingOf(null), { level: 0, text: "" });
});

test("a document is named by its title if that is found, else by its file without the extension", () => {
  const cases = [
    ["payments-api/plans/execution-plan.md", null, "execution-plan"],
    ["v0.3.0.MD", "## Next", "v0.3.0"],
    ["notes/guide.md", "# How to deploy", "How to deploy"],
  ] as const;
  for (const [path, heading, name] of cases) assert.equal(titleOf({ path, heading }), name);
});

test("the last word is searched as a prefix if no note has it", () => {
  const cases: [string, Parameters<typeof asPrefix>[1], string | null][] = [
    ["rate limi", { corrected_query: "rate limit" }, "rate limi*"],
    ["bearer tok", { missing_words: ["tok"] }, "bearer tok*"],
    ["Bearer TOK", { missing_words: ["TOK"] }, "Bearer TOK*"],
    ["bearer token", {}, null],
    ["zebra token", { missing_words: ["zebra"] }, null],
    ["limting token", { corrected_query: "limiting token" }, null],
    ["rate l", { missing_words: ["l"] }, null],
    ['"rate limi', { missing_words: ["limi"] }, null],
    ["heading:limi", { missing_words: ["limi"] }, null],
    ["limi*", { missing_words: ["limi"] }, null],
  ];
  for (const [query, found, expected] of cases) assert.equal(asPrefix(query, found), expected, query);
});
