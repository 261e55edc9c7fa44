import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { demoFiles } from "../../../src/cli/commands/demo/files.ts";
import { parseFrontmatter } from "../../../src/core/markdown/frontmatter.ts";
import { mergeFrontmatter } from "../../../src/core/markdown/frontmatter-edit.ts";
import type { Three } from "../../../src/core/markdown/merge-regions.ts";
import { mergeNotes } from "../../../src/core/notes/merge/merge.ts";
import { appendSession, renderSession } from "../../../src/core/notes/session/file.ts";
import { changeTask } from "../../../src/core/notes/task/edit.ts";
import { readStatuses, setTaskStatus } from "../../../src/core/notes/task/status.ts";
import { findBoxes } from "../../../src/core/notes/task/task.ts";
import { numRuns } from "../../fixtures/num-runs.ts";

const NUM_RUNS = numRuns(1200);

type Edit = (text: string) => string;

const word = fc.stringMatching(/^[a-z]{6,12}$/);
const anywhere = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Changes that tools make; those with another key touch another fact. */
const toolEdit: fc.Arbitrary<[key: string, edit: Edit]> = fc.oneof(
  fc
    .constantFrom("pending", "in-progress", "done", "blocked")
    .map((status): [string, Edit] => ["status", (text) => setTaskStatus(text, status)]),
  fc
    .nat(3)
    .map((at): [string, Edit] => [`step ${at}`, (text) => changeTask(text, { done_steps: [at + 1] }).text]),
  fc
    .nat(1)
    .map((at): [string, Edit] => [
      `done ${at}`,
      (text) => changeTask(text, { done_criteria: [at + 1] }).text,
    ]),
  fc
    .constantFrom("high", "medium", "low")
    .map((priority): [string, Edit] => ["priority", (text) => mergeFrontmatter(text, { priority })]),
  word.map((owner): [string, Edit] => ["owner", (text) => mergeFrontmatter(text, { owner })]),
  word.map((due): [string, Edit] => ["due", (text) => mergeFrontmatter(text, { due })]),
  word.map((title): [string, Edit] => ["title", (text) => changeTask(text, { title }).text]),
  word.map((objective): [string, Edit] => ["objective", (text) => changeTask(text, { objective }).text]),
);

/** A line put in, removed or changed by hand; what is put in stands nowhere else. */
const lineEdit: fc.Arbitrary<Edit> = fc
  .tuple(fc.constantFrom("insert", "remove", "change"), anywhere, word)
  .map(([kind, share, text]) => (before) => {
    const lines = before.split("\n");
    const first = lines.indexOf("## Notes");
    const at = first + 1 + Math.floor(share * (lines.length - first - 1));
    lines.splice(at, kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [text]));
    return lines.join("\n");
  });

const task = fc
  .record({
    fields: fc.constantFrom(
      "",
      "status: pending\n",
      "status: pending\ntags: [a, b]\n# about it\nowner: ana\n",
    ),
    line: fc.boolean(),
    ending: fc.constantFrom("", "\n"),
    notes: fc.array(word, { minLength: 4, maxLength: 12 }),
  })
  .map(({ fields, line, ending, notes }) =>
    [
      ...(fields === "" ? [] : [`---\n${fields}---`]),
      "# Task: Title",
      "",
      ...(line || fields === "" ? ["Status: pending", ""] : []),
      "## Objective",
      "Why.",
      "",
      "## Steps",
      "1. [ ] a",
      "2. [x] b",
      "3. [ ] c",
      "4. [ ] d",
      "",
      "## Acceptance Criteria",
      "- [ ] e",
      "- [ ] f",
      "",
      "## Notes",
      ...notes,
    ]
      .join("\n")
      .concat(ending),
  );

const apply = (text: string, edits: readonly Edit[]) => edits.reduce((before, edit) => edit(before), text);
const merge = (base: string, ours: string, theirs: string, isSession = false) =>
  mergeNotes({ base, ours, theirs }, { isSession });

