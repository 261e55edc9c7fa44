import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { BACKLOG_TASK, BEADS, TASKMASTER } from "../../fixtures/imports.ts";
import { numRuns, SEED } from "../../fixtures/num-runs.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";
import { everything } from "../../hostile/interrupted.ts";
import { randomFrom } from "../../hostile/runs.ts";

const skip = process.platform === "win32" && "signals are those of Unix";
const LONG = `start ${"word ".repeat(80)}end`;

function importer(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, {
    "shop/status.md": "# Shop\n\n## Decisiones\n\n- Old\n\n## Next\n\n- Sell\n",
    "shop/tasks/001-old.md": "# Task: Old\n\nStatus: done\n",
  });
  writeFiles(someone.cwd, {
    "backlog/config.yml": "task_prefix: task\n",
    "backlog/tasks/task-7 - Rotate-keys.md": BACKLOG_TASK,
    "backlog/completed/task-3 - Write.md": "---\nid: TASK-3\ntitle: Write\nstatus: Done\n---\n",
    "backlog/archive/tasks/task-9 - No.md": "---\nid: TASK-9\n---\n",
    "backlog/archive/tasks/task-3 - Wrote.md": `---\nid: TASK-3\ntitle: ${LONG}\n---\n\n\`\`\`\nopen\n`,
    "backlog/docs/guides/doc-1 - Why?.md": "---\nid: doc-1\n---\n# Why\n\nSee [keys](../keys.md).\n",
    "backlog/docs/keys.md": "# Keys\r\n",
    "backlog/docs/flow.svg": "<svg/>",
    "backlog/decisions/d-1 - Two keys.md":
      "---\nid: d-1\ntitle: Two [keys]\ndate: 2025-01-02\nstatus: accepted\n---\n",
    "backlog/tasks/notes.md": "# Notes\n",
    ".beads/issues.jsonl": BEADS,
    ".taskmaster/tasks/tasks.json": TASKMASTER,
  });
  symlinkSync(join(someone.cwd, "backlog/config.yml"), join(someone.cwd, "backlog/tasks/link.md"));
  const run = (...args: string[]) => someone.inPipe(["import", ...args, "--project", "shop"]);
  const read = (name: string) => readFileSync(join(someone.root, "shop/tasks", name), "utf8");
  return { ...someone, run, read, tasks: () => readdirSync(join(someone.root, "shop/tasks")).sort() };
}

test("tasks of Backlog.md come in with their numbers where these are free, links and a report, once", (t) => {
  const { run, read, tasks, inPipe, cwd } = importer(t);
  const shown = run("backlog", ".", "--dry-run");
  assert.match(shown.stderr, /^4 tasks and 4 documents to create: nothing is written yet\./);
  assert.deepEqual(tasks(), ["001-old.md"]);
  const { status, stdout, stderr } = run("backlog", ".");
  assert.equal(status, 0, stderr);
  assert.equal(stdout, shown.stdout);
  assert.deepEqual(stdout.trimEnd().split("\n"), [
    "→ shop/tasks/007-rotate-the-keys.md",
    "→ shop/tasks/003-write.md",
    "→ shop/archive/tasks/010-start-word-word-word-word-word-word-word-word-word-word-word.md",
    "→ shop/archive/tasks/009-task-9-no.md",
    "→ shop/references/backlog/tasks/notes.md",
    "→ shop/references/backlog/docs/guides/doc-1-why.md",
    "→ shop/references/backlog/docs/keys.md",
    "→ shop/references/backlog/decisions/d-1 - Two keys.md",
  ]);
  const decided =
    "- Old\n- [2025-01-02: Two \\[keys\\]](<references/backlog/decisions/d-1 - Two keys.md>)\n\n## Next";
  assert.ok(read("../status.md").includes(decided), read("../status.md"));
  assert.match(stderr, /^Created 4 tasks and 4 documents\. To take it back: /);
  const rest = stderr.slice(stderr.indexOf("\n"));
  assert.equal(rest, shown.stderr.slice(shown.stderr.indexOf("\n")));
  assert.match(
    rest,
    /\nMore than one task has the id TASK-3: .*\n1 task with links to tasks that are not there: .*\n/,
  );
  assert.match(rest, /\nLeft out:\n- docs\/flow\.svg: no \.md file\n- tasks\/link\.md: a link, .*\n$/);
  assert.match(
    read("../archive/tasks/010-start-word-word-word-word-word-word-word-word-word-word-word.md"),
    /### Whole title\nstart (?:word ){80}end\n\n### Text\n```\nopen\n```\n$/,
  );
  assert.equal(
    read("../references/backlog/docs/keys.md"),
    "---\r\nimported: backlog docs/keys.md\r\n---\r\n# Keys\r\n",
  );
  const text = read("007-rotate-the-keys.md");
  assert.match(text, /^---\n[\s\S]*owner: ana, luis\n[\s\S]*imported: backlog TASK-7\ncreated: .*2025-01-02/);
  assert.match(
    text,
    /\nStatus: in-progress\n[\s\S]*Dependencies: 003-write\n[\s\S]*1\. \[ \] Write the job\n[\s\S]*\n- Needs `TASK-99`\n- Part of `TASK-1`\n/,
  );
  const again = run("backlog", "backlog");
  assert.match(again.stderr, /^Created 0 tasks\.\n8 came in before and did not change\.\n/);
  assert.equal(read("007-rotate-the-keys.md"), text);
  const ready = inPipe(["tasks", "shop", "--json"]);
  assert.equal(JSON.parse(ready.stdout).tasks.length, 3);
  writeFiles(cwd, { "backlog/tasks/task-3 - Anew.md": "---\nid: TASK-3\ntitle: Another\n---\n" });
  assert.match(run("backlog", ".").stdout, /^→ shop\/tasks\/011-another\.md\n$/);
  assert.equal(read("../status.md").split("d-1").length, 2);
  assert.equal(inPipe(["undo", "--yes", "--project", "shop"]).status, 0);
  const [, undo = ""] = /To take it back: \S+ (undo \S+)/.exec(stderr.replace(/node \S+/, "vibe-mcp")) ?? [];
  assert.equal(inPipe([...undo.split(" "), "--yes"]).status, 0);
  assert.deepEqual(tasks(), ["001-old.md"]);
  assert.doesNotMatch(read("../status.md"), /Two/);
});

