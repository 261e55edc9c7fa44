import assert from "node:assert/strict";
import { test } from "node:test";
import { authorizeUrl, register, registerClient, startOAuth } from "../../fixtures/oauth.ts";

test("a client's name is a string, shortened, with a substitute if it is missing", async (t) => {
  const server = await startOAuth(t);
  const shown = async (client_name: unknown) => {
    const page = await fetch(
      authorizeUrl(server, { client_id: await registerClient(server, { client_name }) }),
    );
    return /<h1>(.*) asks to use your notes<\/h1>/.exec(await page.text())?.[1];
  };
  assert.equal(await shown("n".repeat(60)), "n".repeat(60));
  assert.equal(await shown("n".repeat(61)), `${"n".repeat(60)}…`);
  for (const none of [undefined, "", " \u200b\u202e "]) assert.equal(await shown(none), "An unnamed client");
  const response = await register(server, { redirect_uris: ["https://client.example/"], client_name: 3 });
  assert.equal(response.status, 400);
  const { error, error_description } = (await response.json()) as Record<string, string>;
  assert.deepEqual([error, error_description], ["invalid_client_metadata", "client_name must be a string."]);
});

test("the page offers writing only if it can be granted", async (t) => {
  for (const [args, scope, offered] of [
    [[], "read write", ["write", "read"]],
    [[], "read", ["read"]],
    [["--read-only"], "read", ["read"]],
  ] as const) {
    const server = await startOAuth(t, [...args]);
    const page = await fetch(authorizeUrl(server, { client_id: await registerClient(server), scope }));
    const html = await page.text();
    const choices = [...html.matchAll(/name="access" value="(\w+)"/g)].map(([, value]) => value);
    assert.deepEqual(choices, offered);
    assert.match(html, new RegExp(`value="${offered[0]}" checked`));
  }
});
