import assert from "node:assert/strict";
import { test } from "node:test";
import { editedConflict, findConflicts, frontmatterConflict } from "../../src/core/markdown/conflicts.ts";
import { growth, PROPORTIONATE } from "../fixtures/growth.ts";

const CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n";

const linesOf = (text: string) => findConflicts(text).map(({ first, last }) => `${first}-${last}`);

test("conflicts are named with the lines of their markers", () => {
  const cases: [text: string, lines: string[]][] = [
    ["Text.\n", []],
    [CONFLICT, ["1-5"]],
    [`# A\n\n${CONFLICT}More.\n${CONFLICT}`, ["3-7", "9-13"]],
    [CONFLICT.replaceAll("\n", "\r\n"), ["1-5"]],
    ["<<<<<<<\n=======\n>>>>>>>", ["1-3"]],
    ["<<<<<<<<<< a\nx\n==========\ny\n>>>>>>>>>> b\n", ["1-5"]],
    // With the base.
    ["<<<<<<< a\nx\n||||||| 1f2e3d\nold\n=======\ny\n>>>>>>> b\n", ["1-7"]],
    // The base had a conflict of its own.
    [
      "<<<<<<< a\nx\n||||||| base\n<<<<<<<<< c\n1\n=========\n2\n>>>>>>>>> d\n=======\ny\n>>>>>>> b\n",
      ["1-11"],
    ],
    // An underlined heading in the part of ours.
    ["<<<<<<< a\nTitle\n========\n=======\ny\n>>>>>>> b\n", ["1-6"]],
    ["---\n<<<<<<< a\nstatus: done\n=======\nstatus: blocked\n>>>>>>> b\n---\n# A\n", ["2-6"]],
    ["Quoted:\n> <<<<<<< a\n> =======\n> >>>>>>> b\n", []],
    ["    <<<<<<< a\n    =======\n    >>>>>>> b\n", []],
    ["<<<<<< a\n======\n>>>>>> b\n", []],
    ["<<<<<<< a\n========\n>>>>>>> b\n", []],
    ["<<<<<<< a\nnever ended\n", []],
    [">>>>>>> b\n=======\n<<<<<<< a\n", []],
    ["<<<<<<<html\n=======\n>>>>>>>\n", []],
  ];
  for (const [text, lines] of cases) assert.deepEqual(linesOf(text), lines, text);
});

test("markers that one block of code shows are no conflict, those around code are", () => {
  const cases: [text: string, lines: string[]][] = [
    [`# How git marks\n\n\`\`\`text\n${CONFLICT}\`\`\`\n`, []],
    [`- a\n\n~~~\n${CONFLICT}~~~\n\n${CONFLICT}`, ["11-15"]],
    ["<<<<<<< a\n```js\nx\n```\n=======\n```ts\ny\n```\n>>>>>>> b\n", ["1-9"]],
    // Both sides opened the fence, and what follows is common.
    ["<<<<<<< a\n```js\n=======\n```ts\n>>>>>>> b\nx\n```\n", ["1-5"]],
    // Both sides closed it, each with text behind it; the next conflict is text again.
    [
      `\`\`\`\nx\n<<<<<<< a\n\`\`\`\nours\n=======\n\`\`\`\ntheirs\n>>>>>>> b\n\n${CONFLICT}`,
      ["3-9", "11-15"],
    ],
  ];
  for (const [text, lines] of cases) assert.deepEqual(linesOf(text), lines, text);
});

test("an edit may leave conflicts alone or resolve them, not change one side", () => {
  const before = `# A\n\n${CONFLICT}\nMore.\n${CONFLICT.replaceAll("ours", "own")}`;
  assert.equal(editedConflict(before, before.replace("More.", "Less.")), undefined);
  assert.equal(editedConflict(before, before.replace(CONFLICT, "ours\n")), undefined);
  assert.equal(editedConflict(before, "# A\n"), undefined);
  assert.deepEqual(editedConflict(before, before.replace("own", "mine")), { first: 10, last: 14 });
  assert.equal(editedConflict("# A\n", CONFLICT), undefined);
});

test("a conflict belongs to the frontmatter if it begins there", () => {
  const inside = `---\ntitle: A\n${CONFLICT}---\n# A\n`;
  assert.deepEqual(frontmatterConflict(inside), { first: 3, last: 7 });
  assert.deepEqual(frontmatterConflict(`\uFEFF${inside}`), { first: 3, last: 7 });
  assert.deepEqual(frontmatterConflict("<<<<<<< a\n---\ns: 1\n---\n=======\n>>>>>>> b\n# A\n"), {
    first: 1,
    last: 6,
  });
  assert.equal(frontmatterConflict(`---\ntitle: A\n---\n${CONFLICT}`), undefined);
  assert.equal(frontmatterConflict(CONFLICT), undefined);
});

test("many conflicts take time in proportion to their number", () => {
  const make = (length: number) =>
    Array.from({ length }, (_, at) => CONFLICT.replace("ours", `ours ${at}`)).join("");
  const times = growth(make, (text) => [editedConflict(text, `${text}x`), frontmatterConflict(text)], 2_000);
  assert.ok(times < PROPORTIONATE, `${times.toFixed(1)} times as long for four times as many`);
});