test("an import that is killed comes in once when it runs again, and leaves nothing else", { skip }, (t) => {
  const { cwd, root } = importer(t);
  const command = ["--require", "./test/hostile/fault.cjs", "dist/vibe-mcp.cjs", "import", "backlog", cwd];
  const importInto = (place: string, fault: object) => {
    const FAULT = JSON.stringify({ root: place, action: "half", ...fault });
    const env = { PATH: process.env["PATH"], HOME: cwd, TZ: "UTC", VIBE_ROOT: place, FAULT };
    return spawnSync(process.execPath, [...command, "--project", "shop"], { env });
  };
  const tally = join(temporaryFolder(t), "tally");
  assert.equal(importInto(root, { at: 0, tally }).status, 0);
  const random = randomFrom(SEED);
  for (let count = 0; count < numRuns(20); count++) {
    const other = importer(t).root;
    const at = 1 + Math.floor(random() * Number(readFileSync(tally, "utf8")));
    assert.equal(importInto(other, { at }).signal, "SIGKILL", `call ${at}`);
    assert.equal(importInto(other, { at: 0 }).status, 0);
    assert.deepEqual(everything(join(other, "shop")), everything(join(root, "shop")), `call ${at}`);
    const left = everything(other).filter((name) => name.endsWith(".tmp"));
    assert.deepEqual(left, [], `call ${at}`);
  }
});

test("of many new documents the first are shown, by a dry run all", (t) => {
  const { run, cwd } = importer(t);
  const issues = Array.from({ length: 25 }, (_, at) => JSON.stringify({ id: `b-${at}`, title: `T ${at}` }));
  writeFiles(cwd, { ".beads/issues.jsonl": issues.join("\n") });
  assert.equal(run("beads", ".", "--dry-run").stdout.trimEnd().split("\n").length, 25);
  assert.match(run("beads", ".").stdout, /018-t-18\.md\n→ shop\/tasks\/019-t-19\.md\n… and 5 more\n$/);
});

test("issues of beads and tasks of Task Master come in beside each other, and doctor finds nothing to fix", (t) => {
  const { run, read, tasks, inPipe } = importer(t);
  assert.equal(run("beads", ".").status, 0);
  assert.match(
    read("004-rotate-the-keys.md"),
    /^parent: '\[\[003-keys\]\]'$[\s\S]*Dependencies: 002-audit\n/m,
  );
  assert.equal(run("taskmaster", ".").status, 0);
  assert.match(
    read("006-rotate-the-keys.md"),
    /Dependencies: 005-write-the-store\n[\s\S]*1\. \[x\] Read\n2\. \[ \] Write\n/,
  );
  assert.equal(tasks().length, 7);
  assert.doesNotMatch(inPipe(["doctor"]).stdout, /^(?:problem|note)(?! +(?:clock|project))/m);
});

test("after an import that failed nothing of it is left, and an undo takes back no other change", (t) => {
  const { run, root, tasks, inPipe } = importer(t);
  assert.equal(inPipe(["new", "First", "--project", "shop"]).status, 0);
  mkdirSync(join(root, "shop/tasks/003-write.md"));
  const failed = run("backlog", ".");
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /003-write\.md' is taken: it is a folder/);
  assert.deepEqual(tasks(), ["001-old.md", "002-first.md", "003-write.md"]);
  const undone = inPipe(["undo", "--yes", "--project", "shop"]);
  assert.equal(undone.status, 1);
  const [, id = ""] =
    /the newest change \(import, .* it failed, .* name its id: (\w+)\./.exec(undone.stderr) ?? [];
  assert.equal(inPipe(["undo", id, "--yes", "--project", "shop"]).status, 0);
  assert.deepEqual(tasks(), ["001-old.md", "003-write.md"]);
});

test("a link that leads out of the repository is not followed", { skip: ON_WINDOWS }, (t) => {
  const { run, tasks } = importer(t);
  const [own, outside] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(outside, {
    "tasks/task-1.md": "---\nid: TASK-1\n---\n",
    "i.jsonl": '{"id":"b-1"}',
    "t.json": "{}",
  });
  writeFiles(own, { ".beads/": "", "tasks/": "" });
  const before = tasks();
  for (const [kind, place, to] of [
    ["backlog", "backlog", "."],
    ["beads", ".beads/issues.jsonl", "i.jsonl"],
    ["taskmaster", "tasks/tasks.json", "t.json"],
  ] as const) {
    symlinkSync(join(outside, to), join(own, place));
    const { status, stderr } = run(kind, own, "--json");
    assert.equal(status, 1, kind);
    assertTells(stderr, [place, "link", "out of"]);
  }
  assert.deepEqual(tasks(), before);
});

test("a folder without such tasks, an unknown program and a read-only workspace are refused", (t) => {
  const { run, inPipe } = importer(t);
  assert.match(run("beads", "backlog").stderr, /holds no tasks of beads: looked for \.beads\/issues\.jsonl/);
  assert.equal(run("jira", ".").status, 2);
  assert.match(inPipe(["import", "beads", ".", "--project", "shop", "--read-only"]).stderr, /read-only/);
});
