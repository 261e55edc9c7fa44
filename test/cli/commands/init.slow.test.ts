import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const QUESTION = "[Y/n] ";

function repository(t: TestContext, files: Record<string, string>) {
  const someone = person(t);
  writeFiles(someone.cwd, { ".git/HEAD": "", "src/": "", ...files });
  return { ...someone, text: (name: string) => readFileSync(join(someone.cwd, name), "utf8") };
}

test("init creates a project, and writes no link without a yes", (t) => {
  const { inPipe, cwd, root } = repository(t, {});
  const { status, stderr } = inPipe(["init", "my-api"]);
  assert.equal(status, 0);
  assert.ok(existsSync(join(root, "my-api", "status.md")));
  assert.match(stderr, /: vibe-mcp init my-api --link\n/);
  assert.match(stderr, /Connect an agent: vibe-mcp connect claude-code\nNext: vibe-mcp new /);
  assert.ok(!existsSync(join(cwd, "AGENTS.md")));
});

test("on a terminal init asks, and only yes writes the line", (t) => {
  const { onScreen, inPipe, text, cwd } = repository(t, { "CLAUDE.md": "# Notes\n" });
  const no = onScreen(["init", "one"], { answer: [QUESTION, "n\n"] });
  assert.match(no.stdout, /Tell agents about one in CLAUDE\.md\?/);
  assert.equal(text("CLAUDE.md"), "# Notes\n");
  const yes = onScreen(["init", "two"], { answer: [QUESTION, "y\n"], cwd: join(cwd, "src") });
  assert.equal(yes.status, 0, yes.stdout);
  assert.match(text("CLAUDE.md"), /^# Notes\n\n<!-- vibe-mcp:start -->\nvibe: two\n/);
  assert.match(inPipe(["brief"], { cwd: join(cwd, "src") }).stdout, /^# Session Start: two\n/);
});

test("--link writes the block into the existing file, even for an existing project", (t) => {
  const { inPipe, text, cwd } = repository(t, {
    "AGENTS.md": "# A\r\nvibe: old\r\nmore",
    "CLAUDE.md": "@AGENTS.md",
  });
  assert.equal(inPipe(["init", "old"]).status, 0);
  assert.equal(inPipe(["init", "my-api"]).status, 0);
  const linked = inPipe(["init", "MY-API", "--link"]);
  assert.equal(linked.status, 0, linked.stderr);
  assert.match(linked.stdout, /Wrote `vibe: my-api` .*into AGENTS\.md, replacing `vibe: old`/);
  assert.match(text("AGENTS.md"), /^# A\r\n<!-- .*\r\nvibe: my-api\r\n.*-->\r\nmore$/s);
  assert.equal(text("CLAUDE.md"), "@AGENTS.md");
  assert.match(inPipe(["init", "my-api", "--link"], { cwd: join(cwd, "src") }).stdout, /names it already/);
  const { linked: file } = JSON.parse(inPipe(["init", "old", "--link", "--json"]).stdout) as {
    linked: string;
  };
  assert.equal(file, "AGENTS.md");
});

test("--link creates AGENTS.md at the top of the repository if there is no file yet", (t) => {
  const { inPipe, text, cwd } = repository(t, {});
  assert.equal(inPipe(["init", "my-api", "--link"], { cwd: join(cwd, "src") }).status, 0);
  assert.match(text("AGENTS.md"), /^<!-- .*\nvibe: my-api\n.*-->\n$/s);
});

test("a symbolic link stays, and a file that is not UTF-8 is unchanged", { skip: ON_WINDOWS }, (t) => {
  const { inPipe, text, cwd } = repository(t, { "AGENTS.md": "# A\n" });
  symlinkSync("AGENTS.md", join(cwd, "CLAUDE.md"));
  assert.equal(inPipe(["init", "a", "--link"]).status, 0);
  assert.ok(lstatSync(join(cwd, "CLAUDE.md")).isSymbolicLink());
  assert.match(text("AGENTS.md"), /^# A\n\n<!-- .*\nvibe: a\n/);
  const bytes = Buffer.from([0x23, 0xff, 0x0a]);
  writeFileSync(join(cwd, "AGENTS.md"), bytes);
  const refused = inPipe(["init", "a", "--link"]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /not valid UTF-8: .*: vibe: a/);
  assert.deepEqual(readFileSync(join(cwd, "AGENTS.md")), bytes);
});

test("inside the workspace, where the folder itself names the project, --link writes nothing", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const cwd = join(someone.root, "p");
  const { status, stderr } = someone.inPipe(["init", "q", "--link"], { cwd });
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(cwd), ["a.md"]);
});

test("without a name, init takes that of the repository, and links to it when it exists", (t) => {
  const { inPipe, root, text, cwd } = repository(t, { "shop/.git/HEAD": "", "shop/src/": "" });
  const typed = { cwd: join(cwd, "shop", "src") };
  const first = inPipe(["init"], typed);
  assert.equal(first.status, 0, first.stderr);
  assert.ok(existsSync(join(root, "shop", "status.md")));
  assert.match(first.stderr, /: vibe-mcp init shop --link\n/);
  const again = inPipe(["init", "--yes"], typed);
  assert.match(again.stdout, /^Project shop exists\.\nWrote `vibe: shop` and .* into \.\.\/AGENTS\.md\n/);
  assert.match(text("shop/AGENTS.md"), /^vibe: shop$/m);
  assert.match(inPipe(["init"], typed).stdout, /names it already/);
});

test("in the home folder, init says what to pass", (t) => {
  const { inPipe, cwd, root } = repository(t, {});
  const { status, stderr } = inPipe(["init", "--yes"], { env: { HOME: cwd, USERPROFILE: cwd } });
  assert.equal(status, 2);
  assert.match(stderr, /: vibe-mcp init my-project\n$/);
  assert.ok(!existsSync(root));
});

test("on a terminal init proposes a name, and without a yes nothing is written", (t) => {
  const { onScreen, cwd, root, text } = repository(t, { "shop/.git/HEAD": "" });
  const typed = { cwd: join(cwd, "shop") };
  const no = onScreen(["init"], { ...typed, answer: [QUESTION, "n\n"] });
  assert.equal(no.status, 1);
  assertTells(no.stdout, ["shop", "AGENTS.md", "Only the project: vibe-mcp init shop"]);
  assert.deepEqual([existsSync(root), existsSync(join(cwd, "shop", "AGENTS.md"))], [false, false]);
  const yes = onScreen(["init"], { ...typed, answer: [QUESTION, "y\n"] });
  assert.equal(yes.status, 0, yes.stdout);
  assert.match(text("shop/AGENTS.md"), /^vibe: shop$/m);
});

test("--unlink restores the file, and removes one that held only the block", (t) => {
  const { inPipe, text, cwd } = repository(t, { "CLAUDE.md": "\uFEFF# A\r\nb" });
  inPipe(["init", "shop", "--link"]);
  assert.match(text("CLAUDE.md"), /vibe: shop\r\n/);
  assertTells(inPipe(["init", "--unlink"]).stdout, ["Removed", "CLAUDE.md"]);
  assert.equal(text("CLAUDE.md"), "\uFEFF# A\r\nb");
  assert.match(inPipe(["init", "--unlink"]).stdout, /^Nothing to do/);
  rmSync(join(cwd, "CLAUDE.md"));
  inPipe(["init", "shop", "--link"]);
  assert.deepEqual(JSON.parse(inPipe(["init", "--unlink", "--json"]).stdout).unlinked, ["AGENTS.md"]);
  assert.ok(!existsSync(join(cwd, "AGENTS.md")));
  assert.equal(inPipe(["init", "--unlink", "--link"]).status, 2);
});

test("with a plugin, only a person's own yes has sessions kept", (t) => {
  const { onScreen, inPipe } = repository(t, {});
  const home = temporaryFolder(t);
  writeFiles(home, { ".gemini/extensions/vibe/gemini-extension.json": "{}" });
  const env = { HOME: home, USERPROFILE: home };
  const isOn = () => existsSync(join(home, ".local", "state", "vibe-mcp", "capture"));
  assertTells(inPipe(["init", "shop", "--yes"], { env }).stderr, ["vibe-mcp capture --on"]);
  const init = (text: string) => onScreen(["init", "shop"], { env, answer: ["[y/N] ", text] }).stdout;
  assertTells(init("\n"), ["what you asked", "vibe-mcp capture --on"]);
  assert.ok(!isOn());
  assertTells(init("y\n"), ["vibe-mcp capture --off"]);
  assert.ok(isOn());
  assert.doesNotMatch(onScreen(["init", "shop"], { env }).stdout, /what you asked/);
});

test("--yes connects the clients of this machine that do not use the server yet", (t) => {
  const { inPipe, cwd } = repository(t, {});
  const home = temporaryFolder(t);
  writeFiles(home, { ".cursor/": "", ".codex/config.toml": "", ".gemini/settings.json": "{" });
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, ".config") };
  const asked = inPipe(["init", "shop"], { env });
  assert.match(asked.stderr, /^Connect an agent: vibe-mcp connect cursor \(also here: codex\)$/m);
  const { status, stdout, stderr } = inPipe(["init", "--yes"], { env, cwd });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Not connected .*: Cursor, Codex$/m);
  assert.match(stdout, /^\+ +"vibe": \{$/m);
  assert.match(readFileSync(join(home, ".codex", "config.toml"), "utf8"), /mcp_servers\.vibe/);
  assert.ok(JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")).mcpServers.vibe);
  assert.equal(readFileSync(join(home, ".gemini", "settings.json"), "utf8"), "{");
  const again = JSON.parse(inPipe(["init", "--yes", "--json"], { env }).stdout);
  assert.deepEqual([again.linked, again.connected], ["AGENTS.md", []]);
});

test("the block reaches the clients whose settings or programs are here", { skip: ON_WINDOWS }, (t) => {
  const { inPipe, text, cwd } = repository(t, { "bin/gemini": "", "CLAUDE.md": "# Mine\n" });
  const home = temporaryFolder(t);
  writeFiles(home, { ".claude/": "", ".codex/": "" });
  const env = { HOME: home, PATH: `${join(cwd, "bin")}:${process.env["PATH"]}` };
  const { stdout, stderr } = inPipe(["init", "shop", "--link"], { env });
  assert.match(stdout, / into AGENTS\.md and CLAUDE\.md and GEMINI\.md$/m);
  assert.match(stderr, /\(also here: .*gemini/);
  assert.deepEqual(
    ["AGENTS.md", "CLAUDE.md", "GEMINI.md"].map((name) => /^(?:vibe:|@).*$/m.exec(text(name))?.[0]),
    ["vibe: shop", "@AGENTS.md", "@AGENTS.md"],
  );
  inPipe(["init", "--unlink"], { env });
  assert.equal(text("CLAUDE.md"), "# Mine\n");
});

test("a new project is offered the tasks that the repository keeps with other programs", (t) => {
  const { inPipe, cwd } = repository(t, {
    "backlog/tasks/": "",
    ".beads/issues.jsonl": "",
    ".taskmaster/tasks/tasks.json": "{}",
    "tasks/": "",
  });
  const offers = (text: string) =>
    [...text.matchAll(/^Bring in .*: vibe-mcp (import .*)$/gm)].map(([, line]) => line);
  const imports = (folder: string) =>
    ["backlog", "beads", "taskmaster"].map((kind) => `import ${kind} ${folder} --project shop`);
  assert.deepEqual(offers(inPipe(["init", "shop"], { cwd: join(cwd, "src") }).stderr), imports(".."));
  assert.deepEqual(offers(inPipe(["init", "shop"]).stderr), []);
  assert.deepEqual(offers(inPipe(["init", "shop", "--in-repo", "--yes"]).stderr), imports("."));
});

test("a client that serves the example is connected to this workspace instead", (t) => {
  const { inPipe, root } = repository(t, {});
  const home = temporaryFolder(t);
  writeFiles(home, { ".cursor/": "" });
  const env = { HOME: home, USERPROFILE: home };
  const served = () => readFileSync(join(home, ".cursor", "mcp.json"), "utf8");
  inPipe(["connect", "cursor", "--root", join(home, "example"), "--yes"], { env });
  assert.match(served(), /example/);
  assert.match(inPipe(["init", "--yes"], { env }).stdout, /^Not connected .*: Cursor$/m);
  assert.doesNotMatch(served(), /example/);
  assert.ok(served().includes(JSON.stringify(root)), served());
});

test("on a terminal init asks for each client, and Enter means yes", (t) => {
  const { onScreen } = repository(t, {});
  const home = temporaryFolder(t);
  writeFiles(home, { ".cursor/": "", ".codex/config.toml": "# mine\n" });
  const env = { HOME: home, USERPROFILE: home };
  const init = (cursor: string, codex: string) =>
    onScreen(["init", "shop", "--link"], {
      env,
      answer: [`Connect Cursor? ${QUESTION}`, cursor, `Connect Codex? ${QUESTION}`, codex],
    });
  assert.match(
    init("n\n", "n\n").stdout,
    /^Connect an agent: vibe-mcp connect cursor \(also here: codex\)\r$/m,
  );
  assert.deepEqual(readdirSync(join(home, ".cursor")), []);
  const { stdout } = init("n\n", "\n");
  assert.match(stdout, /^Wrote ~\/\.codex\/config\.toml\. Backup: ~\/\.codex\/config\.toml\.bak\r$/m);
  assert.match(stdout, /^Connect an agent: vibe-mcp connect cursor\r$/m);
  assert.deepEqual(readdirSync(join(home, ".cursor")), []);
  // The end of the input is no answer.
  const ended = onScreen(["init", "shop"], { env, answer: [`Connect Cursor? ${QUESTION}`, "\x04"] });
  assert.match(ended.stdout, /vibe-mcp connect cursor/);
  assert.deepEqual(readdirSync(join(home, ".cursor")), []);
});
