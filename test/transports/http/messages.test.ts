import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIALIZE, JSON_HEADERS, serveHttp, TOKEN } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

test("a body that is not JSON in UTF-8 gets 400 and the protocol's parse error", async (t) => {
  const { origin } = await serveHttp(t, ["--root", makeWorkspace(t, { "p/a.md": "x" })]);
  const headers = { ...JSON_HEADERS, Authorization: `Bearer ${TOKEN}` };
  const cases: [string | Uint8Array, RegExp][] = [
    [Uint8Array.from([0x22, 0xff, 0x22]), /is not UTF-8$/],
    ["{", /is not JSON$/],
    ["", /is not JSON$/],
    ['"[[[[ never ends', /is not JSON$/],
    ['"a \\', /is not JSON$/],
    ["[".repeat(300), /has too many values, or nests them too deeply$/],
    [`[${"0,".repeat(60_000)}0]`, /has too many values, or nests them too deeply$/],
  ];
  for (const [body, message] of cases) {
    const response = await fetch(`${origin}/mcp`, { method: "POST", headers, body });
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    assert.deepEqual([response.status, error.code], [400, -32700], String(body).slice(0, 40));
    assert.match(error.message, message);
  }
  const { params } = INITIALIZE;
  const clientInfo = { name: `"${"[".repeat(1000)}\\"`, version: "1" };
  const brackets = JSON.stringify({ ...INITIALIZE, params: { ...params, clientInfo } });
  const response = await fetch(`${origin}/mcp`, { method: "POST", headers, body: brackets });
  assert.equal(response.status, 200, "brackets inside a text are no values");
  await response.body?.cancel();
});
