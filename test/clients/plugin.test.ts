import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ABOUT } from "../../src/core/config/about.ts";
import { skill } from "../../src/core/mcp/skill.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { setProjectBlock } from "../../src/core/notes/project/block.ts";
import { HABITS } from "../../src/core/notes/project/habits.ts";
import { isTaskStatus } from "../../src/core/notes/task/statuses.ts";
import { PLUGINS } from "../../src/setup/clients/plugin/trees.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

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

/** What a call needs besides what the texts name. */
const NEEDED: Record<string, Record<string, unknown>> = {
  search: { query: "limits" },
  read_doc: { path: "p/status.md" },
  update_task: { task: 1, done_steps: [1], agent: "a" },
  update_task_status: { task: 1, status: "in-progress", agent: "a" },
  claim_task: { agent: "a", task: 1 },
  create_task: { title: "B", objective: "o", steps: [], acceptance_criteria: [] },
  create_doc: { folder: "references", filename: "limits.md", content: "x" },
  update_doc: { filename: "status.md", content: "- x", mode: "append" },
  log_session: { content: "## Done\n- x" },
};
const VALUES: Record<string, unknown> = {
  agent: "a",
  note: "why",
  section: "Decisions",
  dependencies: ["001"],
};

/** The calls that a text names, each with the arguments that its sentence names: as `name: value`, as an object, or behind `with`. */
function callsIn(text: string): [name: string, args: Record<string, unknown>][] {
  const names = allTools.map(({ name }) => name as string);
  return text.split(/\n(?=[-|#\d\n])|(?<=[.;:])\s+(?=[A-Z])/).flatMap((sentence) => {
    const pieces = sentence.split(/`([a-z]+(?:_[a-z]+)*)`/);
    const marked = pieces.slice(1);
    const calls: [name: string, said: string][] = [];
    for (let at = 0; at < marked.length; at += 2) {
      const [word = "", after = ""] = marked.slice(at, at + 2);
      const last = calls.at(-1);
      if (names.includes(word)) calls.push([word, after]);
      else if (last !== undefined) last[1] += `\`${word}\`${after}`;
    }
    if (calls.length === 0 && /"also"|folder: /.test(sentence)) calls.push(["search", sentence]);
    return calls.map(([name, said]): [string, Record<string, unknown>] => [name, argumentsIn(said)]);
  });
}

function argumentsIn(said: string): Record<string, unknown> {
  const object = /`(\{.*?\})`/.exec(said)?.[1];
  const pairs = [...said.matchAll(/`(\w+): ([^`]+)`/g)].map(([, name = "", value = ""]) => [
    name,
    JSON.parse(value),
  ]);
  const named = [...said.matchAll(/(?:\bwith|\ba|\bsame) `([\w.]+)`/g)].map(([, name = ""]) => {
    if (isTaskStatus(name)) return ["status", name];
    const [outer = "", inner] = name.split(".");
    return inner === undefined ? [outer, VALUES[outer]] : [outer, { [inner]: VALUES[inner] }];
  });
  return { ...(object === undefined ? {} : JSON.parse(object)), ...Object.fromEntries([...pairs, ...named]) };
}

const TASK = "# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] a\n2. [ ] b\n";

test("the calls that the skill and the block name work as they say", async (t) => {
  const files = {
    "p/status.md": "# P\n\n## Decisiones\n- a\n",
    "p/tasks/001-a.md": TASK,
    "p/archive/old.md": "# Limits\n",
    "p/plans/execution-plan.md": "# Plan\n",
  };
  const { call } = await connect(t, makeWorkspace(t, files), { current: "p" });
  const calls = [skill(), setProjectBlock("", "p")].flatMap(callsIn);
  const withArguments = calls.filter(([, args]) => Object.keys(args).length > 0);
  assert.ok(calls.length > 25 && withArguments.length > 7, `${calls.length} ${withArguments.length}`);
  for (const [name, args] of calls) {
    const { versions } = await call<{ versions: { change: string }[] }>("history", {});
    const needed = name === "restore_doc" ? versions[0] && { change: versions[0].change } : NEEDED[name];
    await call(name, { ...needed, ...args });
  }
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
