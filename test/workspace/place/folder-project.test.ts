import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { projectNameOf } from "../../../src/core/workspace/place/folder-project.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const LINES: [name: string, files: Record<string, string>, expected: Record<string, string | undefined>][] = [
  ...["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"].map(
    (file): (typeof LINES)[number] => [
      `in ${file}`,
      { [`code/x/${file}`]: "vibe: shop\n", "code/x/.git/HEAD": "", "code/x/src/": "" },
      { "code/x": "shop", "code/x/src": "shop" },
    ],
  ),
  [
    "the nearest one, and in one folder a person's own before the team's",
    {
      "code/x/AGENTS.md": "vibe: a\n",
      "code/x/CLAUDE.local.md": "vibe: b\n",
      "code/x/in/GEMINI.md": "vibe: c\n",
      "code/x/in/deep/": "",
    },
    { "code/x": "b", "code/x/in/deep": "c" },
  ],
  [
    "above the repository, but neither in the home folder nor above it",
    {
      "AGENTS.md": "vibe: home\n",
      ".claude/CLAUDE.md": "vibe: home\n",
      "../AGENTS.md": "vibe: above\n",
      "work/AGENTS.md": "vibe: work\n",
      "work/x/.git/HEAD": "",
      "code/y/.git/HEAD": "",
    },
    { "work/x": "work", "code/y": "y", "": undefined },
  ],
];

for (const [name, files, expected] of LINES) {
  test(`a line names the project: ${name}`, (t) => {
    const top = join(temporaryFolder(t), "ana");
    writeFiles(top, files);
    const nameOf = (path: string) =>
      projectNameOf(join(top, "notes"), { folder: join(top, path), home: top })?.name;
    const found = Object.keys(expected).map((path) => [path, nameOf(path)]);
    assert.deepEqual(Object.fromEntries(found), expected);
  });
}
