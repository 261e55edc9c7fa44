import fc from "fast-check";

/** One field of a frontmatter as a person writes it, with the lines that are nobody's value. */
export interface YamlField {
  key: string;
  /** `key: value`, over as many lines as it takes. */
  lines: string[];
  /** Comments and blank lines above it. */
  above: string[];
}

const KEYS = ["tags", "status", "owner", "updated", "project", "sub title", "x-1", "ключ", "日付"];

const comment = fc.constantFrom("# a note", " # indented: note", "#", "", "", "# key: value", "#tags: [a]");

const value = fc.constantFrom<string[]>(
  ...[[": done"], [": done # why"], [":   'it''s'  "], [': "a # b" # c'], [":"], [": # nothing yet"]],
  ...[[": [a, b] # flow"], [": [a,", '  "]", # inside', "  b]  # after"], [": {a: 1, b: [x, {y: }]}"]],
  ...[[": 2025-02-09"], [": 42"], [": 'null'"], [": ~"], [": true"], [": !!str 12 # tag"]],
  ...[
    [":", "  - a # first", "  - b"],
    [": # list", "- a", "- b: 1", "  c: 2"],
    [":", "  - a", "  -"],
  ],
  ...[
    [":", "  a: 1", "  # inside", "  b:", "    - x"],
    [":", "  in next line"],
    [": two", "  lines # end"],
  ],
  ...[
    [": |", "  text", "", "  # text too"],
    [": >- # folded", "  a", "  b"],
    [": |+", "  keep", ""],
  ],
  ...[[': "two', '  lines"'], [": 'x", "", "  y'"], [": &anchor [1]"], [": !!map", "  a: 1"]],
);

const quoted = (key: string) => fc.constantFrom(key, key, key, `'${key}'`, `"${key}"`, `${key} `);

/** Fields with different keys, in any order and layout that block YAML has. */
export const yamlFields: fc.Arbitrary<YamlField[]> = fc
  .uniqueArray(fc.constantFrom(...KEYS), { maxLength: 6 })
  .chain((keys) =>
    fc.tuple(
      ...keys.map((key) =>
        fc
          .tuple(quoted(key), value, fc.array(comment, { maxLength: 2 }))
          .map(([shown, [first = "", ...rest], above]) => ({ key, lines: [shown + first, ...rest], above })),
      ),
    ),
  );

export const fieldKey = fc.constantFrom(...KEYS);

/** A frontmatter block of the fields. */
export function blockOf(fields: readonly YamlField[], ending: string): string {
  const lines = fields.flatMap(({ above, lines }) => [...above, ...lines]);
  return ["---", ...lines, "---", ""].join(ending);
}

const scalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "2025-02-09",
    "1e3",
    "~",
    "yes",
    "- a",
    "a: b",
    "# x",
    "---",
    "...",
    "a\nb",
    "\r",
    "\t",
    "*a",
  ),
  fc.constantFrom<unknown>(0, -1.5, 1e21, true, false),
);
/** A value that a field may get. */
export const fieldValue: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 5 }), scalar, { maxKeys: 3 }),
);
const anyKey = fc.oneof(
  { weight: 4, arbitrary: fieldKey },
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "a: b",
    "# a",
    "---",
    "1",
    "null",
    "? a",
    "two\nlines",
    "\uFEFF",
  ),
);
/** Keys to set, and with null to remove. */
export const anyChanges = fc
  .array(fc.tuple(anyKey, fc.oneof({ weight: 3, arbitrary: fieldValue }, fc.constant(null))), {
    maxLength: 4,
  })
  .map((entries): Record<string, unknown> => Object.fromEntries(entries));
