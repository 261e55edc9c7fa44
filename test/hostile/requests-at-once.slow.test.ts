import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const NOTES = 2000;
const REQUESTS = 100;

test("a ping that comes with 100 wrong names is answered between them", async (t) => {
  const notes = Array.from({ length: NOTES }, (_, n) => [`p/references/note-${n}.md`, "x\n"]);
  const { client, fail, call } = await serve(t, makeWorkspace(t, Object.fromEntries(notes)));
  await call("list_projects");
  let answered = 0;
  const wrong = Array.from({ length: REQUESTS }, async (_, n) => {
    const { code } = await fail("read_doc", { path: `p/references/noté-${n}x.md` });
    assert.equal(code, "FILE_NOT_FOUND");
    answered++;
  });
  await client.ping({ timeout: 600_000 });
  const before = answered;
  await Promise.all(wrong);
  assert.ok(before < REQUESTS / 2, `${before} of ${REQUESTS} were answered first`);
});
