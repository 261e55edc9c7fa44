import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hostileRemote } from "../fixtures/hostile-remote.ts";
import { filesOf, noGit, startMachine } from "../fixtures/machines.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const options = { skip: noGit };

test(
  "what a hostile remote sends runs nothing and leaves nothing outside; what is in order arrives",
  options,
  async (t) => {
    const { remote, blob, tree, commit } = hostileRemote(t);
    const trap = join(temporaryFolder(t), "ran");
    const note = blob("# A note\n");
    const big = blob("x".repeat(11 * 2 ** 20));
    const link = blob("/etc/passwd");
    const attributes = blob("*.md filter=trap diff=trap merge=trap text eol=crlf\n");
    const hook = blob(`#!/bin/sh\ntouch ${trap}\n`);
    const names = [
      "good.md",
      ".hidden.md",
      "con.md",
      "a:b.md",
      "back\\slash.md",
      "trail. ",
      "Twin.md",
      "twin.md",
    ];
    const folder = tree([
      ...names.map((name) => `100644 blob ${note}\t${name}`),
      `100644 blob ${big}\tbig.bin`,
      `120000 blob ${link}\tlink.md`,
      `160000 commit ${"1".repeat(40)}\tmodule`,
      `100755 blob ${hook}\trun.sh`,
      `100644 blob ${attributes}\t.gitattributes`,
    ]);
    const inner = tree([`100755 blob ${hook}\tpost-checkout`]);
    const root = tree([
      `100644 blob ${blob("workspace\n")}\t.vibe-sync`,
      `100644 blob ${attributes}\t.gitattributes`,
      `100644 blob ${blob('[submodule "x"]\n\tpath = p/module\n\turl = ext::sh -c true\n')}\t.gitmodules`,
      `100644 blob ${note}\troot.md`,
      `040000 tree ${inner}\t.vibe-mcp`,
      `040000 tree ${inner}\thooks`,
      `040000 tree ${folder}\tp`,
    ]);
    commit(root);
    const machine = await startMachine(t, { name: "ana", remote, files: {} });
    assert.equal(machine.first.problem, undefined);
    assert.deepEqual(filesOf(machine.root), ["hooks/post-checkout", "p/Twin.md", "p/good.md", "p/run.sh"]);
    assert.equal(readFileSync(join(machine.root, "p/good.md"), "utf8"), "# A note\n");
    assert.ok(!existsSync(trap));
    const refused = machine.first.refused.map(({ path }) => path);
    for (const path of ["p/con.md", "p/a:b.md", "p/twin.md", "p/big.bin", "p/.hidden.md"])
      assert.ok(refused.includes(path), `${path} is named: ${refused}`);
    const { problem, sent } = await machine.sync();
    assert.deepEqual([problem, sent], [undefined, []], "what was refused is not removed there");
  },
);
