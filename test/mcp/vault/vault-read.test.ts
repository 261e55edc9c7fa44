import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import type { Page } from "../../fixtures/vault-pages.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const FILES = {
  "p/five.md": "one\ntwo\nthree\nfour\nfive\n",
  "p/open.txt": "one\r\ntwo",
  "p/empty.txt": "",
  "p/long.txt": `${"x".repeat(11_999)}\nrest\nend\n`,
  "p/pair.txt": `${"x".repeat(11_999)}😀end`,
};

const range = (start_line: unknown, end_line: unknown) => ({ range: { start_line, end_line } });

test("the output of vault_read has every field of the source and nothing more", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  assert.deepEqual(await call("vault_read", { path: "p/five.md", ...range(2, 3) }), {
    text: "two\nthree\n",
    truncated: true,
    returned_chars: 10,
    applied_range: { start_line: 2, end_line: 3 },
    next_cursor: { char_offset: 14 },
    truncated_reason: "range_end",
    applied: { full: false, max_chars: 12_000 },
  });
  assert.deepEqual(await call("vault_read", { path: "p/five.md", full: true }), {
    text: FILES["p/five.md"],
    truncated: false,
    returned_chars: 24,
    applied_range: { start_line: 1, end_line: 5 },
    next_cursor: { char_offset: null },
    truncated_reason: "none",
    applied: { full: true, max_chars: 12_000 },
  });
});

test("full is false by default, and a range is required then", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, FILES));
  for (const args of [
    {},
    { full: false },
    { full: null },
    { range: null },
    { range: {} },
    range(null, null),
  ]) {
    const error = await fail("vault_read", { path: "p/five.md", ...args });
    assert.equal(error.code, "invalid_parameter", JSON.stringify(args));
    assertTells(error.message, ["range", "start_line", "end_line"]);
  }
});

test("with full the range does not matter", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const { text } = await call<Page>("vault_read", { path: "p/five.md", full: true, ...range(2, 2) });
  assert.equal(text, FILES["p/five.md"]);
});

test("start_line may not be greater than end_line", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  const error = await fail("vault_read", { path: "p/five.md", ...range(3, 2) });
  assert.equal(error.code, "invalid_parameter");
  const { text } = await call<Page>("vault_read", { path: "p/five.md", ...range(3, 3) });
  assert.equal(text, "three\n");
});

test("start_line must be a line of the file, and a final newline starts none", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  const lines: [path: string, last: number][] = [
    ["p/five.md", 5],
    ["p/open.txt", 2],
    ["p/empty.txt", 1],
    ["p/long.txt", 3],
  ];
  for (const [path, last] of lines) {
    const { applied_range } = await call<Page>("vault_read", { path, ...range(last, last + 9) });
    assert.deepEqual(applied_range, { start_line: last, end_line: last }, path);
    const error = await fail("vault_read", { path, ...range(last + 1, last + 1) });
    assert.equal(error.code, "invalid_parameter", path);
    assert.match(error.message, new RegExp(`'start_line' .*beyond .* ${last} line`));
  }
});

test("one end of a range may be left out", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const from = await call<Page>("vault_read", { path: "p/five.md", ...range(4, null) });
  assert.equal(from.text, "four\nfive\n");
  const to = await call<Page>("vault_read", { path: "p/five.md", range: { end_line: 2 } });
  assert.equal(to.text, "one\ntwo\n");
});

test("a range that ends before the file says range_end, one that reaches its end says none", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const cases = [
    ["p/five.md", 4, "one\ntwo\nthree\nfour\n", 19, "range_end"],
    ["p/five.md", 5, FILES["p/five.md"], null, "none"],
    ["p/five.md", 6, FILES["p/five.md"], null, "none"],
    ["p/open.txt", 1, "one\r\n", 5, "range_end"],
    ["p/open.txt", 2, "one\r\ntwo", null, "none"],
    ["p/empty.txt", 1, "", null, "none"],
  ] as const;
  for (const [path, end, text, next, reason] of cases) {
    const page = await call<Page>("vault_read", { path, ...range(1, end) });
    assert.equal(page.text, text);
    assert.deepEqual(page.next_cursor, { char_offset: next });
    assert.equal(page.truncated_reason, reason);
    assert.equal(page.truncated, next !== null);
  }
});

test("a page is cut at 12,000 characters, which no argument changes", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  const whole = await call<Page>("vault_read", { path: "p/long.txt", ...range(1, 3) });
  assert.equal(whole.text.length, 12_000);
  assert.equal(whole.truncated_reason, "max_chars");
  assert.deepEqual(whole.applied_range, { start_line: 1, end_line: 1 });
  const first = await call<Page>("vault_read", { path: "p/long.txt", ...range(1, 1) });
  assert.equal(first.truncated_reason, "range_end");
  const error = await fail("vault_read", { path: "p/long.txt", full: true, max_chars: 5 });
  assert.equal(error.code, "invalid_parameter");
});

test("a cut at 12,000 never splits a surrogate pair", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const page = await call<Page>("vault_read", { path: "p/pair.txt", full: true });
  assert.equal(page.text.length, 11_999);
  assert.deepEqual(page.next_cursor, { char_offset: 11_999 });
  const rest = await call<Page>("vault_scan", { path: "p/pair.txt", cursor: page.next_cursor });
  assert.equal(rest.text, "😀end");
  const inside = await call<Page>("vault_scan", { path: "p/pair.txt", cursor: { char_offset: 12_000 } });
  assert.equal(inside.text, "😀end");
});
