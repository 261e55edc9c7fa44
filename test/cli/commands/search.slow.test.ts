import assert from "node:assert/strict";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("search prints plain text to a pipe, JSON on request, and says if it finds nothing", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "# Title\n\nThe axolotl smiles.\n", "q/b.md": "axolotl" });
  const search = (...words: string[]) => someone.inPipe(["search", ...words]);
  assert.equal(search("axolotl", "--project", "p").stdout, "p/a.md  # Title\n  The axolotl smiles.\n");
  assert.equal(JSON.parse(search("axolotl", "--json").stdout).total_matches, 2);
  assert.match(search("axolotl", "--json").stdout, /The >>>axolotl<<< smiles/);
  const nothing = search("nothing");
  assert.deepEqual([nothing.status, nothing.stdout], [1, ""]);
  assert.match(nothing.stderr, /^Nothing found/);
  const none = search("nothing", "--json");
  assert.deepEqual([none.status, none.stderr, JSON.parse(none.stdout).total_matches], [1, "", 0]);
  const wrong = search("x", "--project", "r");
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^vibe-mcp: Project 'r' does not exist/);
});

test("text above the first heading is printed without a heading", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "The axolotl smiles.\n" });
  assert.equal(someone.inPipe(["search", "axolotl"]).stdout, "p/a.md\n  The axolotl smiles.\n");
});

test("stdout has only results: how many there are, and corrections, go to stderr", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "An axolotl.\n", "p/b.md": "The axolotl.\n" });
  const { stdout, stderr } = someone.inPipe(["search", "axoltol", "--limit", "1"]);
  assert.match(stdout, /^p\/[ab]\.md\n {2}\w+ axolotl\.\n$/);
  assert.equal(stderr, "Searched for: axolotl\n\n\n1 of 2 documents\n");
});

test("a terminal highlights hits; without colours they are plain", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "The axolotl smiles.\n" });
  const shown = someone.onScreen(["search", "axolotl"]).stdout;
  assert.ok(shown.includes("The \u001b[33maxolotl\u001b[39m smiles."), shown);
  const plain = someone.onScreen(["search", "axolotl"], { env: { NO_COLOR: "1" } });
  assert.match(plain.stdout, /The axolotl smiles\./);
});

test("results that hardly match are announced as such, and other words can be searched besides", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "The axolotl smiles.\n", "p/b.md": "A newt smiles.\n" });
  const others = ["heron", "stork", "ibis", "egret", "grebe", "snipe"];
  writeFiles(someone.root, Object.fromEntries(others.map((bird) => [`p/${bird}.md`, `A ${bird} flies.\n`])));
  const search = (...words: string[]) => someone.inPipe(["search", ...words]);
  const weak = search("which", "xylophone", "trombone", "clarinet", "axolotl");
  assert.match(weak.stderr, /^Nothing matches well. Closest:\n/);
  assert.match(weak.stdout, /^p\/a.md/);
  assert.equal(search("axolotl").stderr, "");
  assert.match(search("axolotl", "--also", "newt", "--also", "salamander").stdout, /p\/a.md[\s\S]*p\/b.md/);
});

test("people read a hit without the marks of lists and tables, and JSON keeps them", (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/tasks/001-a.md":
      "# A\n\nStatus: pending\n\n## Steps\n1. [✅] Find axolotls\n2. [ ] Feed them\n3. [/] Name [1] them\n",
    "p/references/b.md": "# B\n\n| animal | food |\n|---|:--:|\n| capybara | grass |\n",
    "p/references/c.md": "# C\n\n- pangolin\n- a - b\n",
  });
  const found = (word: string) => someone.inPipe(["search", word]).stdout.split("\n")[1]?.trim();
  assert.equal(found("axolotls"), "☑ Find axolotls ☐ Feed them 3. [/] Name [1] them");
  assert.match(found("capybara") ?? "", /^animal · food · capybara · grass/);
  assert.equal(found("pangolin"), "pangolin · a · b");
  assert.match(someone.inPipe(["search", "axolotls", "--json"]).stdout, /1\. \[✅\] Find/);
});

test("a search that finds nothing names the tags that exist", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "---\ntags: [birds]\n---\nThe axolotl smiles.\n" });
  assert.match(someone.inPipe(["search", "axolotl", "--tag", "bird"]).stderr, / tag 'bird'; .*birds\./);
});
