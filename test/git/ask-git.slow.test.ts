import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { git } from "../../src/core/git/ask-git.ts";
import { noGit } from "../fixtures/machines.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

test("variables lead git to no other repository", { skip: noGit }, async (t) => {
  const folder = temporaryFolder(t);
  const other = temporaryFolder(t);
  const env = { PATH: process.env["PATH"], HOME: folder };
  for (const place of [folder, other]) await git({ env }, place, ["init", "-q"]);
  const leading = { GIT_DIR: join(other, ".git"), GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "a.b" };
  const found = await git({ env: { ...env, ...leading } }, folder, ["rev-parse", "--absolute-git-dir"]);
  assert.match(found ?? "", new RegExp(`${folder.replaceAll(/\W/g, ".")}/.git$`));
});

const NEVER: Record<string, [script: string, ms: number]> = {
  "that does not end is stopped at its limit": ["exec sleep 600", 100],
  "that does not stop printing is stopped": ["exec cat /dev/zero", 600_000],
};

for (const [name, [script, ms]] of Object.entries(NEVER)) {
  test(`a git ${name}`, { skip: process.platform === "win32" }, async (t) => {
    const folder = temporaryFolder(t);
    writeFiles(folder, { git: `#!/bin/sh\n${script}\n` });
    chmodSync(join(folder, "git"), 0o755);
    const PATH = [folder, process.env["PATH"]].join(delimiter);
    assert.equal(await git({ env: { PATH }, ms }, folder, ["status"]), undefined);
  });
}
