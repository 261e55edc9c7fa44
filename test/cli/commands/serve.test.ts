import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { CommandContext } from "../../../src/cli/command.ts";
import { runStdio } from "../../../src/cli/commands/serve.ts";
import { resolveConfig } from "../../../src/core/config/options.ts";
import { systemClock } from "../../../src/core/lib/clock.ts";
import { createLog } from "../../../src/core/lib/log.ts";
import { noTerminal, person } from "../../fixtures/terminal.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

/** Serves an input that ends at once; returns what was written to stderr. */
async function serveEmptyInput(root: string, isTTY: boolean, vault?: string): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = { stdin: Object.assign(stdin, { isTTY }), stdout, stderr };
  const context: CommandContext = {
    config: resolveConfig({ root, ...(vault && { vault }) }, {}, root),
    version: "1.2.3",
    program: "vibe-mcp",
    launcher: "vibe-mcp",
    typed: [],
    command: "",
    words: [],
    settings: {},
    commands: [],
    clock: systemClock,
    machine: { platform: "linux", home: root, env: {}, folder: root, node: "", script: "", npx: false },
    options: { has: () => false, text: () => undefined, texts: () => [], number: () => undefined },
    log: createLog("error", (line) => stderr.write(line)),
    wrap: (text) => text,
    terminal: terminal as unknown as CommandContext["terminal"],
    stop: () => new AbortController().signal,
  };
  stdin.end();
  assert.equal(await runStdio(context), 0);
  assert.equal(stdout.read(), null);
  return String(stderr.read() ?? "");
}

test("on a terminal the server explains what it waits for; for a client stderr is empty", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "x" });
  const greeting = await serveEmptyInput(root, true);
  assert.match(greeting, /vibe-mcp 1\.2\.3 serves .* client/);
  assert.match(greeting, /vibe-mcp search "some words"/);
  assert.equal(await serveEmptyInput(root, false, "off"), "");
});

test("on a narrow terminal the greeting breaks between words", { skip: noTerminal() }, (t) => {
  const { onTerminal, root } = person(t);
  const { stdout } = onTerminal([], { columns: 50, answer: ["--help", "\x04"] });
  const words = stdout.replaceAll("\r", "").split(/\s+/);
  for (const word of ["waits", "client.", "starts"]) assert.ok(words.includes(word), stdout);
  const long = stdout.split("\n").filter((line) => line.trimEnd().length > 50 && !line.includes(root));
  assert.ok(
    long.every((line) => line.includes("vibe-mcp search")),
    stdout,
  );
});
