import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog, LOG_LEVELS } from "../../src/core/lib/log.ts";

const NAMES = ["error", "warn", "info", "debug"] as const;

for (const [at, level] of LOG_LEVELS.entries()) {
  test(`at level ${level}, ${at} kinds of message are written`, () => {
    const lines: string[] = [];
    const log = createLog(level, (line) => lines.push(line));
    for (const name of NAMES) log[name](`about ${name}`);
    const wanted = NAMES.slice(0, at).map((name) => `vibe-mcp ${name}: about ${name}\n`);
    assert.deepEqual(lines, wanted);
  });
}

test("a message is one line, whatever it holds", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => lines.push(line));
  for (const message of ["a\nb", "a\r\n\r\nb", "a\u2028b", "a\u2029b", "a\u0085b", "a\tb"]) log.warn(message);
  assert.deepEqual(new Set(lines), new Set(["vibe-mcp warn: a b\n"]));
});

test("what cannot be seen is written out", () => {
  for (const format of ["text", "json"] as const) {
    const lines: string[] = [];
    createLog("info", (line) => lines.push(line), format).warn("a\u001b[2J\u202E", { from: "b\u{E0041}" });
    assert.doesNotMatch(lines.join(""), /(?!\n)[\p{Cc}\u202E\u{E0041}]/u);
    assert.match(lines.join(""), /\\u\{?0*1b/);
  }
});

test("letters of any script are logged as they are", () => {
  const lines: string[] = [];
  createLog("info", (line) => lines.push(line)).info("é 日本語 🙂 100 % $& \\n");
  assert.deepEqual(lines, ["vibe-mcp info: é 日本語 🙂 100 % $& \\n\n"]);
});

test("who listens hears errors and warnings as a line of text, whatever is written", () => {
  const heard: string[] = [];
  const log = createLog("silent", () => assert.fail(), "json");
  const stop = log.hear((level, text) => heard.push(`${level} ${text}`));
  log.error("a\nb", { file: "c" });
  log.warn("d");
  log.info("e");
  log.debug("f");
  stop();
  log.error("g");
  assert.deepEqual(heard, ["error a b file=c", "warn d"]);
});
