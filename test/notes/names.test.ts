import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { UserError } from "../../src/core/lib/errors.ts";
import { withMarkdownExtension } from "../../src/core/lib/file-names.ts";
import {
  checkNewFilename,
  checkProjectName,
  formatTaskNumber,
  hyphenate,
  parseTaskNumber,
  STANDARD_FOLDERS,
  slugify,
} from "../../src/core/notes/names.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const invalid = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UserError);
  assert.equal(error.code, "INVALID_PATH");
  assert.match(error.message, message);
  assert.ok(error.message.length < 300);
  return true;
};

test("there are eight standard folders, and each is a name that may be written", () => {
  assert.equal(STANDARD_FOLDERS.length, 8);
  for (const folder of STANDARD_FOLDERS) checkProjectName(folder);
});

test("ordinary names are accepted", () => {
  for (const name of ["notes.md", "diagrams/flow.md", "日本語.md", "what's next.md", "a.b.c"]) {
    checkNewFilename(name);
  }
});

const REFUSED: [name: string, message: RegExp][] = [
  ["", /is empty/],
  [".hidden.md", /is hidden/],
  ["/etc/passwd", /is absolute/],
  ["..", /'\.\.'/],
  ["a..b.md", /'\.\.'/],
  ["./a.md", /is hidden/],
  ["a/", /empty part/],
  ["a\\b.md", /'\\'/],
  ["10:30.md", /':'/],
  ["a\0.md", /control/],
  ["a\uD800.md", /control/],
  ["a ", /space or dot/],
  ["con", /device/],
  ["NUL.md", /device/],
  ["aux .md", /device/],
  ...["?", "*", "<", ">", "|", '"'].map((sign): [string, RegExp] => [`a${sign}b.md`, /Windows/]),
  ["あ".repeat(86), /255 bytes/],
  ["a/".repeat(600), /too long/],
  ["a".repeat(5_000_000), /too long/],
];

for (const [name, message] of REFUSED) {
  const shown = JSON.stringify(name.slice(0, 30));
  test(`the filename ${shown} is refused`, () =>
    assert.throws(() => checkNewFilename(name), invalid(message)));
  test(`the project name ${shown} is refused`, () =>
    assert.throws(() => checkProjectName(name), invalid(/./)));
}

test("a project name is one plain name", () => {
  for (const name of ["vibeMCP", "mi proyecto", "プロジェクト", "a.b"]) checkProjectName(name);
  assert.throws(() => checkProjectName("a/b"), invalid(/'\/'.*plain name/));
});

test("a message shows no control character of the name", () => {
  assert.throws(
    () => checkNewFilename("a\u001b[31m\n\uD800"),
    (error: Error) => {
      assert.doesNotMatch(error.message, /[\p{Cc}\p{Cs}]/u);
      return true;
    },
  );
});

test(".md is added unless it is there in any letter case", () => {
  assert.deepEqual(["a", "a.md", "a.MD", "a.txt"].map(withMarkdownExtension), [
    "a.md",
    "a.md",
    "a.MD",
    "a.txt.md",
  ]);
});

const SLUGS: [title: string, slug: string][] = [
  ["Implementar tool search", "implementar-tool-search"],
  ["What's next?", "whats-next"],
  ["C++ & node.js / foo_bar", "c-node-js-foo-bar"],
  ["データベースのバグを直す", "データベースのバグを直す"],
  ["ﾊﾞｸﾞ ＡＢＣ", "バグ-abc"],
  ["Ünïcode tiếng Việt", "unicode-tieng-viet"],
  ["✅️ Done 1️⃣", "done-1"],
  ["", "task"],
  ["🎉", "task"],
  ["CON", "con-task"],
  ["\uD800x", "x"],
  ["a".repeat(80), "a".repeat(60)],
  [`${"a".repeat(40)} ${"b".repeat(40)}`, "a".repeat(40)],
  [`${"a".repeat(60)} b`, "a".repeat(60)],
  [`ab ${"c".repeat(80)}`, `ab-${"c".repeat(57)}`],
];

for (const [title, slug] of SLUGS) {
  test(`the title ${JSON.stringify(title.slice(0, 30))} gives a slug`, () =>
    assert.equal(slugify(title), slug));
}

test("a slug is always a name that may be written, of at most 60 characters, and its own slug", () => {
  const title = fc.oneof(
    fc.string({ unit: "binary", maxLength: 150 }),
    fc.string({ unit: "grapheme", maxLength: 150 }),
    fc
      .array(fc.constantFrom("con", " ", "é", "バ", "𠮷", "😀", "\u0301", "-", "com1", "ｎｕｌ"), {
        maxLength: 90,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(title, (text) => {
      const slug = slugify(text);
      checkNewFilename(slug);
      assert.ok(slug.length <= 60 && slug !== "");
      assert.match(slug, /^[\p{L}\p{N}]/u);
      assert.doesNotMatch(slug, /[^\p{L}\p{N}\p{M}-]|--|-$/u);
    }),
    { numRuns: numRuns(2000) },
  );
});

test("a slug of a huge title is made", () => {
  for (const part of ["a", " ", "-a", "\u0301", "é", "'"])
    assert.ok(slugify(part.repeat(1_000_000)).length <= 60);
});

const NUMBERS: [filename: string, number: string | null][] = [
  ["004-definir-interfaz.md", "004"],
  ["004.md", "004"],
  ["004.markdown", "004"],
  ["2026-01.markdown", null],
  ["archive/004-x.md", "004"],
  ["004", "004"],
  ["2025-02-09.md", null],
  ["3d-model.md", null],
  ["x-004.md", null],
  [`${"9".repeat(30)}-x.md`, null],
];

for (const [filename, number] of NUMBERS) {
  test(`the task number of ${filename.slice(0, 30)} is ${number}`, () =>
    assert.equal(parseTaskNumber(filename), number));
}

test("a task number has at least three digits", () => {
  assert.deepEqual([1, 42, 999, 1000].map(formatTaskNumber), ["001", "042", "999", "1000"]);
});

test("a text without letters or digits gives no words to a name", () => {
  assert.equal(hyphenate(" ?! "), "");
  assert.equal(hyphenate("Depuración de auth"), "depuracion-de-auth");
  assert.equal(hyphenate("con"), "con");
});
