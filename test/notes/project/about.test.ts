import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutProject } from "../../../src/core/notes/project/about.ts";
import { renderStatus } from "../../../src/core/notes/project/status-page.ts";

const CASES: readonly [text: string, about: string | undefined][] = [
  ["---\nupdated: 2026-01-01\n---\n# Shop\n\nSells pots. And plates.\n\n## Next\n", "Sells pots."],
  ["# Shop\r\n\r\nSells pots\r\nof clay. More.\r\n", "Sells pots of clay."],
  [
    "# Shop\n**Last updated:** 2026-01-01\n\nVersion 1.2 is out, e.g. for **you**. More.\n",
    "Version 1.2 is out, e.g. for you.",
  ],
  ["Shop\n====\n\nUpdated: 2026-01-01\n\n- [Pots](pots.md) first! Then plates.\n", "Pots first!"],
  ["# 店\n\n陶器を売る店です。皿もあります。\n", "陶器を売る店です。"],
  ["# Shop\n\n<!-- A comment. -->\n\n```\nCode.\n```\n\n| a | b |\n|---|---|\n\n> Pots only\n", "Pots only"],
  ["# Shop\n\n![logo](logo.png)\n\n---\n\n## Next\n", undefined],
  [renderStatus("Shop", "2026-01-01"), undefined],
  ["", undefined],
  [`# Shop\n\n${"word ".repeat(100)}\n`, `${"word ".repeat(38)}word…`],
];

test("a project is what the first sentence of its status.md says", () => {
  for (const [text, about] of CASES) assert.equal(aboutProject(text), about, text);
});
