import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { gitInCalls } from "../../src/core/git/ask-git.ts";
import { otherEnd, runGit } from "../../src/core/git/run-git.ts";
import { Branches } from "../../src/core/workspace/branches.ts";
import { bareRepository, noGit, startMachine } from "../fixtures/machines.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const options = { skip: noGit || process.platform === "win32" };
const HOOKS = [
  ...["pre-push", "pre-receive", "update", "post-receive", "post-update", "push-to-checkout", "proc-receive"],
  ...["reference-transaction", "post-checkout", "pre-auto-gc", "post-index-change"],
];

/** A program that leaves a file with the name of what started it. */
function setTrap(t: TestContext) {
  const folder = temporaryFolder(t);
  const script = join(folder, "trap.sh");
  const ran = join(folder, "ran");
  mkdirSync(ran);
  writeFileSync(script, `#!/bin/sh\ntouch ${ran}/$1\nexec cat\n`, { mode: 0o755 });
  const hooks = join(folder, "hooks");
  mkdirSync(hooks);
  for (const name of HOOKS)
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${ran}/${name}\n`, { mode: 0o755 });
  return { run: (name: string) => `sh ${script} ${name}`, hooks, ran: () => readdirSync(ran) };
}

type Trap = ReturnType<typeof setTrap>;

/** What a file of settings may start, or lead to what does. */
function settingsOf({ run, hooks }: Trap): [name: string, value: string][] {
  const programs = [
    ...["core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy"],
    ...["core.alternateRefsCommand", "uploadpack.packObjectsHook", "sequence.editor", "diff.external"],
    ...[
      "gpg.program",
      "gpg.ssh.program",
      "gpg.x509.program",
      "gc.recentObjectsHook",
      "pager.log",
      "pager.config",
    ],
    ...[
      "filter.trap.clean",
      "filter.trap.smudge",
      "filter.trap.process",
      "merge.trap.driver",
      "diff.trap.textconv",
    ],
    ...["remote.origin.uploadpack", "remote.origin.receivepack"],
  ];
  return [
    ...programs.map((name): [string, string] => [name, run(name)]),
    ["core.hooksPath", hooks],
    ["core.attributesFile", join(dirname(hooks), "attributes")],
    ["filter.trap.required", "true"],
    ["log.showSignature", "true"],
    ["commit.gpgSign", "true"],
    ["push.gpgSign", "true"],
    ["receive.denyCurrentBranch", "updateInstead"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.vcs", "ext"],
    ["extensions.partialClone", "origin"],
    ["protocol.allow", "always"],
    ...["ext", "file", "ssh"].map((name): [string, string] => [`protocol.${name}.allow`, "always"]),
    ["submodule.recurse", "true"],
    ["gc.auto", "1"],
    ["maintenance.auto", "true"],
  ];
}

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=x", "-c", "user.email=x@x.example", ...args], {
    encoding: "utf8",
  }).trim();

function configure(file: string, settings: readonly (readonly [name: string, value: string])[]) {
  for (const [name, value] of settings) execFileSync("git", ["config", "--file", file, "--add", name, value]);
}

const ATTRIBUTES = "* filter=trap diff=trap merge=trap\n";

/** A repository with a working folder, a branch of notes, and another repository that lends it objects. */
function workingFolder(t: TestContext, trap: Trap) {
  const folder = temporaryFolder(t);
  git(folder, "init", "-q", "-b", "vibe-notes");
  writeFiles(folder, { ".vibe-sync": "workspace\n", "p/status.md": "# P\n", "p/tasks/007-a.md": "# A\n" });
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "x");
  const lender = temporaryFolder(t);
  cpSync(join(folder, ".git"), join(lender, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git/objects/info/alternates"), `${lender}/.git/objects\n`);
  configure(join(folder, ".git/config"), settingsOf(trap));
  writeFileSync(join(folder, ".git/info/attributes"), ATTRIBUTES);
  cpSync(trap.hooks, join(folder, ".git/hooks"), { recursive: true });
  return folder;
}

test(
  "no setting, hook or attribute of the folder at the other end runs anything, even unchecked",
  options,
  async (t) => {
    const trap = setTrap(t);
    const remote = workingFolder(t, trap);
    const repository = bareRepository(t);
    const run = async (...args: string[]) => {
      const { status, stderr } = await runGit({ env: process.env, repository }, args);
      return { status, stderr };
    };
    const fetched = await run(
      "fetch",
      ...otherEnd(true, "upload-pack"),
      "--",
      remote,
      "vibe-notes:refs/heads/a",
    );
    assert.deepEqual(fetched.status, 0, fetched.stderr);
    const commit = git(repository, "commit-tree", "-m", "y", "-p", "a", "a^{tree}");
    // One branch is what the folder shows, the other is not.
    for (const branch of ["vibe-notes", "other"])
      await run("push", ...otherEnd(true, "receive-pack"), "--", remote, `${commit}:refs/heads/${branch}`);
    assert.equal(git(remote, "rev-parse", "other"), commit);
    assert.deepEqual(trap.ran(), []);
  },
);

test("no setting of the user runs anything but what sync needs", options, async (t) => {
  const trap = setTrap(t);
  const remote = bareRepository(t);
  const ana = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n" } });
  const settings = settingsOf(trap).filter(([name]) => !name.startsWith("remote.origin"));
  configure(join(ana.home, ".gitconfig"), settings);
  writeFileSync(join(dirname(trap.hooks), "attributes"), ATTRIBUTES);
  const [blob, parent] = [
    git(remote, "rev-parse", "vibe-notes:p/status.md"),
    git(remote, "rev-parse", "vibe-notes"),
  ];
  const write = (kind: string, text: string) =>
    execFileSync("git", ["-C", remote, "hash-object", "-t", kind, "-w", "--stdin"], {
      input: text,
      encoding: "utf8",
    }).trim();
  const tree = (lines: string) =>
    execFileSync("git", ["-C", remote, "mktree"], { input: lines, encoding: "utf8" }).trim();
  const folder = tree(`100644 blob ${blob}\tstatus.md\n100644 blob ${write("blob", "# New\n")}\tnew.md\n`);
  const marker = git(remote, "rev-parse", "vibe-notes:.vibe-sync");
  const root = tree(`100644 blob ${marker}\t.vibe-sync\n040000 tree ${folder}\tp\n`);
  const who = "Eve <eve@example.com> 1700000000 +0000";
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
  const signed = write(
    "commit",
    `tree ${root}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nSigned\n`,
  );
  git(remote, "update-ref", "refs/heads/vibe-notes", signed);
  writeFiles(ana.root, { "p/own.md": "# Own\n" });
  const { problem, received, sent } = await ana.sync();
  assert.deepEqual([problem, received, sent], [undefined, ["p/new.md"], ["p/own.md"]]);
  assert.deepEqual(trap.ran(), []);
});

test("no setting of a repository runs where the numbers on its branches are read", options, async (t) => {
  const trap = setTrap(t);
  const folder = workingFolder(t, trap);
  const { HOME: _, ...env } = process.env;
  assert.equal(await new Branches(folder, gitInCalls({ env })).nextNumber("p"), 8);
  const tasks = git(folder, "rev-parse", "HEAD:p/tasks");
  rmSync(join(folder, ".git/objects/info/alternates"));
  rmSync(join(folder, ".git/objects", tasks.slice(0, 2), tasks.slice(2)));
  for (const url of [`ext::${trap.run("ext")}`, dirname(folder), "ssh://localhost/x"]) {
    execFileSync("git", [
      "config",
      "--file",
      join(folder, ".git/config"),
      "--replace-all",
      "remote.origin.url",
      url,
    ]);
    await new Branches(folder, gitInCalls({ env })).nextNumber("p");
    assert.deepEqual(trap.ran(), [], url);
  }
});

/** A remote with one thing that git would follow or run, and how the problem names it. */
function refusedRemotes(trap: Trap): [name: string, change: (remote: string) => void, problem: RegExp][] {
  const add = (text: string) => (remote: string) => appendFileSync(join(remote, "config"), text);
  const write = (name: string, text: string) => (remote: string) => writeFiles(remote, { [name]: text });
  const link = (name: string) => (remote: string) => {
    const place = join(dirname(remote), name.replaceAll("/", "-"));
    renameSync(join(remote, name), place);
    symlinkSync(place, join(remote, name));
  };
  const harmless = ["core.hooksPath", "remote.origin.", "gc.auto"];
  const settings = settingsOf(trap).filter(([name]) => !harmless.some((known) => name.startsWith(known)));
  return [
    ...settings.map(([name, value]): [string, (remote: string) => void, RegExp] => [
      name,
      (remote) => configure(join(remote, "config"), [[name, value]]),
      new RegExp(`the setting '${name.toLowerCase().replaceAll(".", "\\.")}'`),
    ]),
    [
      "a setting behind its section",
      add("[core] hooksPath = /x\n"),
      /the setting '\[core\] hooksPath = \/x'/,
    ],
    ["receive.procReceiveRefs", add("[receive]\n\tprocReceiveRefs = refs\n"), /'receive\.procreceiverefs'/],
    ["include.path", add("[include]\n\tpath = /x\n"), /'include\.path'/],
    ["includeIf", add('[includeIf "gitdir:/"]\n\tpath = /x\n'), /'includeif\.gitdir:\/\.path'/],
    ["a promisor", add('[remote "origin"]\n\tpromisor = true\n'), /'remote\.origin\.promisor'/],
    ["not bare by its settings", add("[core]\n\tbare = false\n"), /no bare repository/],
    ["a .git file", write(".git", "gitdir: /x\n"), /no bare repository/],
    ["no settings", (remote) => rmSync(join(remote, "config")), /no bare repository/],
    ["alternates", write("objects/info/alternates", "/x\n"), /objects\/info\/alternates/],
    ["commondir", write("commondir", "/x\n"), /'commondir'/],
    ["worktrees", write("worktrees/a/gitdir", "/x\n"), /'worktrees'/],
    ...["config", "objects", "refs", "refs/heads", "objects/pack", "HEAD"].map(
      (name): [string, (remote: string) => void, RegExp] => [
        `a link: ${name}`,
        link(name),
        new RegExp(`link in the place of '${name}'`),
      ],
    ),
    [
      "a link to which git would write a line",
      (remote) => {
        mkdirSync(join(remote, "logs/refs/heads"), { recursive: true });
        symlinkSync("/x", join(remote, "logs/refs/heads/vibe-notes"));
      },
      /link in the place of 'logs\/refs\/heads\/vibe-notes'/,
    ],
  ];
}

test(
  "a folder that is more than a bare repository is refused, by the name of what is too much",
  options,
  async (t) => {
    const trap = setTrap(t);
    const parent = temporaryFolder(t);
    const remote = join(parent, "notes.git");
    const fresh = () => {
      rmSync(remote, { recursive: true, force: true });
      execFileSync("git", ["init", "-q", "--bare", remote]);
    };
    fresh();
    const ana = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n" } });
    const kept = join(parent, "kept");
    renameSync(remote, kept);
    for (const [name, change, expected] of someOf(refusedRemotes(trap))) {
      rmSync(remote, { recursive: true, force: true });
      cpSync(kept, remote, { recursive: true });
      change(remote);
      writeFiles(ana.root, { "p/new.md": `# ${name}\n` });
      const { problem } = await ana.sync();
      assert.match(problem ?? "", expected, name);
      assert.ok(!problem?.includes(parent), "no absolute path");
    }
    assert.deepEqual(trap.ran(), []);
  },
);

