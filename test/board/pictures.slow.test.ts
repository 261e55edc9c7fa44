import assert from "node:assert/strict";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { openRoot } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { READ_TOKEN } from "../fixtures/http.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const skip = noBrowser;

const svg = (inner = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="20" height="10">${inner}</svg>`;

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** An SVG is its name until a click. */
const show = (page: Page, name: string) => page.getByRole("button", { name: `Image: ${name}` }).click();

/** Resolves once a picture is shown, with its natural width. */
async function widthOf(page: Page, name: string): Promise<unknown> {
  await page.getByRole("img", { name, exact: true }).waitFor();
  const image = `document.querySelector('img[alt="${name}"]')`;
  return page.evaluate(`${image}.decode().then(() => ${image}.naturalWidth)`);
}

const isName = (page: Page, name: string) => page.locator(".chip", { hasText: `Image: ${name}` }).waitFor();

const fragment = "/document?path=p%2Fnotes%2Fa.md";

/** A server elsewhere, and what was asked of it. */
async function startElsewhere(t: TestContext) {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end();
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  t.after(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test("pictures in assets show, also to those who may only read; others are names", { skip }, async (t) => {
  const root = makeWorkspace(t, {
    "p/assets/flow chart.svg": svg(),
    "p/assets/big.png": Buffer.alloc(5 * 1024 * 1024 + 1),
    "p/assets/broken.png": "no picture",
    "p/assets/dot.png": PNG,
    "p/assets/secret.txt": "secret",
    "p/notes/a.md": [
      "# A",
      "![relative](<../assets/flow chart.svg>)",
      "![rooted](/assets/flow%20chart.svg)",
      "![[assets/flow chart.svg|embedded]]",
      "![[flow chart.svg|by its name]]",
      "![too big](../assets/big.png)",
      "![broken](../assets/broken.png)",
      "![text](../assets/secret.txt)",
      `${"A line.\n\n".repeat(300)}![far](../assets/dot.png)`,
    ].join("\n\n"),
  });
  const { page, calls } = await openRoot(t, root, { fragment, token: READ_TOKEN });
  for (const name of ["too big", "broken", "text"]) await isName(page, name);
  const reads = () => calls.filter(({ name }) => name === "resources/read").length;
  assert.equal(reads(), 2);
  for (const name of ["relative", "rooted", "embedded", "by its name"]) {
    await show(page, name);
    assert.equal(await widthOf(page, name), 20);
  }
  assert.equal(reads(), 6);
  await page.locator(".chip", { hasText: "far" }).scrollIntoViewIfNeeded();
  assert.equal(await widthOf(page, "far"), 1);
  assert.equal(reads(), 7);
});

test("a picture runs nothing, asks nothing elsewhere, and comes from no other place", { skip }, async (t) => {
  const elsewhere = await startElsewhere(t);
  const url = (name: string) => `${elsewhere.origin}/${name}`;
  const hostile = svg(`<script>fetch("${url("script")}"); window.ran = true;</script>
<script href="${url("script-href")}"/><image x:href="${url("image")}" width="9" height="9"/><use href="${url("use")}#a"/>
<style>@import "${url("css")}"; rect { fill: url("${url("fill")}") }</style><rect width="9" height="9" onload="fetch('${url("onload")}')"/>
<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${url("frame")}"/></foreignObject>`);
  const outside = join(temporaryFolder(t), "secret.svg");
  writeFileSync(outside, svg());
  const root = makeWorkspace(t, {
    "p/assets/hostile.svg": hostile.replace("<svg ", `<svg onload="fetch('${url("root")}')" `),
    "p/notes/a.md": [
      "# A",
      "![hostile](../assets/hostile.svg)",
      `![web](${url("web.png")})`,
      `![scheme](${url("web.png").replace("http:", "")})`,
      `![climbs](../../../${outside.split(/[\\/]/).slice(-2).join("/")})`,
      "![encoded](../assets/..%2F..%2F..%2Fsecret.svg)",
      "![link](../assets/link.svg)",
      "![last](../assets/hostile.svg)",
    ].join("\n\n"),
  });
  if (!ON_WINDOWS) symlinkSync(outside, join(root, "p/assets/link.svg"));
  const { page, problems } = await openRoot(t, root, { fragment });
  for (const name of ["hostile", "last"]) {
    await show(page, name);
    assert.equal(await widthOf(page, name), 20);
  }
  for (const name of ["web", "scheme", "climbs", "encoded", "link"]) await isName(page, name);
  assert.deepEqual(
    problems.filter((problem) => problem.startsWith("foreign")),
    [],
  );
  // Someone may open it in a tab of its own.
  const tab = page.context().waitForEvent("page");
  await page.evaluate("void open(document.querySelector('img').src)");
  const opened = await tab;
  await opened.waitForLoadState();
  assert.equal(await opened.evaluate("document.documentElement.localName"), "svg");
  assert.equal(await opened.evaluate("window.ran"), undefined);
  await fetch(url("end"));
  assert.deepEqual(elsewhere.asked, ["/end"]);
});

/** Gives the editor a file as the browser does for a paste or a drop. */
async function give(page: Page, kind: "paste" | "drop", file: Record<"name" | "type" | "text", string>) {
  const { name, type, text } = file;
  const [event, data] = kind === "paste" ? ["Clipboard", "clipboardData"] : ["Drag", "dataTransfer"];
  await page.locator(".editor-text").waitFor();
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], "${name}", { type: "${type}" }));
    const event = new ${event}Event("${kind}", { ${data}: data, cancelable: true, bubbles: true });
    document.querySelector(".editor-text").dispatchEvent(event);
  }`);
}

test("a picture that is pasted or dropped into the editor lands in assets, with a link at the cursor, or says why not", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P\n", "p/notes/a.md": "# A\n\nSee here.\n" });
  const { page, problems } = await openRoot(t, root, { fragment: `${fragment}&show=edit` });
  const field = page.getByRole("textbox", { name: "Text" });
  await give(page, "drop", { name: "notes.txt", type: "text/plain", text: "x" });
  await page.getByRole("log").getByText("Only pictures can be added").waitFor();
  await give(page, "drop", { name: "fake.png", type: "image/png", text: "x" });
  await page.getByRole("log").getByText("This is no picture").waitFor();
  await page.evaluate("document.querySelector('.editor-text').setSelectionRange(9, 9)");
  await give(page, "paste", { name: "flow chart.svg", type: "image/svg+xml", text: svg() });
  await page.getByRole("log").getByText("Saved: p/assets/flow-chart.svg").waitFor();
  assert.equal(await field.inputValue(), "# A\n\nSee ![flow-chart](../assets/flow-chart.svg)here.\n");
  await show(page, "flow-chart");
  assert.equal(await widthOf(page, "flow-chart"), 20);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("log").getByText("Undone: Saved: p/assets/flow-chart.svg").waitFor();
  assert.ok(!existsSync(join(root, "p/assets/flow-chart.svg")));
  assert.deepEqual(
    problems.filter((problem) => !problem.includes("409")),
    [],
  );
});
