import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Git, git } from "../../src/core/git/ask-git.ts";
import { systemClock } from "../../src/core/lib/clock.ts";
import { createCodeReaders } from "../../src/core/stale/code-reader.ts";
import { sessionStart } from "../../src/core/workspace/briefing/briefing.ts";
import { outdatedInShort, outdatedOf } from "../../src/core/workspace/outdated.ts";
import { createRepositories } from "../../src/core/workspace/repository/repositories.ts";
import { type Files, makeWorkspace, open, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const env = process.env;
const ask: Git = (folder, args, input) => git({ env, ms: 30_000 }, folder, args, input);

function run(folder: string, ...args: string[]): string {
  const settings = ["user.name=a", "user.email=a@b.c", "protocol.file.allow=always", "core.autocrlf=false"];
  const options = settings.flatMap((setting) => ["-c", setting]);
  return execFileSync("git", ["-C", folder, ...options, ...args], { encoding: "utf8", stdio: "pipe" });
}

/** All that is there, as a commit of this day of 2026. */
function commit(folder: string, day: string): string {
  run(folder, "add", "-A");
  process.env["GIT_COMMITTER_DATE"] = `2026-${day}T12:00:00Z`;
  run(folder, "commit", "-qm", day, "--date", `2026-${day}T06:00:00Z`);
  delete process.env["GIT_COMMITTER_DATE"];
  return run(folder, "rev-parse", "--short=9", "HEAD").trim();
}

/** A file's text, unlike that of all others. */
const text = (name: string) =>
  Array.from({ length: 30 }, (_, at) => `${name} says ${at * name.length}\n`).join("");
const texts = (...names: string[]): Files => Object.fromEntries(names.map((name) => [name, text(name)]));

function emptyRepository(t: TestContext, files: Files): string {
  const folder = join(temporaryFolder(t), "shop");
  mkdirSync(folder);
  run(folder, "init", "-qb", "main");
  writeFiles(folder, files);
  commit(folder, "01-01");
  return folder;
}

/** What is said of a note, or of a document of the repository, once git has answered. */
function reader(
  t: TestContext,
  folder: string,
  notes: Files,
  { docs = true, state = temporaryFolder(t) } = {},
) {
  const root = makeWorkspace(t, { "shop/status.md": "", ...notes });
  const { workspace, log, logged } = open(t, root, { readOnly: true });
  const repositories = {
    root,
    state,
    clock: systemClock,
    log,
    git: ask,
    waits: true,
    home: state,
    docs,
  };
  workspace.repositories = createRepositories({ ...repositories, folders: [folder] });
  const code = createCodeReaders({ gitUntil: () => ask, state, log });
  workspace.code = code;
  const says = async (path: string) => {
    const document = await workspace.readAny({ path });
    // First what git says of the repository, then of the document.
    for (let asked = 0; asked < 2; asked++) {
      await outdatedOf(workspace, document);
      await code.settled();
    }
    return (await outdatedOf(workspace, document)).map(({ line, says }) => `${line}: ${says}`);
  };
  return Object.assign(says, {
    code,
    workspace,
    logged,
    inShort: (path: string) => {
      const { text } = workspace.read({ path });
      return outdatedInShort(workspace, { path, text: () => text, lapse: undefined });
    },
    briefing: () => sessionStart(workspace, { project: "shop" }),
  });
}

/** A repository in which everything happened once; and the commits by their days. */
function livedIn(t: TestContext) {
  const folder = emptyRepository(t, {
    ...texts(
      "src/viewer.ts",
      "src/one.ts",
      "src/gone.ts",
      "src/back.ts",
      "old/a.ts",
      "old/deep/b.ts",
      "side.ts",
    ),
    ...texts(
      "lib/x/util.ts",
      "lib/y/util.ts",
      "made/out.js",
      "Cased.ts",
      "left.ts",
      "docs/here.sh",
      "docs/went.sh",
      "kept/a.ts",
    ),
    "empty/a.ts": "",
    ".tool/settings.json": "{}",
    "docs/guide.md": "# Guide\n\nSee `src/gone.ts`.\n\nRun `here.sh`, or `other.sh`.\n\n`../left.ts`\n",
  });
  const commits = new Map<string, string>();
  const then = (day: string, change: () => void) => {
    change();
    commits.set(day, commit(folder, day));
  };
  const move = (from: string, to: string) => {
    mkdirSync(join(folder, to, ".."), { recursive: true });
    renameSync(join(folder, from), join(folder, to));
  };
  const remove = (...names: string[]) => {
    for (const name of names) rmSync(join(folder, name), { recursive: true });
  };
  then("02-01", () => {
    move("src/viewer.ts", "src/ui/task-viewer.ts");
    writeFileSync(join(folder, "src/ui/task-viewer.ts"), `${text("src/viewer.ts")}// More.\n`);
  });
  then("02-02", () => move("src/one.ts", "src/two.ts"));
  then("02-03", () => move("src/two.ts", "src/three.ts"));
  then("02-04", () => {
    remove("src/gone.ts", "docs/here.sh", ".tool", "kept/a.ts");
    writeFiles(folder, texts("kept/b.ts"));
  });
  then("02-05", () => remove("src/back.ts"));
  then("02-06", () => writeFiles(folder, texts("src/back.ts")));
  then("02-07", () => move("old", "new"));
  run(folder, "checkout", "-qb", "side", "HEAD~1");
  then("02-08", () => remove("side.ts"));
  run(folder, "checkout", "-q", "main");
  run(folder, "merge", "-q", "--no-edit", "side");
  then("02-09", () => remove("lib/x/util.ts", "made"));
  then("02-10", () => writeFiles(folder, { ".gitignore": "made/\n" }));
  then("02-11", () => move("Cased.ts", "cased.TS"));
  then("02-12", () => move("empty/a.ts", "void/b.ts"));
  then("02-13", () => {
    remove("left.ts", "docs/went.sh");
    writeFiles(folder, {
      "docs/guide.md":
        "# Guide\n\nSee `src/gone.ts`.\n\nRun `here.sh`, or `other.sh`.\n\nNot `../left.ts` or `went.sh`.\n",
      "docs/CHANGELOG.md": "`src/gone.ts`\n",
      "docs/made-plan.md": "`src/gone.ts`\n",
      "docs/version-1.0.2/api.md": "`src/gone.ts`\n",
    });
  });
  return { folder, commitOf: (day: string) => commits.get(day) ?? "" };
}

test("a reference is gone or moved only if the history says so", async (t) => {
  const { folder, commitOf } = livedIn(t);
  const gone = (path: string, day: string) =>
    `\`${path}\` is gone since 2026-${day} (commit ${commitOf(day)})`;
  const moved = (path: string, day: string, to: string) =>
    `\`${path}\` is gone since 2026-${day}; now \`${to}\``;
  const rows: [note: string, says?: string][] = [
    ["`src/gone.ts`", gone("src/gone.ts", "02-04")],
    ["`src\\gone.ts:42-50` with its line", gone("src/gone.ts", "02-04")],
    ["[a link](src/gone.ts#L3)", gone("src/gone.ts", "02-04")],
    ["moved and edited: `src/viewer.ts`", moved("src/viewer.ts", "02-01", "src/ui/task-viewer.ts")],
    ["twice: `src/one.ts`", moved("src/one.ts", "02-02", "src/three.ts")],
    ["in between: `src/two.ts`", moved("src/two.ts", "02-03", "src/three.ts")],
    ["it came back: `src/back.ts`"],
    ["a whole folder: `old/deep/`", moved("old/deep/", "02-07", "new/deep")],
    ["and its file: `old/a.ts`", moved("old/a.ts", "02-07", "new/a.ts")],
    ["on a branch that was merged: `side.ts`", gone("side.ts", "02-08")],
    ["an end that is still there: `deep/b.ts`"],
    ["the end of a path: `x/util.ts`, not `lib/y/util.ts`", gone("x/util.ts", "02-09")],
    ["a bare name that is elsewhere: `util.ts`"],
    ["a folder with other files: `kept/`, and `kept/a.ts`", gone("kept/a.ts", "02-04")],
    ["made anew, and ignored: `made/out.js`"],
    ["another letter case: `Cased.ts` and `SRC/BACK.ts`"],
    ["an empty file is like any other: `empty/a.ts`", gone("empty/a.ts", "02-12")],
    ["of a tool, on any machine: `.tool/settings.json`"],
    [
      "never there: `src/plan.ts`, `a/b`, `npm run x`, `../etc/passwd`, `/src/gone.ts`, `https://a.b/src/gone.ts`",
    ],
    ["- [x] a step that is done: `src/gone.ts`"],
    ["it says so itself: we removed `src/gone.ts`"],
    ["or that it is replaced: this replaces `src/gone.ts`"],
    ["in any language: `src/gone.ts` は削除"],
    ["words in a name say nothing: `old/a.ts`", moved("old/a.ts", "02-07", "new/a.ts")],
    ["a folder's name alone: `old/`"],
    ["it moved to `src/ui/task-viewer.ts`: `src/viewer.ts`"],
    ["twice: `src/gone.ts`, `src/gone.ts`", gone("src/gone.ts", "02-04")],
    ["the notes' own: `tasks/001-a.md`"],
    ["a command: `bash ./src/gone.ts --all`", gone("./src/gone.ts", "02-04")],
    ["a test: `src/gone.ts::test_a`", gone("src/gone.ts", "02-04")],
    ["~~struck: `src/gone.ts`~~"],
    ["One sentence of two lines says what was removed,\n`src/gone.ts`. Another does not."],
    ["2026-02-03: `src/gone.ts` is written"],
    ["Ein Skript, entfernt: `src/gone.ts`. Un script supprimé : `src/gone.ts`. 已删除 `src/gone.ts`"],
  ];
  const note = rows.map(([line]) => line).join("\n\n");
  const lineOf = (at: number) =>
    rows.slice(0, at).reduce((sum, [line]) => sum + line.split("\n").length + 1, 1);
  const wanted = rows.flatMap(([, said], at) => (said === undefined ? [] : `${lineOf(at)}: ${said}`));
  const past = [
    "sessions/2026-03-01.md",
    "changelog/a.md",
    "archive/references/a.md",
    "references/2026-02-05.md",
  ];
  const tells = "`src/gone.ts`\n";
  const says = reader(t, folder, {
    "shop/references/code.md": note,
    "shop/tasks/001-a.md": `# A\n\nStatus: done\n\n${tells}`,
    "shop/tasks/002-b.md": `---\nstatus: cancelled\n---\n\n${tells}`,
    "shop/tasks/003-c.md": `# C\n\n${tells}`,
    "shop/plans/execution-plan.md": tells,
    "shop/references/seen.md": "---\nconfirmed: 2026-02-04\n---\n`src/gone.ts`, `side.ts`\n",
    "shop/references/old.md": `---\nstatus: deprecated\n---\n${tells}`,
    ...Object.fromEntries(past.map((path) => [`shop/${path}`, tells])),
  });
  assert.deepEqual(await says("shop/references/code.md"), wanted);
  const told = [
    ...past,
    "tasks/001-a.md",
    "tasks/002-b.md",
    "repo:docs/CHANGELOG.md",
    "repo:docs/made-plan.md",
  ];
  for (const path of [...told, "repo:docs/version-1.0.2/api.md"])
    assert.deepEqual(await says(`shop/${path}`), [], path);
  assert.deepEqual(await says("shop/tasks/003-c.md"), [`3: ${gone("src/gone.ts", "02-04")}`]);
  assert.deepEqual(await says("shop/plans/execution-plan.md"), [`1: ${gone("src/gone.ts", "02-04")}`]);
  assert.deepEqual(await says("shop/references/seen.md"), [`4: ${gone("side.ts", "02-08")}`]);
  assert.deepEqual(await says("shop/references/old.md"), ["1: deprecated"]);
  const two = [gone("src/gone.ts", "02-04"), moved("src/viewer.ts", "02-01", "src/ui/task-viewer.ts")];
  assert.equal(says.inShort("shop/references/code.md"), two.join("; "));
  assert.equal(says.inShort("shop/sessions/2026-03-01.md"), "");
  const marks = (await says.briefing()).split("\n").filter((line) => line.startsWith("(**Out of date**"));
  assert.deepEqual(marks, [`(**Out of date**: ${gone("src/gone.ts", "02-04")}.)`]);
  // The line about `left.ts` and `went.sh` came with their removal, and nothing was ever called `other.sh`.
  assert.deepEqual(await says("shop/repo:docs/guide.md"), [
    `3: ${gone("src/gone.ts", "02-04")}`,
    `5: ${gone("here.sh", "02-04")}`,
  ]);
});

/** Each names `src/gone.ts`, which is gone. */
const OF_THE_PAST = [
  "# Log\n\n## [1.2.0] - 2026-01-01\n\n### Added\n\n- `src/gone.ts`\n",
  "# Log\n\n### 2026-01-01: the queue\n\nBuilt `src/gone.ts`.\n",
  "# Guide\n\n## History\n\n`src/gone.ts` came first.\n",
  "# Guide\n\n## Historique\n\n`src/gone.ts`\n",
  "# Board\n\n## ✅ Done (2)\n\n- `src/gone.ts`\n",
  "# Board\n\n## Archive\n\n- `src/gone.ts`\n",
  "- DONE write `src/gone.ts`\n  - and its test, `src/gone.ts`\n",
  "# Notes\n\n## Lo que hice\n\n`src/gone.ts`\n",
  "# Guide\n\nRemoved\n-------\n\n`src/gone.ts`\n",
  "# Guide\n\nThese files\nwere removed:\n\n- one:\n  - `src/gone.ts`\n",
  "# Guide\n\n- Removed in May\n  - `src/gone.ts`\n",
  "# Guide\n\n- [x] a step\n\n  and its `src/gone.ts`\n",
  "# Guide\n\n| Old | New |\n|---|---|\n| `src/gone.ts` | none |\n",
];
const OF_NOW = [
  "# Guide\n\n## Removed\n\nNothing.\n\n## Now\n\n`src/gone.ts`\n",
  "# Guide\n\nWhat was removed:\n\n- b\n\nToday:\n\n- `src/gone.ts`\n",
  "# Guide\n\n- Removed\n- `src/gone.ts`\n",
  "# Guide\n\n- [x] a step\n- [ ] `src/gone.ts`\n",
  "# Guide\n\n[The file][1]\n\n[1]: src/gone.ts\n",
  "# Guide\n\n```sh\n# Removed\n```\n\n`src/gone.ts`\n",
];

test("where a note tells history, nothing is said", async (t) => {
  const { folder } = livedIn(t);
  const notes = [...OF_THE_PAST, ...OF_NOW];
  const names = [
    "CHANGES",
    "Meeting 2026-01-01",
    "daily/2026/01/01",
    "old/a",
    "完了/a",
    "変更履歴",
    "minutes/may",
  ];
  const says = reader(t, folder, {
    ...Object.fromEntries(notes.map((text, at) => [`shop/references/${at}.md`, text])),
    ...Object.fromEntries(names.map((name) => [`shop/references/${name}.md`, "`src/gone.ts`"])),
  });
  for (const [at, text] of notes.entries())
    assert.equal((await says(`shop/references/${at}.md`)).length, OF_NOW.includes(text) ? 1 : 0, text);
  for (const name of names) assert.deepEqual(await says(`shop/references/${name}.md`), [], name);
});

test("where a repository is unlike others, nothing wrong is said", async (t) => {
  const start = () => {
    const folder = emptyRepository(t, texts("src/a.ts", "src/b.ts", "src/c.ts", "tools/d.ts"));
    rmSync(join(folder, "src/a.ts"));
    return { folder, gone: commit(folder, "02-01") };
  };
  const cloneOf = (from: string, ...options: string[]) => {
    const to = join(temporaryFolder(t), "shop");
    run(from, "clone", "-q", ...options, pathToFileURL(from).href, to);
    return to;
  };
  const isGone = (path: string, day: string, commit: string) =>
    `1: \`${path}\` is gone since 2026-${day} (commit ${commit})`;
  const rows: Record<string, () => [folder: string, note: string, says: string[]]> = {
    "an uncommitted rename: both are there": () => {
      const { folder } = start();
      run(folder, "mv", "src/b.ts", "src/new.ts");
      return [folder, "`src/b.ts` `src/new.ts`", []];
    },
    "a file that came back, and is not committed": () => {
      const { folder } = start();
      writeFiles(folder, texts("src/a.ts"));
      return [folder, "`src/a.ts`", []];
    },
    "a file in the index alone": () => {
      const { folder } = start();
      writeFiles(folder, texts("src/a.ts"));
      run(folder, "add", ".");
      rmSync(join(folder, "src/a.ts"));
      return [folder, "`src/a.ts`", []];
    },
    "a file removed on the disk alone": () => {
      const { folder } = start();
      rmSync(join(folder, "src/b.ts"));
      return [folder, "`src/b.ts`", []];
    },
    "another branch: only its own history counts": () => {
      const { folder, gone } = start();
      run(folder, "checkout", "-qb", "other", "HEAD~1");
      rmSync(join(folder, "src/c.ts"));
      const other = commit(folder, "02-02");
      assert.notEqual(other, gone);
      return [folder, "`src/a.ts` `src/c.ts`", [isGone("src/c.ts", "02-02", other)]];
    },
    "the border of a shallow clone is no removal": () => {
      const { folder } = start();
      writeFiles(folder, texts("src/e.ts"));
      commit(folder, "02-03");
      return [cloneOf(folder, "--depth=1"), "`src/a.ts` `src/e.ts`", []];
    },
    "a clone without texts": () => {
      const { folder, gone } = start();
      run(folder, "config", "uploadpack.allowFilter", "true");
      const to = cloneOf(folder, "--filter=blob:none");
      return [to, "`src/a.ts` `src/b.ts`", [isGone("src/a.ts", "02-01", gone)]];
    },
    "a worktree of a bare repository": () => {
      const { folder, gone } = start();
      const bare = join(temporaryFolder(t), "shop.git");
      run(folder, "clone", "-q", "--bare", folder, bare);
      const worktree = join(temporaryFolder(t), "shop");
      run(bare, "worktree", "add", "-q", worktree, "main");
      return [worktree, "`src/a.ts` `src/b.ts`", [isGone("src/a.ts", "02-01", gone)]];
    },
    "a sparse checkout: what is not on the disk is there": () => {
      const { folder, gone } = start();
      run(folder, "sparse-checkout", "set", "tools");
      return [folder, "`src/b.ts` `src/a.ts`", [isGone("src/a.ts", "02-01", gone)]];
    },
    "a folder that became a submodule": () => {
      const { folder } = start();
      const other = emptyRepository(t, texts("d.ts"));
      rmSync(join(folder, "tools"), { recursive: true });
      run(folder, "add", "-A");
      run(folder, "submodule", "--quiet", "add", pathToFileURL(other).href, "tools");
      commit(folder, "02-02");
      run(folder, "submodule", "--quiet", "deinit", "-f", "tools");
      return [folder, "`tools/d.ts`", []];
    },
    "no commit yet": () => {
      const folder = join(temporaryFolder(t), "shop");
      mkdirSync(folder);
      run(folder, "init", "-q");
      return [folder, "`src/a.ts`", []];
    },
  };
  for (const [name, make] of Object.entries(rows)) {
    const [folder, note, wanted] = make();
    const says = reader(t, folder, { "shop/references/code.md": note });
    assert.deepEqual(await says("shop/references/code.md"), wanted, name);
  }
});

test("a look that fails is said once and marks nothing, and what was kept damaged is read again", async (t) => {
  const folder = emptyRepository(t, texts("src/a.ts", "src/b.ts"));
  rmSync(join(folder, "src/a.ts"));
  const gone = [`1: \`src/a.ts\` is gone since 2026-02-01 (commit ${commit(folder, "02-01")})`];
  const notes = { "shop/references/code.md": "`src/a.ts`" };
  const state = temporaryFolder(t);
  const first = reader(t, folder, notes, { state });
  assert.deepEqual(await first("shop/references/code.md"), gone);
  const top = first.workspace.repositories?.folderOf("shop") ?? assert.fail();
  const fail = () => {
    throw new Error("odd");
  };
  assert.deepEqual([first.code.look(top, fail), first.code.look(top, fail)], [[], []]);
  assert.equal(first.logged.filter((line) => line.includes("odd")).length, 1);
  const [kept = ""] = readdirSync(join(state, "code"));
  const whole = readFileSync(join(state, "code", kept), "utf8");
  for (const damaged of [
    "",
    "x",
    whole.slice(0, 20),
    whole.replace(/^./, "g"),
    `${"0".repeat(40)}\n\0D\0D`,
  ]) {
    writeFileSync(join(state, "code", kept), damaged);
    assert.deepEqual(await reader(t, folder, notes, { state })("shop/references/code.md"), gone, damaged);
  }
});

test("without the documents of a repository, notes are compared with it all the same", async (t) => {
  const folder = emptyRepository(t, texts("src/a.ts"));
  rmSync(join(folder, "src/a.ts"));
  const says = [`1: \`src/a.ts\` is gone since 2026-02-01 (commit ${commit(folder, "02-01")})`];
  const without = reader(t, folder, { "shop/references/code.md": "`src/a.ts`" }, { docs: false });
  assert.deepEqual(await without("shop/references/code.md"), says);
  assert.equal(without.workspace.documentsOf("shop"), undefined);
});