test(
  "bare repositories as git makes them are remotes, with or without .git in the address",
  options,
  async (t) => {
    const parent = temporaryFolder(t);
    const made = (name: string, ...args: string[]) => {
      execFileSync("git", [...args, join(parent, name)]);
      return join(parent, name);
    };
    const first = made("first.git", "init", "-q", "--bare", "--shared");
    const others = [
      made("clone.git", "clone", "-q", "--bare", first),
      made("mirror.git", "clone", "-q", "--mirror", first),
      made("short.git", "init", "-q", "--bare", "--shared=0600").slice(0, -".git".length),
    ];
    for (const remote of [first, ...others]) {
      const { first: report } = await startMachine(t, {
        name: "ana",
        remote,
        files: { "p/status.md": "# P\n" },
      });
      assert.deepEqual([report.problem, report.sent], [undefined, ["p/status.md"]], remote);
    }
  },
);

test("an address that the user's rules lead to a folder is checked like one", options, async (t) => {
  const trap = setTrap(t);
  const remote = workingFolder(t, trap);
  const { first } = await startMachine(t, {
    name: "ana",
    remote: "https://notes.example/r.git",
    prepare: (home) =>
      writeFileSync(
        join(home, ".gitconfig"),
        `[url "${remote}"]\n\tinsteadOf = https://notes.example/r.git\n`,
      ),
  });
  assert.match(first.problem ?? "", /no bare repository/);
  assert.deepEqual(trap.ran(), []);
});
