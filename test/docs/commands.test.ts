import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseCommandLine } from "../../src/cli/args.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { shell } from "../fixtures/shell.ts";
import { PAGES } from "./pages.ts";

/** The shell scripts of a page; of a `console` block, the lines behind its prompts. */
function scripts(page: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^( *)```(bash|sh|console)\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, indent = "", language, text = ""]) => {
    const lines = text.split("\n").map((line) => line.slice(indent.length));
    if (language !== "console") return lines.join("\n");
    return lines
      .filter((line) => line.startsWith("$ "))
      .map((line) => line.slice(2))
      .join("\n");
  });
}

for (const page of PAGES.filter((name) => scripts(name).length > 0)) {
  test(`every command of ${page} works as shown`, { skip: ON_WINDOWS }, (t) => {
    const reader = shell(t);
    for (const script of scripts(page)) {
      // Deployment puts the workspace here.
      const failed = reader.run(script.replaceAll("/var/lib/vibe", "~/.vibe"));
      assert.equal(failed, undefined, `${page}: ${failed}`);
    }
    const shown =
      scripts(page)
        .join("\n")
        .match(/\bvibe-mcp (?!-)/g)?.length ?? 0;
    if (shown > 0) assert.ok(reader.typed().length > 0);
  });
}

test("every command inside a sentence exists", () => {
  const inline = PAGES.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`(?:npx )?vibe-mcp ([^`…|<[]+)`/g)].map(([, line = ""]) => line),
  );
  assert.ok(inline.length > 20);
  for (const line of new Set(inline)) {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    // `vibe-mcp show` names the command, and not a line to type.
    const typed = words.length === 1 ? [...words, "--help"] : words;
    assert.doesNotThrow(() => parseCommandLine(typed, COMMANDS), line);
  }
});

test("a command that does not work, and an unknown program, are noticed", {
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