test("changes by tools of different facts merge without a conflict, and all are there", () => {
  const edits = fc.uniqueArray(toolEdit, { selector: ([key]) => key, maxLength: 8 });
  const property = fc.property(task, edits, fc.nat(8), (base, all, cut) => {
    const sides = [all.slice(0, cut), all.slice(cut)].map((part) => part.map(([, edit]) => edit));
    const [ours = base, theirs = base] = sides.map((side) => apply(base, side));
    const { text, conflicts } = merge(base, ours, theirs);
    assert.equal(conflicts, 0, text);
    const expected = apply(base, sides.flat());
    assert.deepEqual(parseFrontmatter(text).data, parseFrontmatter(expected).data);
    assert.deepEqual(readStatuses(text), readStatuses(expected));
    const bodyOf = (one: string) => one.slice(parseFrontmatter(one).bodyOffset);
    assert.equal(bodyOf(text), bodyOf(expected));
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

const anyEdits = fc.array(
  fc.oneof(
    lineEdit,
    toolEdit.map(([, edit]) => edit),
  ),
  { maxLength: 6 },
);

test("no line of either side disappears, and none appears twice", () => {
  const property = fc.property(task, anyEdits, anyEdits, (base, own, other) => {
    assertKept({ base, ours: apply(base, own), theirs: apply(base, other) }, (line) =>
      /^[a-z]{6,}$/.test(line),
    );
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

test("in real notes, no line of either side disappears, and none appears twice", () => {
  const edits = fc.array(lineEdit, { maxLength: 6 });
  const notes = demoFiles(new Date()).map(({ content }) => content);
  // What the merge itself writes anew: numbers of steps, and the status.
  const isOwn = (line: string) => line.trim() === "" || /^\s*\d+[.)]|status|\[[ x]\]/i.test(line);
  const property = fc.property(fc.constantFrom(...notes), edits, edits, (base, own, other) => {
    const texts = { base, ours: apply(base, own), theirs: apply(base, other) };
    assertKept(texts, (line) => !isOwn(line));
    const [one, two] = [merge(base, texts.ours, texts.theirs), merge(base, texts.theirs, texts.ours)];
    assert.equal(one.conflicts, two.conflicts);
    assert.equal(merge(base, base, texts.theirs).text, texts.theirs);
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

function assertKept({ base, ours, theirs }: Three<string>, isWatched: (line: string) => boolean): void {
  const { text } = merge(base, ours, theirs);
  const countsOf = (one: string) => {
    const counts = new Map<string, number>();
    for (const line of one.split(/\r?\n/)) counts.set(line, (counts.get(line) ?? 0) + 1);
    return (line: string) => counts.get(line) ?? 0;
  };
  const [inBase, inOurs, inTheirs, inText] = [base, ours, theirs, text].map(countsOf) as [
    Count,
    Count,
    Count,
    Count,
  ];
  for (const line of new Set([base, ours, theirs].join("\n").split(/\r?\n/).filter(isWatched))) {
    const [before, here, there] = [inBase(line), inOurs(line), inTheirs(line)];
    const isRemoved = before > 0 && (here < before || there < before);
    if (!isRemoved) assert.ok(inText(line) >= Math.max(here, there), `${line}\n${text}`);
    assert.ok(inText(line) <= here + there, `${line}\n${text}`);
  }
}

type Count = (line: string) => number;

test("a side that changed nothing leaves the other one as it is, byte for byte", () => {
  const text = fc.oneof(task, fc.string({ maxLength: 200 }), fc.constant("---\r\na: [\n---\nx\r\n"));
  fc.assert(
    fc.property(text, text, fc.boolean(), (base, other, isSession) => {
      assert.deepEqual(merge(base, base, other, isSession), { text: other, conflicts: 0 });
      assert.deepEqual(merge(base, other, base, isSession), { text: other, conflicts: 0 });
      assert.deepEqual(merge(base, other, other, isSession), { text: other, conflicts: 0 });
    }),
    { numRuns: NUM_RUNS },
  );
});

test("both directions give the same facts", () => {
  const edits = fc.array(
    toolEdit.map(([, edit]) => edit),
    { maxLength: 6 },
  );
  const property = fc.property(task, edits, edits, (base, own, other) => {
    const [ours, theirs] = [apply(base, own), apply(base, other)];
    const [one, two] = [merge(base, ours, theirs), merge(base, theirs, ours)];
    assert.equal(one.conflicts, two.conflicts);
    if (one.conflicts > 0) return;
    const facts = (text: string) => {
      const { data, bodyOffset } = parseFrontmatter(text);
      return { data, steps: findBoxes(text, bodyOffset, "steps").map((box) => [box.text, box.isDone]) };
    };
    assert.deepEqual(facts(one.text), facts(two.text));
    assert.deepEqual(readStatuses(one.text), readStatuses(two.text));
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

test("steps that both sides add all stay", () => {
  const added = fc.uniqueArray(word, { maxLength: 5 });
  const property = fc.property(task, added, added, (base, own, other) => {
    if (own.some((text) => other.includes(text))) return;
    const withSteps = (steps: string[]) =>
      base.replace(
        "4. [ ] d\n",
        (last) => last + steps.map((step, at) => `${at + 5}. [ ] ${step}\n`).join(""),
      );
    const { text, conflicts } = merge(base, withSteps(own), withSteps(other));
    assert.equal(conflicts, 0);
    const steps = findBoxes(text, parseFrontmatter(text).bodyOffset, "steps").map((box) => box.text);
    assert.deepEqual(steps, ["a", "b", "c", "d", ...own, ...other]);
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

/** What people and agents append, with the blank lines that belong before it. */
const blocks = {
  item: (text: string) => `- ${text}\n`,
  "numbered item": (text: string) => `1. ${text}\n`,
  step: (text: string) => `- [ ] ${text}\n  - ${text} below\n`,
  row: (text: string) => `| ${text} | x |\n`,
  line: (text: string) => `${text}\n`,
  paragraph: (text: string) => `\n${text}\n${text} goes on.\n`,
  "ruled note": (text: string) => `\n---\n\n**10:00** ${text}\n`,
  code: (text: string) => `\n\`\`\`sh\n${text}\n\n# ${text}\n\`\`\`\n`,
  section: (text: string) => `\n## ${text}\n\n- ${text} x\n`,
  "Japanese section": (text: string) => `\n## 決定 ${text}\n\n- 項目 ${text}\n`,
};
const sections = [
  ["an empty section", "# A\n\n## 決定事項\n", "\n## Next\n\n- z\n"],
  ["a section with an item", "# A\n\n## Notes\n- a\n", "\n## Next\n\n- z\n"],
  ["the end", "# A\n\nText.\n", ""],
  ["a section that both make", "# A\n", ""],
] as const;

for (const [place, above, below] of sections)
  test(`what both sides append to ${place} is kept, each in its order, and without a conflict`, () => {
    const block = fc.constantFrom(...Object.values(blocks));
    const all = fc.array(fc.tuple(block, word), { minLength: 1, maxLength: 5 });
    const property = fc.property(
      all,
      all,
      block,
      fc.boolean(),
      fc.boolean(),
      (own, other, one, alike, crlf) => {
        const made = place === "a section that both make" ? "\n## Notes\n\n" : "";
        const written = ([parts, sign]: [typeof own, string]) =>
          parts.map(([form, text], at) => (alike ? one : form)(`${text} ${sign}${at}`)).join("");
        const ended = (text: string) => (crlf ? text.replaceAll("\n", "\r\n") : text);
        const [base = "", ours = "", theirs = ""] = ["", written([own, "o"]), written([other, "t"])].map(
          (added) => ended(above + (added && made) + added + below),
        );
        const { text, conflicts } = merge(base, ours, theirs);
        assert.equal(conflicts, 0, text);
        const signsOf = (one: string): string[] => one.match(/\b[ot]\d\b/g) ?? [];
        const signs = signsOf(text);
        for (const side of [ours, theirs]) {
          const expected = signsOf(side);
          if (alike)
            assert.deepEqual(
              signs.filter((sign) => expected.includes(sign)),
              expected,
            );
          assert.deepEqual(signs.filter((sign) => expected.includes(sign)).sort(), expected.sort(), text);
        }
        if (alike) assert.ok(signs.lastIndexOf(`o${own.length - 1}`) < signs.indexOf("t0"), text);
        assert.equal(text.includes("\r"), crlf);
        assert.equal(text.match(/^## Notes\r?$/gm)?.length ?? 0, made || above.includes("Notes") ? 1 : 0);
        const sorted = (one: string) =>
          one
            .split(/\r?\n/)
            .map((line) => line.replace(/^\d+/, ""))
            .filter(Boolean)
            .sort();
        assert.deepEqual(sorted(merge(base, theirs, ours).text), sorted(text));
        assertSettled({ base, ours, theirs });
      },
    );
    fc.assert(property, { numRuns: NUM_RUNS });
  });

/** Lists, tables and paragraphs, and the ways in which they change. */
const forms = {
  list: (text: string) => `- ${text}`,
  "numbered list": (text: string, at: number) => `${at + 1}. ${text}`,
  steps: (text: string, at: number) => `${at + 1}. [ ] ${text}`,
  table: (text: string) => `| ${text} | x |`,
  paragraphs: (text: string) => `${text}\n`,
};
const partEdit = fc.tuple(fc.constantFrom("insert", "append", "remove", "change", "tick"), fc.nat(6), word);
const partEdits = fc.array(partEdit, { maxLength: 5 });

/** `sign` makes the texts of one side its own. */
function withPartEdits(
  parts: readonly string[],
  edits: readonly [string, number, string][],
  { form, sign }: { form: (text: string, at: number) => string; sign: string },
): string[] {
  const result = [...parts];
  for (const [number, [kind, place, word]] of edits.entries()) {
    const text = `${word} ${sign}${number}`;
    const at = kind === "append" ? result.length : Math.min(place, result.length);
    const removed = kind === "insert" || kind === "append" ? 0 : 1;
    const added =
      kind === "remove" ? [] : [kind === "tick" ? (result[at]?.replace("[ ]", "[x]") ?? "") : form(text, at)];
    result.splice(at, removed, ...added.filter(Boolean));
  }
  return result;
}

/** Fails unless both orders of the sides agree, and the result merges with either side to itself. */
function assertSettled({ base, ours, theirs }: Three<string>, isSession = false): void {
  const { text, conflicts } = merge(base, ours, theirs, isSession);
  assert.equal(conflicts > 0, merge(base, theirs, ours, isSession).conflicts > 0);
  if (conflicts > 0) return;
  assert.deepEqual(merge(base, text, theirs, isSession), { text, conflicts });
  assert.deepEqual(merge(base, ours, text, isSession), { text, conflicts });
}

for (const [name, form] of Object.entries(forms))
  test(`merging what is merged changes nothing: ${name}`, () => {
    const words = fc.uniqueArray(word, { maxLength: 7 });
    const property = fc.property(words, partEdits, partEdits, fc.boolean(), (before, own, other, isTask) => {
      const textOf = (parts: string[]) =>
        `${isTask ? "# Task: A\n\n## Steps\n" : ""}${parts.join("\n")}\n${isTask ? "\n## Notes\nText.\n" : ""}`;
      const parts = before.map(form);
      const [ours = "", theirs = ""] = [own, other].map((edits, at) =>
        textOf(withPartEdits(parts, edits, { form, sign: "ab"[at] ?? "" })),
      );
      assertSettled({ base: textOf(parts), ours, theirs });
    });
    fc.assert(property, { numRuns: NUM_RUNS });
  });

test("merging what is merged changes nothing: tasks", () => {
  const property = fc.property(task, anyEdits, anyEdits, (base, own, other) => {
    assertSettled({ base, ours: apply(base, own), theirs: apply(base, other) });
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

test("session notes that both sides append all stay, by their times", () => {
  const time = fc.integer({ min: 0, max: 86_399 }).map((s) => new Date(s * 1000).toISOString().slice(11, 19));
  const notes = fc
    .uniqueArray(fc.tuple(time, word), { selector: ([at]) => at, maxLength: 5 })
    .map((all) => all.sort(([a], [b]) => (a < b ? -1 : 1)));
  const property = fc.property(notes, notes, notes, (before, own, other) => {
    const append = (text: string, all: readonly [string, string][]) =>
      all.reduce((one, [at, note]) => appendSession(one, `## Done\n- ${note}\n`, at), text);
    const base = append(renderSession("2026-01-01", "First."), before);
    assertSettled({ base, ours: append(base, own), theirs: append(base, other) }, true);
    const { text, conflicts } = merge(base, append(base, own), append(base, other), true);
    assert.equal(conflicts, 0);
    for (const [, note] of [...before, ...own, ...other])
      assert.equal(
        text.split(`- ${note}\n`).length - 1,
        [...before, ...own, ...other].filter(([, n]) => n === note).length,
      );
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});
