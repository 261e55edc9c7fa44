import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connect, makeWorkspace } from "../support/workspace.ts";
import type { Page } from "./pages.ts";

const LINE = `2026-02-03T10:00:00Z info "héllo wörld 😀" ${"x".repeat(60)}\n`;
const LINES = 480_000;
const ROUNDS = 41;

test("a 50 MB file is paged at the same cost everywhere, once it was read", {
  timeout: 60_000,
}, async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const file = join(root, "p", "big.log");
  writeFileSync(file, LINE.repeat(LINES));
  const { call } = await connect(t, root, { tools: "vault" });
  const pageAt = (page: number) => ({ cursor: { char_offset: page * 12_000 } });
  const timed = async (args: Record<string, unknown>) => {
    const start = performance.now();
    const { text } = await call<Page>("vault_scan", { path: "p/big.log", ...args });
    return { took: performance.now() - start, text };
  };
  const { text: last } = await timed({ start_line: LINES });
  assert.equal(last, LINE);
  const wanted = {
    first: pageAt(0),
    page400: pageAt(399),
    deep: pageAt(3_000),
    line: { start_line: 400_000 },
  };
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(wanted)) {
      const { took, text } = await timed(args);
      assert.ok(text.length >= 11_999);
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, took);
    }
  }
  t.diagnostic(`best of ${ROUNDS}, ms: ${JSON.stringify(best)}`);
});

test("what is remembered of a 50 MB file is a small part of it", async (t) => {
  const root = makeWorkspace(t, { "p/big.log": LINE.repeat(LINES) });
  const { call } = await connect(t, root, { tools: "vault" });
  await call("vault_scan", { path: "p/big.log" });
  const before = memory();
  await call("vault_scan", { path: "p/big.log", start_line: LINES });
  const grown = memory() - before;
  assert.ok(grown < 12 * 1024 * 1024, `${grown} bytes`);
});

function memory(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
