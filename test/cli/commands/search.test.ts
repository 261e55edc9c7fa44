import assert from "node:assert/strict";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("search prints plain text to a pipe, JSON on request, and says if it finds nothing", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "# Title\n\nThe axolotl smiles.\n", "q/b.md": "axolotl" });
  const search = (...words: string[]) => someone.inPipe(["search", ...words]);
  assert.equal(
    search("axolotl", "--project", "p").stdout,
    "p/a.md  # Title\n  The >>>axolotl<<< smiles.\n\n",
  );
  assert.equal(JSON.parse(search("axolotl", "--json").stdout).total_matches, 2);
  assert.match(search("nothing").stdout, /^Nothing found/);
  const wrong = search("x", "--project", "r");
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^vibe-mcp: Project 'r' does not exist/);
});

test("text above the first heading is printed without a heading", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "The axolotl smiles.\n" });
  assert.equal(someone.inPipe(["search", "axolotl"]).stdout, "p/a.md\n  The >>>axolotl<<< smiles.\n\n");
});

test("results that hardly match are announced as such, and other words can be searched besides", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "The axolotl smiles.\n", "p/b.md": "A newt.\n" });
  const search = (...words: string[]) => someone.inPipe(["search", ...words]).stdout;
  assert.match(
    search("which", "xylophone", "trombone", "clarinet", "axolotl"),
    /^Nothing matches well. Closest:\n\np\/a.md/,
  );
  assert.doesNotMatch(search("axolotl"), /Closest/);
  assert.match(search("axolotl", "--also", "newt", "--also", "salamander"), /p\/a.md[\s\S]*p\/b.md/);
});
