import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { numRuns, SEED } from "../../fixtures/num-runs.ts";
import { connect, type Files, makeWorkspace } from "../../fixtures/workspace.ts";

const LANGUAGES = [
  {
    decisions: "Decisions",
    done: "Done",
    next: "Next",
    notes: "Notes",
    words: "We keep the queue in the database. ",
  },
  {
    decisions: "Decisiones",
    done: "Hecho",
    next: "Próximo",
    notes: "Notas",
    words: "La cola queda en la base de datos. ",
  },
  {
    decisions: "決定事項",
    done: "やったこと",
    next: "次にやること",
    notes: "メモ",
    words: "キューはデータベースに置く。",
  },
];

const drawn = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  decisions: fc.integer({ min: 1, max: 500 }),
  lengths: fc.array(fc.integer({ min: 50, max: 400 }), { minLength: 7, maxLength: 7 }),
  dates: fc.constantFrom("all", "some", "none"),
  sessions: fc.integer({ min: 1, max: 20 }),
  areFiles: fc.boolean(),
  isNewestFirst: fc.boolean(),
  max_tokens: fc.integer({ min: 600, max: 15_000 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const two = (value: number) => String(value).padStart(2, "0");
const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at + 1));

/** `2024-01-01` and the days after it. */
function dayOf(n: number): string {
  return new Date(Date.UTC(2024, 0, n)).toISOString().slice(0, 10);
}

function inOrder<T>({ isNewestFirst }: Drawn, items: T[]): T[] {
  return isNewestFirst ? items.reverse() : items;
}

/** A text of the drawn length that says which one it is. */
function said({ lengths, language }: Drawn, mark: string, n: number): string {
  const length = lengths[n % lengths.length] ?? 50;
  return `${mark}${n}. ${language.words.repeat(20)}`.slice(0, length).trimEnd();
}

function decisionLines(one: Drawn): string {
  const lines = times(one.decisions, (n) => {
    const isDated = one.dates === "all" || (one.dates === "some" && n % 3 === 1);
    return `- ${isDated ? `${dayOf(n)}: ` : ""}${said(one, "decided", n)}`;
  });
  // Without two dates nothing says that the newest stands first.
  const canFall = one.dates === "all" ? one.decisions > 1 : one.dates === "some" && one.decisions > 3;
  return (canFall ? inOrder(one, lines) : lines).join("\n");
}

function sessionFiles(one: Drawn): Files {
  const { done, next } = one.language;
  const notes = times(
    one.sessions,
    (n) => `## ${done}\n- ${said(one, "did", n)}\n\n## ${next}\n- next${n}. Go on.\n`,
  );
  if (one.areFiles)
    return Object.fromEntries(
      notes.map((note, at) => [`p/sessions/2026-03-${two(at + 1)}.md`, `# Log\n\n${note}`]),
    );
  const timed = notes.map((note, at) => `---\n**${two(at)}:30:00**\n\n${note}`);
  return { "p/sessions/2026-03-01.md": `# Log\n\n${inOrder(one, timed).join("\n")}` };
}

function filesOf(one: Drawn): Files {
  const { decisions, notes } = one.language;
  const reasons = times(40, (n) => `- ${dayOf(n)}: ${n === 40 ? "reason40" : "waited"}. Ask them.`);
  return {
    "p/status.md": `# P\n\n${one.language.words}\n\n## ${decisions}\n\n${decisionLines(one)}\n`,
    "p/tasks/001-a.md": `# Task: A\n\nStatus: in-progress\n\n## Objective\nDo it.\n`,
    "p/tasks/002-b.md": `# Task: B\n\nStatus: blocked\n\n## Objective\nDo that.\n\n## ${notes}\n${inOrder(one, reasons).join("\n")}\n`,
    ...sessionFiles(one),
  };
}

test("a briefing of any budget says the newest of each kind, nothing twice, and spends what it may", async (t) => {
  const property = fc.asyncProperty(drawn, async (one) => {
    const { call, workspace } = await connect(t, makeWorkspace(t, filesOf(one)));
    const { text } = await call<{ text: string }>("get_briefing", {
      project: "p",
      max_tokens: one.max_tokens,
    });
    await workspace.close();
    const tokens = Buffer.byteLength(text) / 4;
    assert.ok(tokens <= one.max_tokens, `${tokens} of ${one.max_tokens}`);
    const marks = [...text.matchAll(/(?:decided|did|next|reason)\d+(?=\.)/g)].map(([mark]) => mark);
    assert.deepEqual(
      marks.filter((mark, at) => marks.indexOf(mark) !== at),
      [],
      "twice",
    );
    for (const newest of [`decided${one.decisions}`, `next${one.sessions}`, "reason40"])
      assert.ok(marks.includes(newest), `${newest} in\n${text}`);
    const all = one.decisions + 2 * one.sessions + 1;
    const isSpent = tokens >= 0.9 * one.max_tokens || text.length >= 0.9 * 59_900;
    assert.ok(marks.length === all || isSpent, `${tokens} of ${one.max_tokens}:\n${text}`);
  });
  await fc.assert(property, { seed: SEED, numRuns: numRuns(150) });
});
