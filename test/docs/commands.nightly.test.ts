import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseCommandLine } from "../../src/cli/args.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { eachNight } from "../fixtures/num-runs.ts";
import { shell } from "../fixtures/shell.ts";
import { PAGES, scriptsOf } from "./pages.ts";

// A translation has the commands of its README, which `links.test.ts` compares.
const pages = PAGES.filter((name) => scriptsOf(name).length > 0 && !/^README\.\w+\.md$/.test(name));

/** By day its lines are read as the program reads them, and tests of its commands run those. */
const LONGEST = "docs/cli.md";

for (const page of pages) {
  const skip = ON_WINDOWS || (page === LONGEST && eachNight);
  test(`every command of ${page} works as shown`, { skip }, (t) => {
    const reader = shell(t);
    // Git is a stand-in here: it has no history.
    for (const script of scriptsOf(page).filter((one) => !one.startsWith("vibe-mcp stale"))) {
      // The deployment pages put the workspace there.
      const failed = reader.run(script.replaceAll("/var/lib/vibe", "~/.vibe"));
      assert.equal(failed, undefined, `${page}: ${failed}`);
    }
    const shown =
      scriptsOf(page)
        .join("\n")
        .match(/\bvibe-mcp (?!-)/g)?.length ?? 0;
    if (shown > 0) assert.ok(reader.typed().length > 0);
  });
}

test("every command inside a sentence and on a line exists", () => {
  const inline = [...PAGES, "skills/vibe/SKILL.md"].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`(?:npx )?vibe-mcp ([^`…|<[]+)`/g)].map(([, line = ""]) => line),
  );
  const shown = scriptsOf(LONGEST).flatMap((script) =>
    [...script.matchAll(/^vibe-mcp (?!-)([^|>&;#$\\\n]+)$/gm)].map(([, line = ""]) => line.trim()),
  );
  assert.ok(inline.length > 20 && shown.length > 20, `${inline.length} ${shown.length}`);
  for (const line of new Set([...inline, ...shown])) {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    // `vibe-mcp show` names the command; it is not a line to type.
    const typed = words.length === 1 ? [...words, "--help"] : words;
    assert.doesNotThrow(() => parseCommandLine(typed, COMMANDS), line);
  }
});

test("a wrong command and an unknown program fail", {
  skip: ON_WINDOWS,
}, (t) => {
  const reader = shell(t);
  for (const wrong of [
    "vibe-mcp serch x",
    "vibe-mcp tasks --redy",
    "npm run chek",
    "npx other",
    "unheard-of x",
    "npm run chek && npm ci",
  ])
    assert.notEqual(reader.run(`${wrong}\ntrue`), undefined, wrong);
  assert.equal(reader.run("vibe-mcp tasks --ready && npm run check && docker compose up | cat"), undefined);
});
