import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { live, openRoot } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;
const CHARS = 200_000;
const WORD = "Shown as plain text: its Markdown would take too long to render.";

const ODD = {
  "lists in lists": "1. ",
  "a quote that goes on": ["> a\n", "a\n"],
  underlines: "a\n===\n",
  "nested brackets": ["[".repeat(CHARS / 2), "]"],
  "nested images": "![x](",
  "headings without end": "# a\n",
} as const;

function textOf(unit: string | readonly string[]): string {
  const [start = "", again = ""] = typeof unit === "string" ? ["", unit] : unit;
  return `${start}${again.repeat((CHARS - start.length) / again.length)}a\n`;
}

for (const [what, unit] of someOf(Object.entries(ODD)))
  test(`200 KB of ${what}: the page answers, and shows the text`, { skip, timeout: 120_000 }, async (t) => {
    const odd = textOf(unit);
    const root = makeWorkspace(t, { "p/odd.md": odd, "p/fine.md": "# Fine\n\n*It* is.\n" });
    const { page, problems } = await openRoot(t, root);
    page.setDefaultTimeout(20_000);
    const go = (fragment: string) => page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await go("#/document?path=p/odd.md");
    await page.locator(".document-text pre").waitFor();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.keyboard.press("Escape");
    await page.locator(".document-text").getByText(WORD).waitFor();
    assert.equal(await page.locator(".document-text pre").textContent(), odd);
    await go("#/document?path=p/fine.md");
    await page.locator(".document-text em").getByText("It").waitFor();
    assert.deepEqual(problems, []);
  });

test("a live page keeps its last rendering, its focus and its scroll position while another is made", {
  skip,
}, async (t) => {
  const text = `# Long\n\n${"A line.\n\n".repeat(200)}- [ ] [out](https://example.org/)\n`;
  const root = makeWorkspace(t, { "p/long.md": text });
  const board = await openRoot(t, root, { fragment: "/document?path=p/long.md" });
  const { page, problems } = board;
  await page.getByRole("link", { name: "out" }).focus();
  const at = () => page.evaluate("[scrollY, document.activeElement.textContent, shownEmpty]");
  await page.evaluate(`
    shownEmpty = false;
    new MutationObserver(() => { shownEmpty ||= document.querySelectorAll(".document-text p").length < 200; })
      .observe(document.body, { childList: true, subtree: true });
  `);
  const before = await at();
  for (const word of ["One", "Two", "Three"]) {
    writeFileSync(join(root, "p/long.md"), `${text}\n${word}.\n`);
    await page.getByText(`${word}.`, { exact: true }).waitFor();
    assert.deepEqual(await at(), before);
  }
  await live(board);
  assert.deepEqual(problems, []);
});
