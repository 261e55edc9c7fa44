import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard, openRoot } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { serveHttp } from "../fixtures/http.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = noBrowser;
const fragment = "/document?path=p%2Fa.md";

const NOTE = `# A

> [!NOTE]
> Text with **bold**.
>
> - [ ] box

> [!tip]- A *title* of its own
> Folded elsewhere.

> [!Important]+

> [!WARNING]
> > [!CAUTION] Inside

> [!info] Unknown

> no [!NOTE]
`;

const LABELS: Record<string, string[]> = {
  en: ["Note", "Tip", "Important", "Warning", "Caution"],
  es: ["Nota", "Consejo", "Importante", "Advertencia", "Precaución"],
  ja: ["メモ", "ヒント", "重要", "警告", "注意"],
};

for (const [locale, labels] of Object.entries(LABELS))
  test(`callouts are named in the reader's language: ${locale}`, { skip }, async (t) => {
    const root = makeWorkspace(t, { "p/a.md": NOTE });
    const server = await serveHttp(t, ["--root", root]);
    const { page, problems } = await openBoard(t, server, { fragment, locale });
    await page.getByRole("note").first().waitFor();
    assert.deepEqual(await page.locator(".md-callout-name").allTextContents(), labels);
    assert.deepEqual(problems, []);
  });

test("a callout keeps its text, its title and its boxes; other quotes stay quotes", { skip }, async (t) => {
  const root = makeWorkspace(t, { "p/a.md": NOTE });
  const { page, problems } = await openRoot(t, root, { fragment });
  const notes = page.getByRole("note");
  await notes.first().waitFor();
  const texts = (await notes.allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());
  assert.deepEqual(texts, [
    "Note Text with bold. box",
    "Tip A title of its ownFolded elsewhere.",
    "Important",
    "Warning Caution Inside",
    "Caution Inside",
  ]);
  assert.equal(await notes.nth(1).locator("strong").textContent(), "A title of its own");
  assert.deepEqual(
    (await page.locator("blockquote").allTextContents()).map((text) => text.trim()),
    ["[!info] Unknown", "no [!NOTE]"],
  );
  await page.getByRole("checkbox", { name: "box" }).check();
  await page.getByRole("log").getByText("Saved").waitFor();
  assert.deepEqual(problems, []);
});
