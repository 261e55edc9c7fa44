import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

test("stale and doctor list the notes that name what is gone, worst first", (t) => {
  const { root, inPipe } = person(t);
  const cwd = join(temporaryFolder(t), "shop");
  mkdirSync(cwd);
  writeFiles(cwd, { "src/a.ts": "a\n", "src/b.ts": "b\n", "README.md": "# Shop\n\nSee `src/a.ts`.\n" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", cwd, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
  const commit = (day: string) => {
    git("add", "-A");
    process.env["GIT_COMMITTER_DATE"] = `${day}T12:00:00Z`;
    git("commit", "-qm", day);
    delete process.env["GIT_COMMITTER_DATE"];
  };
  git("init", "-q");
  commit("2025-01-01");
  rmSync(join(cwd, "src"), { recursive: true });
  writeFiles(cwd, { "src/c.ts": "b\n" });
  commit("2025-02-01");
  const notes = {
    "shop/references/one.md": "`src/b.ts`\n",
    "shop/references/two.md": "`src/a.ts`, `src/b.ts`\n\n`src/a.ts`\n",
    "shop/references/right.md": "---\nconfirmed: 2025-02-02\n---\n\n`src/a.ts`\n",
  };
  writeFiles(root, { ...notes, "other/status.md": "# Other\n" });
  const { status, stdout } = inPipe(["stale"], { cwd });
  assert.equal(status, 1);
  const shown = stdout.replace(/ \(commit [0-9a-f]{9}\)/g, "");
  assert.equal(
    shown.slice(0, shown.indexOf("\n\n")),
    [
      "shop/references/two.md",
      "  lines 1, 3: `src/a.ts` is gone since 2025-02-01",
      "  line 1: `src/b.ts` is gone since 2025-02-01; now `src/c.ts`",
      "shop/references/one.md",
      "  line 1: `src/b.ts` is gone since 2025-02-01; now `src/c.ts`",
      "shop/repo:README.md",
      "  line 3: `src/a.ts` is gone since 2025-02-01",
    ].join("\n"),
  );
  assertTells(shown, ["3 documents name 4 paths that are gone.", "as `confirmed` into its frontmatter"]);
  const { documents } = JSON.parse(inPipe(["stale", "shop", "--json"], { cwd }).stdout);
  assert.deepEqual(
    documents.map(({ path }: { path: string }) => path),
    ["shop/references/two.md", "shop/references/one.md", "shop/repo:README.md"],
  );
  assert.match(
    inPipe(["doctor"], { cwd }).stdout,
    /stale +'shop': 3 documents .*\n.* stale shop lists them\./,
  );

  assertTells(inPipe(["stale", "other"], { cwd }).stderr, ["No repository of 'other'", "vibe: other"]);
  const off = inPipe(["stale"], { cwd, env: { VIBE_STALE: "off" } });
  assertTells(off.stderr, ["VIBE_STALE"]);
  writeFiles(root, Object.fromEntries(Object.keys(notes).map((path) => [path, "`src/c.ts`\n"])));
  writeFiles(cwd, { "README.md": "# Shop\n\nSee `src/c.ts`.\n" });
  assert.deepEqual(inPipe(["stale"], { cwd }).stdout, "No note names what is gone.\n");
});
