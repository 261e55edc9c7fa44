import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "../../fixtures/vault-pages.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

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

test("what is remembered of a 50 MB file is next to nothing", (t) => {
  const file = join(makeWorkspace(t, { "big.log": LINE.repeat(LINES) }), "big.log");
  const child = fileURLToPath(new URL("../../fixtures/memory-child.ts", import.meta.url));
  const run = spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", child, file, String(LINES)]);
  const { grown, marks } = JSON.parse(run.stdout.toString()) as { grown: number; marks: number };
  assert.ok(marks > 1000, `${marks} marks`);
  assert.ok(grown < 256 * 1024, `${grown} bytes`);
});
