import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connectHttp, READ_TOKEN, send, serveHttp } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>');

const CASES: [name: string, bytes: Buffer, answer: string | number][] = [
  ["image.png", PNG, "p/assets/image.png"],
  ["image.png", PNG, "p/assets/image-2.png"],
  ["IMAGE.jpeg", PNG, "p/assets/image-3.png"],
  ["../../out.png", PNG, "p/assets/out.png"],
  ["", PNG, "p/assets/picture.png"],
  ["Flow chart (1).html", SVG, "p/assets/flow-chart-1.svg"],
  ["図.png", Buffer.from("GIF89a\x01\x00\x01\x00", "latin1"), "p/assets/図.gif"],
  ["notes.png", Buffer.from("# Notes"), 409],
  ["page.svg", Buffer.from("<html><svg/></html>"), 409],
  ["large.png", Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]), 413],
];

test("a picture gets a safe and free name in assets, by what its bytes are, and is taken back as one change", async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const server = await serveHttp(t, ["--root", root]);
  const add = (name: string, body: Buffer, { project = "p", ...more } = {}) =>
    send(server, {
      path: `/picture?${new URLSearchParams({ project, name })}`,
      method: "POST",
      body,
      ...more,
    });
  const made: { path: string; changes: string[] }[] = [];
  for (const [name, bytes, answer] of CASES) {
    const response = await add(name, bytes);
    const said = (await response.json()) as { path: string; changes: string[]; message: string };
    assert.equal(response.ok ? said.path : response.status, answer, `${name}: ${said.message}`);
    if (!response.ok) continue;
    made.push(said);
    assert.deepEqual(readFileSync(join(root, said.path)), bytes);
  }
  assert.equal((await add("a.png", PNG, { token: READ_TOKEN } as object)).status, 403);
  assert.equal((await add("a.png", PNG, { project: "none" })).status, 409);
  const { call } = await connectHttp(t, server);
  const [first] = made;
  await call("restore_doc", { change: first?.changes[0] });
  assert.ok(!existsSync(join(root, first?.path ?? "")));
  assert.ok(existsSync(join(root, made[1]?.path ?? "")));
});

test("a server that only reads takes no pictures", async (t) => {
  const server = await serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), "--read-only"]);
  const response = await send(server, { path: "/picture?project=p&name=a.png", method: "POST", body: PNG });
  assert.equal(response.status, 404);
});
