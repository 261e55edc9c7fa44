import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { quoteBlock, quoteInline, quotePath } from "../../src/core/notes/quote.ts";

const BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"];
const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...BREAKS, ">", "“", "”", "`", "#", "\u202E", "\0"),
    fc.string({ maxLength: 3 }),
  ),
});

test("every line of a block begins with the mark, whatever ends lines in the text", () => {
  assert.equal(quoteBlock("\n\na\r\n\r\n  b\u2028c\n"), "> a\n>\n>   b\n> c");
  assert.equal(quoteBlock(" \n"), "(empty)");
  fc.assert(
    fc.property(nasty, (text) => {
      const quoted = quoteBlock(text);
      assert.doesNotMatch(quoted, /[\r\v\f\0\u0085\u2028\u2029\u202E]/);
      if (quoted !== "(empty)") assert.ok(quoted.split("\n").every((line) => line.startsWith(">")));
    }),
  );
});

test("a name stays on one short line and inside its marks", () => {
  assert.equal(quoteInline("a “b”\n c"), '“a "b" c”');
  fc.assert(
    fc.property(nasty, (text) => {
      assert.match(quoteInline(text), /^“[^“”\n\r\v\f\0\u0085\u2028\u2029\u202E]{0,160}”$/);
    }),
  );
});

test("a path stays inside its backticks", () => {
  assert.equal(quotePath("p/a`b.md"), "``p/a`b.md``");
  assert.equal(quotePath("p/a\n# b.md"), "`p/a\\u{a}# b.md`");
});
