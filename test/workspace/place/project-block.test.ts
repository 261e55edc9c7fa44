import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { planLink } from "../../../src/workspace/place/project-block.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const LINE = "vibe: shop\n";

/** From `packages/cart` of a repository. */
const FILES: [name: string, files: Record<string, string>, expected: string][] = [
  ["a new AGENTS.md at the top", {}, "../../AGENTS.md"],
  ["AGENTS.md before others", { "AGENTS.md": "a", "CLAUDE.md": "a", "GEMINI.md": "a" }, "../../AGENTS.md"],
  ["the file in .claude", { ".claude/CLAUDE.md": "a" }, "../../.claude/CLAUDE.md"],
  ["a file that Gemini alone reads", { "GEMINI.md": "a" }, "../../GEMINI.md"],
  ["no file of one person", { "CLAUDE.local.md": "a" }, "../../AGENTS.md"],
  ["the file of one person, if it has the line", { "CLAUDE.local.md": LINE }, "../../CLAUDE.local.md"],
  ["the file with the line at the top", { "AGENTS.md": "a", "GEMINI.md": LINE }, "../../GEMINI.md"],
  ["the file with the nearest line", { "AGENTS.md": LINE, "packages/CLAUDE.md": LINE }, "../CLAUDE.md"],
  ["no line above the repository", { "../CLAUDE.md": LINE }, "../../AGENTS.md"],
];

for (const [name, files, expected] of FILES) {
  test(`the block about a project belongs into ${name}`, (t) => {
    const home = temporaryFolder(t);
    const repository = join(home, "code", "shop");
    writeFiles(repository, { ".git/HEAD": "", "packages/cart/": "", ...files });
    const folder = join(repository, "packages", "cart");
    assert.equal(planLink(join(home, "notes"), { folder, home })?.shown.replaceAll("\\", "/"), expected);
  });
}
