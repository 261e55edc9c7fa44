import fc from "fast-check";

/** Lines that meet the parsers' rules far more often than random characters do. */
const line = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...["", "  ", "# One", "## Two ##", "### Three", "#tag", "#", "    # code", "Title", "===", "---", "-"],
      ...[
        "```",
        "```js",
        "~~~~",
        "   ```",
        "<!--",
        "-->",
        "<!-- note -->",
        "- item",
        "  nested",
        "1. [ ] step",
      ],
      ...[
        "> quote",
        "| a | b |",
        "--- | ---",
        "***",
        "Status: done",
        "**Status:** wip",
        "a: 1",
        "...",
        "\uFEFF",
      ],
      ...["## Steps", "## Context", "- Dependencies: 3, `004-x.md`", "日本語の文", "😀😀", "\uD800", "\r"],
    ),
  },
);

const terminator = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");

/** Any text at all, mostly made of lines that mean something in Markdown or YAML. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fc.tuple(line, terminator), { maxLength: 30 }).map((lines) => lines.flat().join("")),
  fc.array(fc.tuple(line, terminator), { maxLength: 30 }).map((lines) => `---\n${lines.flat().join("")}`),
);

/** Text long enough to be split: repeated lines and words between short ones. */
export const longText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      anyText,
      fc
        .tuple(
          fc.constantFrom("word ", "x", "😀", "あ", "line\n", "a\n\n", " ", "```\n\n"),
          fc.integer({ min: 1, max: 9000 }),
        )
        .map(([part, times]) => part.repeat(times)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join("\n"));
