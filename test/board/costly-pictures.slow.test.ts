import assert from "node:assert/strict";
import { test } from "node:test";
import { openRoot } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("a picture that would freeze the page is its name, which says why", { skip: noBrowser }, async (t) => {
  const uses = Array.from(
    { length: 9 },
    (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  );
  const root = makeWorkspace(t, {
    "p/assets/bomb.svg": `<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"><rect/></g>${uses.join("")}<use href="#a9"/></svg>`,
    "p/assets/huge.png": Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff", "latin1"),
    "p/notes/a.md": "# A\n\n![bomb](../assets/bomb.svg)\n\n![huge](../assets/huge.png)\n",
  });
  const { page } = await openRoot(t, root, { fragment: "/document?path=p%2Fnotes%2Fa.md" });
  for (const [name, reason] of [
    ["bomb", "it has too many parts"],
    ["huge", "it has 65535 × 65535 pixels"],
  ] as const) {
    const chip = page.locator(`.chip[title*="${reason}"]`);
    await chip.waitFor();
    assert.equal(await chip.textContent(), `Image: ${name}`);
  }
});
