import assert from "node:assert/strict";
import { test } from "node:test";
import { send, startHttp } from "../fixtures/http.ts";
import { authorizeUrl, registerClient, startOAuth } from "../fixtures/oauth.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("a page of another site cannot hold a stream open with an image, a script or a frame", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })], {});
  for (const site of ["cross-site", "same-site"])
    for (const dest of ["image", "script", "iframe", "empty"]) {
      const headers = { "Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest };
      const response = await send(server, { path: "/sse", token: null, headers });
      assert.equal(response.status, 403, `${site} ${dest}`);
    }
  const own = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" };
  const response = await send(server, { path: "/sse", token: null, headers: own });
  assert.equal(response.status, 200);
  await response.body?.cancel();
});

test("a client's site may still send its user to the login page", async (t) => {
  const server = await startOAuth(t);
  const url = authorizeUrl(server, { client_id: await registerClient(server) });
  const headers = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document" };
  assert.equal((await fetch(url, { headers })).status, 200);
});
