import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "../../fixtures/vault-pages.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const LINES = "one\ntwo\nthree\nfour\nfive\n";
const FILES = { "p/five.md": LINES, "p/long.txt": `${"x".repeat(12_000)}y\nz`, "p/empty.txt": "" };

test("the output of vault_scan has every field of the source and nothing more", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  assert.deepEqual(await call("vault_scan", { path: "p/five.md", start_line: 4 }), {
    text: "four\nfive\n",
    applied_range: { start_line: 4, end_line: 5 },
    next_cursor: { char_offset: null },
    eof: true,
    truncated: false,
    truncated_reason: "none",
    applied: { max_chars: 12_000 },
  });
  assert.deepEqual(await call("vault_scan", { path: "p/long.txt" }), {
    text: "x".repeat(12_000),
    applied_range: { start_line: 1, end_line: 1 },
    next_cursor: { char_offset: 12_000 },
    eof: false,
    truncated: true,
    truncated_reason: "max_chars",
    applied: { max_chars: 12_000 },
  });
});

test("start_line wins over cursor, cursor.char_offset over cursor.start_line, and line 1 is the default", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const cases: [args: Record<string, unknown>, text: string][] = [
    [{}, LINES],
    [{ start_line: null, cursor: null }, LINES],
    [{ cursor: {} }, LINES],
    [{ cursor: { start_line: null, char_offset: null } }, LINES],
    [{ cursor: { start_line: 5 } }, "five\n"],
    [{ cursor: { start_line: 2, char_offset: 19 } }, "five\n"],
    [{ cursor: { start_line: 2, char_offset: 0 } }, LINES],
    [{ cursor: { start_line: 99, char_offset: 19 } }, "five\n"],
    [{ start_line: 4, cursor: { start_line: 2, char_offset: 0 } }, "four\nfive\n"],
    [{ start_line: 4, cursor: { char_offset: 9_999 } }, "four\nfive\n"],
  ];
  for (const [args, text] of cases) {
    const page = await call<Page>("vault_scan", { path: "p/five.md", ...args });
    assert.equal(page.text, text, JSON.stringify(args));
  }
});

test("start_line and cursor.start_line must be lines of the file", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  for (const args of [{ start_line: 6 }, { cursor: { start_line: 6 } }, { start_line: 1e9 }]) {
    const error = await fail("vault_scan", { path: "p/five.md", ...args });
    assert.equal(error.code, "invalid_parameter");
    assert.match(error.message, /beyond .* 5 lines/);
  }
  assert.equal((await call<Page>("vault_scan", { path: "p/empty.txt", start_line: 1 })).text, "");
  assert.equal((await fail("vault_scan", { path: "p/empty.txt", start_line: 2 })).code, "invalid_parameter");
});

test("char_offset may be the end of the file, and not beyond", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  const cursor = { char_offset: LINES.length };
  const page = await call<Page & { eof: boolean }>("vault_scan", { path: "p/five.md", cursor });
  assert.deepEqual([page.text, page.eof, page.applied_range.end_line], ["", true, 5]);
  const beyond = { char_offset: LINES.length + 1 };
  const error = await fail("vault_scan", { path: "p/five.md", cursor: beyond });
  assert.equal(error.code, "invalid_parameter");
  assert.match(error.message, /beyond .* 24 characters/);
});
