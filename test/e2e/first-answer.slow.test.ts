import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { callers, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

/** From a clone, with the one that installs and builds. */
const MOST_COMMANDS = 4;

/** A newcomer with an empty home, a repository, and the built file alone. */
function newcomer(t: TestContext) {
  const [file, home] = [builtFile(t), temporaryFolder(t)];
  const repository = join(home, "code", "shop");
  writeFiles(repository, { ".git/HEAD": "" });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, TZ: "UTC" };
  const typed = ["npm ci && npm run build"];
  const type = (args: string[]) => {
    typed.push(args.join(" "));
    const { status, stdout, stderr } = runCommand(file, args, {
      cwd: repository,
      env,
    });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  /** As Claude Code does: from its settings, in the repository. */
  const startClient = async () => {
    const settings = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
    const { type: transport, command, args, env: own } = settings.mcpServers.vibe;
    assert.equal(transport, "stdio");
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...env, ...own }, cwd: repository, stderr: "pipe" }),
    );
    t.after(() => client.close());
    return callers(client as never);
  };
  return { type, typed, startClient };
}

interface Tasks {
  total: number;
  tasks: { project: string; title: string; status: string }[];
}

test("a newcomer's agent answers about the example after four commands", async (t) => {
  const { type, typed, startClient } = newcomer(t);
  const said = type(["demo"]);
  // The last command that demo suggests is the next one to type.
  const [, next = ""] = /\.cjs (.*connect claude-code.*)$/m.exec(said) ?? [];
  assert.match(said, /What is in progress in payments-api\?/);
  type([...next.replaceAll('"', "").split(" "), "--yes"]);
  const { call } = await startClient();
  const { tasks } = await call<Tasks>("list_tasks", { project: "payments-api", status: "in-progress" });
  assert.deepEqual(
    tasks.map(({ title, status }) => `${title}: ${status}`),
    ["Add rate limiting: in-progress"],
  );
  assert.ok(typed.length <= MOST_COMMANDS, typed.join("\n"));
});

test("a newcomer's agent knows their own project after three commands", async (t) => {
  const { type, typed, startClient } = newcomer(t);
  type(["init", "--yes"]);
  type(["connect", "claude-code", "--yes"]);
  const { call } = await startClient();
  const { project, text } = await call<{ project: string; text: string }>("get_briefing", {});
  assert.equal(project, "shop");
  assert.match(text, /^# Session Start: shop\n/);
  assert.ok(typed.length < MOST_COMMANDS, typed.join("\n"));
});
