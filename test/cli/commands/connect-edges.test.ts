import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

/** Somebody with an empty home. */
function newcomer(t: TestContext) {
  const someone = person(t);
  const home = temporaryFolder(t);
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, ".config"), XDG_CONFIG_HOME: "" };
  const connect = (...args: string[]) => someone.inPipe(["connect", ...args], { env });
  return { ...someone, home, env, connect };
}

test("a file that only held the entry goes with it, and nothing is left to remove", (t) => {
  const { connect, home } = newcomer(t);
  const file = join(home, ".cursor", "mcp.json");
  assert.match(connect("cursor", "--remove").stdout, /^Nothing to do: .* does not name this server\.\n$/);
  assert.match(connect("cursor", "--yes").stdout, /\nWrote ~\/\.cursor\/mcp\.json\.\n/);
  assert.ok(existsSync(file));
  const { stdout } = connect("cursor", "--remove", "--yes");
  assert.match(stdout, /^~\/\.cursor\/mcp\.json \(will be removed: it holds nothing else\)\n/);
  assert.match(stdout, /\nRemoved ~\/\.cursor\/mcp\.json\. Backup: .*\.bak\n/);
  assert.ok(!existsSync(file));
});

test("--json tells what was written, and that there was nothing to do", (t) => {
  const { connect, home } = newcomer(t);
  writeFiles(home, { ".cursor/mcp.json": "{}" });
  const file = join(home, ".cursor", "mcp.json");
  const first = JSON.parse(connect("cursor", "--json", "--yes").stdout);
  assert.deepEqual(
    [first.file, first.changed, first.written, first.backup],
    [file, true, true, `${file}.bak`],
  );
  const second = JSON.parse(connect("cursor", "--json", "--yes").stdout);
  assert.deepEqual(second, { file, changed: false, written: false, backup: null, diff: [] });
});

test("--hook --here writes the settings of the folder, and takes one of several hooks out again", (t) => {
  const { connect, cwd } = newcomer(t);
  const file = join(cwd, ".claude", "settings.json");
  assert.equal(connect("claude-code", "--hook", "--here", "--yes").status, 0);
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const [group] = settings.hooks.SessionStart;
  group.hooks.unshift({ type: "command", command: "date" });
  settings.hooks.SessionStart.unshift("no group", { hooks: ["no hook"] }, { matcher: "no list" });
  const [ours] = group.hooks.splice(1, 1);
  const without = JSON.stringify(settings, null, 2);
  group.hooks.push(ours);
  writeFileSync(file, JSON.stringify(settings, null, 2));
  assert.equal(connect("claude-code", "--hook", "--here", "--remove", "--yes").status, 0);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), JSON.parse(without));
  assert.match(connect("claude-code", "--hook", "--here", "--remove").stdout, /^Nothing to do/);
});

test("settings where servers are something else are refused, and doctor says so", (t) => {
  const { connect, home, inPipe, env } = newcomer(t);
  for (const broken of ['{"mcpServers": {"vibe": "x"}}', '{"mcpServers": "x"}']) {
    writeFiles(home, { ".cursor/mcp.json": broken });
    for (const option of ["--yes", "--remove"]) {
      const { status, stderr } = connect("cursor", option);
      assert.equal(status, 1);
      assert.match(stderr, /"mcpServers(?:\.vibe)?" must be an object\. Nothing was written/);
    }
    assert.equal(readFileSync(join(home, ".cursor", "mcp.json"), "utf8"), broken);
    const { stdout } = inPipe(["doctor"], { env });
    assert.match(stdout, /Cursor cannot be connected: .*must be an object/);
  }
});

test("a copy that is no settings any more is passed over when the entry is removed", (t) => {
  const { connect, home } = newcomer(t);
  writeFiles(home, { ".cursor/mcp.json": '{"mine": 1}\n' });
  const file = join(home, ".cursor", "mcp.json");
  assert.equal(connect("cursor", "--yes").status, 0);
  writeFileSync(`${file}.bak`, "torn {");
  assert.equal(connect("cursor", "--remove", "--yes").status, 0);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).mine, 1);
  assert.doesNotMatch(readFileSync(file, "utf8"), /vibe/);
});

test("an entry by another name that starts this program is found by doctor", (t) => {
  const { home, inPipe, env } = newcomer(t);
  const own = { mcpServers: { notes: { command: "vibe-mcp" }, other: { url: "https://x.example" } } };
  writeFiles(home, { ".cursor/mcp.json": JSON.stringify(own) });
  const { stdout } = inPipe(["doctor"], { env });
  assert.match(stdout, /^ok +clients +Cursor starts this server/m);
});
