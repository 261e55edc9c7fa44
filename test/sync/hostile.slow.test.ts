import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hostileRemote } from "../fixtures/hostile-remote.ts";
import { bareRepository, filesOf, noGit, startMachine } from "../fixtures/machines.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

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

test(
  "settings, hooks, filters and attributes of the user, the workspace and the folder of a remote do not run",
  options,
  async (t) => {
    const remote = bareRepository(t);
    const machine = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n" } });
    const trap = join(machine.home, "ran");
    const script = join(machine.home, "trap.sh");
    writeFileSync(script, `#!/bin/sh\ntouch ${trap}\ncat\n`, { mode: 0o755 });
    const hooks = join(machine.home, "hooks");
    mkdirSync(hooks);
    for (const name of ["pre-push", "post-checkout", "reference-transaction", "pre-auto-gc"])
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    const run = `sh ${script}`;
    const settings = [
      `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${run}\n\tpager = ${run}\n\taskPass = ${run}\n\teditor = ${run}`,
      `[filter "trap"]\n\tclean = ${run}\n\tsmudge = ${run}\n\trequired = true`,
      `[commit]\n\tgpgSign = true\n[push]\n\tgpgSign = true\n[gpg]\n\tprogram = ${script}`,
      `[diff]\n\texternal = ${run}\n[merge "trap"]\n\tdriver = ${run}`,
    ].join("\n");
    writeFileSync(join(machine.home, ".gitconfig"), `${settings}\n`);
    writeFiles(machine.root, {
      ".gitattributes": "*.md filter=trap\n",
      "p/.gitattributes": "*.md filter=trap text eol=crlf\n",
      ".git/config": `[core]\n\tfsmonitor = ${run}\n\tsshCommand = ${run}\n[remote "origin"]\n\turl = ext::${run}\n`,
      ".git/HEAD": "ref: refs/heads/main\n",
      "p/new.md": "# New\n",
    });
    mkdirSync(join(remote, "hooks"), { recursive: true });
    for (const name of ["pre-receive", "update", "post-receive", "reference-transaction", "post-update"])
      writeFileSync(join(remote, "hooks", name), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    const { problem, sent } = await machine.sync();
    assert.deepEqual([problem, sent], [undefined, ["p/new.md"]]);
    assert.ok(!existsSync(trap));
  },
);
