import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { textWidth } from "../../src/lib/width.ts";
import { noTerminal, type Person, person, type Typed } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const skip = noTerminal();
const LIST = "Document: ";

function reader(t: TestContext) {
  const someone = person(t);
  const titles = ["Bake bread", "Diseñar la portada", "認証の画面を作る"];
  const tasks = titles.map((title, at) => [
    `p/tasks/00${at + 1}-t.md`,
    `# Task: ${title}\n\nStatus: pending\n`,
  ]);
  writeFiles(someone.root, { ...Object.fromEntries(tasks), "p/status.md": "The status.\n" });
  return someone;
}

/** What `show` prints after these answers. */
function shown({ onTerminal }: Person, answer: NonNullable<Typed["answer"]>, typed: Typed = {}) {
  const { status, stdout } = onTerminal(["show", "--project", "p"], { ...typed, answer });
  const lines = stripVTControlCharacters(stdout).replaceAll("\r", "");
  return { status, stdout, lines };
}

test("typing filters the list, whatever the case and the accents", { skip }, (t) => {
  const someone = reader(t);
  for (const [typed, title] of [
    ["DISENAR port", "Diseñar la portada"],
    ["画面", "認証の画面を作る"],
    ["x\x7f2", "Diseñar la portada"],
    ["portada\x15bread", "Bake bread"],
  ] as const) {
    const { status, lines } = shown(someone, [LIST, typed, "1 of 1", "\r"]);
    assert.equal(status, 0);
    assert.match(lines, new RegExp(`# Task: ${title}\n\nStatus: pending\n$`));
  }
});

test("arrows mark another line, and stop at both ends", { skip }, (t) => {
  const someone = reader(t);
  const [up, down] = ["\x1b[A", "\x1b[B"];
  for (const [keys, text] of [
    [down, /# Task: Diseñar la portada\n/],
    [`${down}${down}${up}${up}${up}`, /# Task: Bake bread\n/],
    ["\x1b[6~\x1b[B", /The status\.\n$/],
  ] as const)
    assert.match(shown(someone, [LIST, `${keys}\r`]).lines, text);
});

test("Esc and Ctrl+C leave without a choice, and the list goes", { skip }, (t) => {
  const someone = reader(t);
  for (const key of ["\x1b", "\x03", "bread\x04"]) {
    const { status, stdout } = shown(someone, [LIST, key]);
    assert.equal(status, 1);
    assert.ok(stdout.includes("\x1b[1G\x1b[0JNothing was done. For example: vibe-mcp show "), stdout);
  }
});

test("without a match Enter chooses nothing", { skip }, (t) => {
  const { status, lines } = shown(reader(t), [LIST, "zebra\r", "No match", "\x03"]);
  assert.equal(status, 1);
  assert.match(lines, /Document: zebra\nNo match: .*Esc/);
});

test("the list fits a narrow and low terminal, has no colours with NO_COLOR, and no control characters", {
  skip,
}, (t) => {
  const someone = reader(t);
  writeFiles(someone.root, { "p/tasks/004-e.md": "# Task: \x1b[2J evil\n\nStatus: pending\n" });
  const typed = { columns: 24, rows: 5, env: { NO_COLOR: "1" } };
  const { stdout, lines } = shown(someone, [LIST, "\x03"], typed);
  assert.ok(
    ["\x1b[1m", "\x1b[2m", "\x1b[2J"].every((code) => !stdout.includes(code)),
    stdout,
  );
  const list = lines.slice(0, lines.indexOf("Nothing")).split("\n");
  assert.deepEqual(list, [
    "Document: ",
    "› 001 Bake bread (pend…",
    "  002 Diseñar la porta…",
    "  003 認証の画面を作る…",
    "1 of 5: Enter, or Esc…",
  ]);
  for (const line of list) assert.ok(textWidth(line) < 24, line);
});

test("what runs afterwards finds the terminal as it was", { skip }, (t) => {
  const someone = reader(t);
  writeFileSync(join(someone.cwd, "editor.sh"), "stty -a\n");
  const env = { VISUAL: "", EDITOR: "sh editor.sh" };
  const answer = [LIST, "\r"] as const;
  const { stdout } = someone.onTerminal(["edit", "--project", "p"], { env, answer });
  assert.match(stdout, /[^-]icanon\b/);
  assert.match(stdout, /p\/tasks\/001-t\.md: unchanged/);
});
