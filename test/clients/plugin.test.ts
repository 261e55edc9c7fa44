import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ABOUT } from "../../src/core/config/about.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { HABITS } from "../../src/core/notes/project/habits.ts";
import { skill } from "../../src/setup/clients/plugin/skill.ts";
import { PLUGINS } from "../../src/setup/clients/plugin/trees.ts";

const program = Buffer.from("// the program\n");
const trees = Object.entries(PLUGINS).map(([name, filesOf]) => ({
  name,
  files: filesOf({ version: "1.2.3", program }),
}));

function text(files: Record<string, Uint8Array>, path: string): string {
  const bytes = files[path];
  assert.ok(bytes, path);
  return Buffer.from(bytes).toString();
}

test("a plugin holds the program, the skill, the hook, a picture and the licence", () => {
  for (const { files } of trees) {
    assert.equal(text(files, "server/vibe-mcp.cjs"), program.toString());
    assert.equal(text(files, "skills/vibe/SKILL.md"), readFileSync("skills/vibe/SKILL.md", "utf8"));
    assert.equal(text(files, "LICENSE"), readFileSync("LICENSE", "utf8"));
    assert.ok(text(files, "README.md").split(/\s+/).length > 40);
    const picture = Buffer.from(files["icon.png"] ?? []);
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [512, 512]);
  }
});

test("each manifest names the version, and each server and hook the program by the client's own variable", () => {
  const manifests = trees.flatMap(({ files }) =>
    Object.keys(files)
      .filter((path) => /(?:^|\/)(?:plugin|gemini-extension)\.json$/.test(path))
      .map((path) => JSON.parse(text(files, path))),
  );
  assert.equal(manifests.length, 4);
  for (const { name, version } of manifests) assert.deepEqual([name, version], ["vibe", "1.2.3"]);
  const [common, codex, gemini] = trees;
  assert.ok(common && codex && gemini);
  const started = (files: Record<string, Uint8Array>, path: string) =>
    JSON.parse(text(files, path)).mcpServers.vibe.args[0];
  assert.equal(started(common.files, ".mcp.json"), `\${CLAUDE_PLUGIN_ROOT}/server/vibe-mcp.cjs`);
  assert.equal(started(common.files, "mcp.json"), `\${PLUGIN_ROOT}/server/vibe-mcp.cjs`);
  assert.equal(started(codex.files, ".mcp.json"), "./server/vibe-mcp.cjs");
  assert.equal(started(gemini.files, "gemini-extension.json"), `\${extensionPath}/server/vibe-mcp.cjs`);
});

test("the skill has at most 120 lines, and names only tools that exist", () => {
  const lines = skill().split("\n");
  assert.ok(lines.length <= 120, `${lines.length}`);
  for (const { rule } of Object.values(HABITS)) assert.ok(skill().includes(rule), rule);
  const names = allTools.map(({ name }) => name);
  const named = [...skill().matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = ""]) => name);
  assert.ok(named.length > 8);
  for (const name of named) assert.ok(names.includes(name), name);
});

test("the package and the registry's entry have the links of one place", () => {
  const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));
  const { homepage, repository, bugs } = json("package.json");
  assert.deepEqual(
    [homepage, repository.url, bugs],
    [ABOUT.homepage, `git+${ABOUT.repository}.git`, ABOUT.bugs],
  );
  const entry = json("server.json");
  assert.deepEqual([entry.websiteUrl, entry.repository.url], [ABOUT.homepage, ABOUT.repository]);
});
