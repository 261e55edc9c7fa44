import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { checkedLines } from "../../src/core/stdio/stdio-input.ts";
import { handshake, startBuilt } from "../fixtures/built.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const note = { jsonrpc: "2.0", method: "notifications/initialized" };

/** A line, and the ids and codes of the errors that answer it. */
const LINES: [line: unknown, ...errors: [id: unknown, code: number][]][] = [
  [ping(1)],
  [note],
  [""],
  ["  "],
  [{ jsonrpc: "2.0", id: 1, result: {} }],
  [{ jsonrpc: "2.0", id: null, error: { code: 1, message: "x" } }],
  ['{"jsonrpc":"2.0","id":1,"meth', [null, -32700]],
  ["5", [null, -32600]],
  [{ ...ping(7), params: 5 }, [7, -32600]],
  [{ ...note, jsonrpc: "1.0" }, [null, -32600]],
  [{ ...ping(null) }, [null, -32600]],
  [[], [null, -32600]],
  [[note]],
  [[[ping(1)]], [null, -32600]],
  [Array.from({ length: 101 }, () => ping(1)), [null, -32600]],
  [
    [ping(1), 5, { ...ping("b"), params: 5 }],
    [null, -32600],
    ["b", -32600],
  ],
];

test("each message of a batch is a line of its own", async () => {
  const lines = checkedLines(assert.fail);
  lines.end(`${JSON.stringify([ping(1), note])}\n${JSON.stringify(ping(2))}\n`);
  const passed = (await lines.toArray()).join("").trim().split("\n");
  assert.deepEqual(
    passed.map((line) => JSON.parse(line) as unknown),
    [ping(1), note, ping(2)],
  );
});

test("a line that is no message gets an error, and each request of a batch its own", async () => {
  for (const [line, ...expected] of LINES) {
    const errors: unknown[] = [];
    const lines = checkedLines((id, { code }) => void errors.push([id, code]));
    lines.end(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    await once(lines.resume(), "end");
    assert.deepEqual(errors, expected, JSON.stringify(line));
  }
});

test("the last line is answered, whole or torn, also if no newline ends it", async (t) => {
  for (const [line, answer] of [
    [JSON.stringify(ping(9)), /"id":9,?.*\}$/],
    ['{"jsonrpc": "2.0"', /"id":null.*-32700/],
  ] as const) {
    const { child, ...server } = startBuilt(t, ["--root", makeWorkspace(t, { "p/a.md": "x" })]);
    await handshake({ child, ...server });
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.stdin?.end(line);
    await once(child, "close");
    assert.match(printed.trim(), answer);
  }
});
