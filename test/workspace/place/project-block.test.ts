import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { planLink, removeLinks, writeLink } from "../../../src/core/workspace/place/project-block.ts";
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

const [CLAUDE, GEMINI, OTHER] = [["CLAUDE.md", ".claude/CLAUDE.md"], ["GEMINI.md"], ["AGENTS.md"]];
const IMPORT = "@AGENTS.md";

/** What each file has at the end: the line, or an import of the file that has it. */
const READERS: [name: string, files: Record<string, string>, clients: string[][], Record<string, string>][] =
  [
    ["no client", {}, [], { "AGENTS.md": LINE }],
    ["only its own file", { "CLAUDE.md": "a" }, [CLAUDE], { "CLAUDE.md": LINE }],
    ["its own file, which it lacks", {}, [CLAUDE], { "AGENTS.md": LINE, "CLAUDE.md": IMPORT }],
    [
      "another folder",
      { ".claude/CLAUDE.md": "a" },
      [CLAUDE, OTHER],
      { "AGENTS.md": LINE, ".claude/CLAUDE.md": "@../AGENTS.md" },
    ],
    [
      "files of all",
      {},
      [OTHER, CLAUDE, GEMINI],
      { "AGENTS.md": LINE, "CLAUDE.md": IMPORT, "GEMINI.md": IMPORT },
    ],
    ["an import already", { "CLAUDE.md": "See @./AGENTS.md first" }, [CLAUDE, OTHER], { "AGENTS.md": LINE }],
    [
      "an import in code",
      { "CLAUDE.md": "```\n@AGENTS.md\n```\n" },
      [CLAUDE, OTHER],
      { "AGENTS.md": LINE, "CLAUDE.md": IMPORT },
    ],
    ["several names", {}, [["GEMINI.md", "AGENTS.md"]], { "AGENTS.md": LINE }],
    ["a file elsewhere", {}, [["../x.md"]], { "AGENTS.md": LINE }],
    [
      "a line in the file of another",
      { "CLAUDE.md": LINE },
      [CLAUDE, OTHER],
      { "AGENTS.md": LINE, "CLAUDE.md": LINE },
    ],
    [
      "the line of one person",
      { "CLAUDE.local.md": LINE },
      [CLAUDE, OTHER, GEMINI],
      { "CLAUDE.local.md": LINE },
    ],
    [
      "old lines in both",
      { "CLAUDE.md": "vibe: a", "AGENTS.md": "vibe: b" },
      [CLAUDE, OTHER],
      { "AGENTS.md": LINE, "CLAUDE.md": LINE },
    ],
  ];

for (const [name, files, clients, expected] of READERS) {
  test(`the block reaches clients that read ${name}, and can be removed`, async (t) => {
    const home = temporaryFolder(t);
    const folder = join(home, "shop");
    writeFiles(folder, { ".git/HEAD": "", ...files });
    const plan = () => planLink(join(home, "notes"), { folder, home }, clients) ?? assert.fail();
    await writeLink(plan(), "shop");
    assert.ok(plan().isDone("shop"));
    for (const [file, line] of Object.entries(expected))
      assert.ok(readFileSync(join(folder, file), "utf8").split("\n").includes(line.trim()), file);
    assert.deepEqual((await removeLinks({ folder, home })).sort(), Object.keys(expected).sort());
    for (const file of Object.keys(expected)) {
      const before = files[file] === undefined || files[file].includes("vibe:") ? undefined : files[file];
      assert.equal(
        existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : undefined,
        before,
      );
    }
  });
}
