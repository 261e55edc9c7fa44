import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { quoteBlock, quoteInline, quotePath, shortenQuoted } from "../../src/core/notes/quote.ts";

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

test("a shortened text keeps its beginning, and of a list under Notes the end to which people add", () => {
  const days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"];
  const texts = (lines: readonly string[]) =>
    `> # P\n> Prose.\n> ## Notes\n${lines.map((line) => `> - ${line}: note`).join("\n")}\n> ## Next\n> Ask.`;
  const shown = (lines: readonly string[]) => shortenQuoted(texts(lines), 95);
  assert.equal(shown(days), texts(days.slice(2)));
  assert.equal(shown(days.toReversed()), texts(days.slice(2).reverse()));
  assert.equal(shown(["a", "b", "c", "d", "e", "f", "g", "h"]), texts(["e", "f", "g", "h"]));
  const prose = `> ## Notes\n> ${"word ".repeat(10)}\n> last`;
  assert.equal(shortenQuoted(prose, 60), `> ## Notes\n> ${"word ".repeat(8)}word…`);
  assert.equal(shortenQuoted(prose, prose.length), prose);
});
