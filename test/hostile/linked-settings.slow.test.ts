import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../src/core/lib/errors.ts";
import { applyPlan, planWrite } from "../../src/setup/clients/plan.ts";
import { CLIENTS, type Client } from "../../src/setup/clients/table.ts";
import { serverTarget } from "../../src/setup/clients/target.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { contentOf, newcomer } from "./newcomer.ts";
import { report } from "./runs.ts";
import { swapping } from "./swapper.ts";

const skip = ON_WINDOWS && "Links need a right of their own there";

test("a link inside the repository is followed", { skip }, (t) => {
  const { run, cwd } = newcomer(t);
  writeFiles(cwd, { "tools/mcp.json": "{}" });
  symlinkSync(join("tools", "mcp.json"), join(cwd, ".mcp.json"));
  assert.equal(run("connect", "claude-code", "--here", "--yes").status, 0);
  assert.ok(lstatSync(join(cwd, ".mcp.json")).isSymbolicLink());
  assert.ok(JSON.parse(readFileSync(join(cwd, "tools", "mcp.json"), "utf8")).mcpServers.vibe);
});

test("links in a home may lead anywhere in it, but not out of it", { skip }, (t) => {
  const { run, home, outside } = newcomer(t);
  writeFiles(home, { ".cursor/": "", "dotfiles/mcp.json": "{}" });
  symlinkSync(join("..", "dotfiles", "mcp.json"), join(home, ".cursor", "mcp.json"));
  assert.equal(run("connect", "cursor", "--yes").status, 0);
  assert.ok(lstatSync(join(home, ".cursor", "mcp.json")).isSymbolicLink());
  assert.match(readFileSync(join(home, "dotfiles", "mcp.json"), "utf8"), /vibe/);
  writeFiles(outside, { "settings.json": "{}" });
  symlinkSync(outside, join(home, ".gemini"));
  const { status, stderr } = run("connect", "gemini", "--yes");
  assert.equal(status, 1);
  assert.ok(stderr.includes(join(realpathSync(outside), "settings.json")), stderr);
  assert.deepEqual(contentOf(outside), { "settings.json": "{}" });
  assert.match(run("doctor").stdout, /Gemini CLI cannot .*: .* link to/);
});

test("in a home that is a repository, links may not leave their folder", { skip }, (t) => {
  const { inPipe, home } = newcomer(t);
  writeFiles(home, { ".git/HEAD": "", ".bashrc.json": "{}", "unpacked/": "" });
  symlinkSync(join("..", ".bashrc.json"), join(home, "unpacked", ".mcp.json"));
  const typed = { cwd: join(home, "unpacked"), env: { HOME: home, USERPROFILE: home } };
  const { status, stderr } = inPipe(["connect", "claude-code", "--here", "--yes"], typed);
  assert.equal(status, 1);
  assert.match(stderr, /\.bashrc\.json', outside of '.*unpacked'/);
  assert.equal(readFileSync(join(home, ".bashrc.json"), "utf8"), "{}");
});

for (const [what, place, inner] of [
  ["the folder of the settings", ".cursor", "mcp.json"],
  ["the settings themselves", ".cursor/mcp.json", ""],
] as const) {
  test(`a link that replaces ${what} during the call leads no write out`, { skip }, async (t) => {
    const [repository, outside] = [temporaryFolder(t), temporaryFolder(t)];
    writeFiles(outside, { "mcp.json": "{}" });
    mkdirSync(join(repository, dirname(place)), { recursive: true });
    const target = inner === "" ? join(outside, "mcp.json") : outside;
    const stop = await swapping(t, join(repository, place), { outside: target, inner });
    const cursor = CLIENTS.find(({ name }) => name === "cursor") as Client;
    const wanted = { file: join(repository, ".cursor", "mcp.json"), shown: "mcp.json", within: [repository] };
    const counts = { written: 0, refused: 0 };
    const writes = numRuns(40);
    while (counts.written < writes || counts.refused < writes) {
      try {
        const entry = { command: `number ${counts.written}` };
        await applyPlan(await planWrite(wanted, serverTarget(cursor, "vibe"), entry));
        counts.written++;
      } catch (error) {
        assert.ok(error instanceof UserError, String(error));
        counts.refused++;
      }
    }
    await stop();
    assert.deepEqual(contentOf(outside), { "mcp.json": "{}" });
    report(t, `settings, ${what} swapped for a link`, counts.written + counts.refused, "nothing outside");
  });
}
