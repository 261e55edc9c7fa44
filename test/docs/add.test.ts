import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const PAGE = readFileSync("docs/contributing/add.md", "utf8");
const BOARD = readFileSync("docs/contributing/board.md", "utf8");

/** The text under a heading of the page. */
function section(heading: string): string {
  return PAGE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);
}

/** The files below a folder that hold a pattern. */
function filesWith(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter(
      (name) => /\.(?:tsx?|json)$/.test(name) && pattern.test(readFileSync(`${folder}/${name}`, "utf8")),
    );
}

test("the files of a status are those that say something of the newest one", () => {
  const list = section("A status").split("The compiler finds")[0] ?? "";
  assert.deepEqual(namesIn(list).sort(), filesWith("src", /^\s.*\breview"?: [{"]/m).sort());
});

test("the table of commands has each that calls no tool", () => {
  const rows = section("A command").split("|---|---|")[1] ?? "";
  const calling = filesWith("src/cli/commands", /\bcallTool\(/);
  const all = readdirSync("src/cli/commands").filter((name) => name.endsWith(".ts"));
  const others = all.filter((name) => !calling.includes(name)).map((name) => name.replace(".ts", ""));
  assert.deepEqual(namesIn(rows).sort(), others.sort());
});

test("the page on the board names what lies in its house", () => {
  const house = namesIn(BOARD.split("## Its state")[0] ?? "");
  const folders = readdirSync("src/board/views").map((name) => `${name}/`);
  assert.deepEqual(
    folders.filter((name) => !house.includes(name)),
    [],
  );
});
