import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { noBrowser, openPage } from "../../fixtures/browser.ts";
import { INITIALIZE, post, TOKEN } from "../../fixtures/http.ts";
import {
  askTokens,
  authorizeUrl,
  codeFields,
  registerClient,
  startOAuth,
  type Tokens,
} from "../../fixtures/oauth.ts";

const skip = noBrowser;

/** A client's own server: the callback sends the browser on to another origin, as many do. */
async function startClient(t: TestContext) {
  const arrived: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url?.startsWith("/callback")) {
      arrived.push(request);
      response.writeHead(302, { Location: `http://localhost:${port}/done` }).end();
    } else response.writeHead(200, { "Content-Type": "text/html" }).end("<title>done</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { redirect: `http://127.0.0.1:${port}/callback`, arrived };
}

async function openConsent(t: TestContext, fields: object = {}) {
  const server = await startOAuth(t);
  const client = await startClient(t);
  const id = await registerClient(server, { redirect_uris: [client.redirect], ...fields });
  const url = authorizeUrl(server, { client_id: id, redirect_uri: client.redirect });
  const page = await openPage(t);
  await page.goto(url);
  return { server, client, id, url, page };
}

const done = (page: Page) => page.waitForURL("**/done");
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.value || document.activeElement.id");

test("a person logs in a client with only the keyboard, after a wrong token", {
  skip,
}, async (t) => {
  const { server, client, id, page } = await openConsent(t);
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "write");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "token");
  await page.keyboard.insertText("a wrong token");
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  assert.match(await page.title(), /^Error: /);
  const described = await page.evaluate<string>(
    "document.querySelector('#token').getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(' ')",
  );
  assert.match(described, /^This token is not valid/);
  await page.locator("#token:focus").waitFor();

  await page.keyboard.insertText(TOKEN);
  await page.keyboard.press("Enter");
  await done(page);
  const [callback] = client.arrived;
  assert.equal(callback?.headers.referer, undefined);
  const query = new URL(callback?.url ?? "", client.redirect).searchParams;
  assert.equal(query.get("iss"), server.origin);
  assert.equal(query.get("state"), "the state");
  const code = query.get("code") ?? "";
  const fields = codeFields(server, { client_id: id, code, redirect_uri: client.redirect });
  const tokens = (await (await askTokens(server, fields)).json()) as Tokens;
  assert.equal(tokens.scope, "read write");
  assert.equal((await post(server, INITIALIZE, { token: tokens.access_token })).status, 200);
});

test("a person clicks Read only and Allow, or Cancel", { skip }, async (t) => {
  const { server, client, id, url, page } = await openConsent(t);
  await page.getByLabel("Read only").check();
  await page.locator("#token").fill(TOKEN);
  await page.getByRole("button", { name: "Allow" }).click();
  await done(page);
  const code = new URL(client.arrived[0]?.url ?? "", client.redirect).searchParams.get("code") ?? "";
  const fields = codeFields(server, { client_id: id, code, redirect_uri: client.redirect });
  assert.equal(((await (await askTokens(server, fields)).json()) as Tokens).scope, "read");

  await page.goto(url);
  await page.getByRole("button", { name: "Cancel" }).click();
  await done(page);
  const query = new URL(client.arrived[1]?.url ?? "", client.redirect).searchParams;
  assert.deepEqual([query.get("error"), query.get("code")], ["access_denied", null]);
});

test("the page is styled in light and dark mode with enough contrast, names its fields, and runs no script", {
  skip,
}, async (t) => {
  const { page, client } = await openConsent(t, { client_name: "<img src=x onerror=document.title='hit'>" });
  const text = await page.evaluate<string>("document.body.innerText");
  assert.ok(text.includes(`this computer (${new URL(client.redirect).host})`));
  assert.ok(text.includes("<img src=x"));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const [color, background] = await page.evaluate<[string, string]>(
      "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('button[value=allow]')))",
    );
    assert.ok(contrast(color, background) >= 4.5, `${colorScheme}: ${color} on ${background}`);
  }
  for (const [role, name] of [
    ["radio", "Read and write"],
    ["radio", "Read only"],
    ["button", "Allow"],
    ["button", "Cancel"],
    ["textbox", "Token of this server"],
    ["group", "What may it do?"],
  ] as const)
    assert.equal(await page.getByRole(role, { name, exact: true }).count(), 1, name);
  await page.evaluate(
    "document.body.insertAdjacentHTML('beforeend', '<iframe id=f src=/authorize></iframe><script>document.title = \"hit\"</script>')",
  );
  assert.doesNotMatch(await page.title(), /^hit/);
});

/** As WCAG counts it, from colours as browsers write them: `rgb(1, 2, 3)`. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((text) => {
      const part = Number(text) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
