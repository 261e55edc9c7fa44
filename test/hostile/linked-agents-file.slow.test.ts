import assert from "node:assert/strict";
import { lstatSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../src/core/lib/errors.ts";
import { planLink, writeLink } from "../../src/core/workspace/place/project-block.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { contentOf, newcomer } from "./newcomer.ts";
import { report } from "./runs.ts";
import { swapping } from "./swapper.ts";

const skip = ON_WINDOWS && "Links need a right of their own there";

test("an AGENTS.md or CLAUDE.md that links out of the repository is not written, and its target is named", {
  skip,
}, (t) => {
  for (const name of ["AGENTS.md", "CLAUDE.md"]) {
    for (const [target, text] of [
      ["shell", "echo hello\n"],
      ["linked", "vibe: old\n"],
    ] as const) {
      const { run, cwd, outside } = newcomer(t);
      writeFiles(outside, { [target]: text });
      symlinkSync(join(outside, target), join(cwd, name));
      const { status, stderr } = run("init", "shop", "--link");
      assert.equal(status, 1, stderr);
      assert.ok(
        stderr.includes(`'${name}'`) && stderr.includes(`link to '${join(realpathSync(outside), target)}'`),
        stderr,
      );
      assert.match(stderr, /, outside of '.*'\. /);
      assert.deepEqual(contentOf(outside), { [target]: text });
      assert.ok(lstatSync(join(cwd, name)).isSymbolicLink());
      rmSync(join(cwd, name));
      assert.equal(run("init", "shop", "--link").status, 0);
      assert.match(readFileSync(join(cwd, "AGENTS.md"), "utf8"), /^<!-- .*\nvibe: shop\n/);
    }
  }
});

test("an AGENTS.md that is a dangling link, or leads to a git hook, is not written", { skip }, (t) => {
  const { run, cwd, outside } = newcomer(t);
  const hook = join(".git", "hooks", "post-checkout");
  writeFiles(cwd, { [hook]: "#!/bin/sh\n" });
  for (const [target, reason] of [
    [hook, /post-checkout', which belongs to git/],
    [join(outside, "new.md"), /new\.md', which does not exist/],
  ] as const) {
    symlinkSync(target, join(cwd, "AGENTS.md"));
    const { status, stderr } = run("init", "shop", "--link");
    assert.equal(status, 1);
    assert.match(stderr, reason);
    rmSync(join(cwd, "AGENTS.md"));
  }
  assert.equal(readFileSync(join(cwd, hook), "utf8"), "#!/bin/sh\n");
  assert.deepEqual(contentOf(outside), {});
});

test("a link that replaces AGENTS.md during the call leads no write out", { skip }, async (t) => {
  const [repository, outside, home] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  writeFiles(repository, { ".git/HEAD": "" });
  writeFiles(outside, { shell: "echo hello\n" });
  const place = join(repository, "AGENTS.md");
  const stop = await swapping(t, place, { outside: join(outside, "shell"), inner: "" });
  const counts = { written: 0, refused: 0 };
  const writes = numRuns(40);
  while (counts.written < writes || counts.refused < writes) {
    const plan = planLink(join(home, ".vibe"), { folder: repository, home });
    assert.ok(plan !== undefined);
    try {
      await writeLink(plan, `number ${counts.written}`);
      counts.written++;
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      counts.refused++;
    }
  }
  await stop();
  assert.deepEqual(contentOf(outside), { shell: "echo hello\n" });
  report(t, "AGENTS.md swapped for a link", counts.written + counts.refused, "nothing outside");
});
