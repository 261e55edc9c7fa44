import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromNpm } from "../../scripts/from-npm.ts";
import { IS_PUBLISHED } from "../../src/core/config/published.ts";
import { setProjectBlock } from "../../src/core/notes/project/block.ts";
import { CLIENTS } from "../../src/setup/clients/table.ts";
import { PAGES } from "./pages.ts";

const PAGE = readFileSync("docs/clients.md", "utf8");
const NPX = { command: "npx", args: ["-y", "vibe-mcp"] };

function link(title: string): URL {
  const address = new RegExp(`\\[${title}\\]\\((\\S+)\\)`).exec(fromNpm(true))?.[1] ?? "";
  const url = new URL(address);
  assert.equal(url.searchParams.get("name"), "vibe");
  return url;
}

test("the one-click links decode to the configuration that connect writes for npx", () => {
  const cursor = Buffer.from(link("Cursor").searchParams.get("config") ?? "", "base64").toString();
  assert.deepEqual(JSON.parse(cursor), NPX);
  const vscode = CLIENTS.find(({ name }) => name === "vscode");
  assert.deepEqual(JSON.parse(link("VS Code").searchParams.get("config") ?? ""), vscode?.stdio(NPX));
});

test("no page has a reader take the package from npm before it is there", { skip: IS_PUBLISHED }, () => {
  const naming = PAGES.filter((page) => page !== "CHANGELOG.md").filter((page) =>
    /npx (?:-y )?vibe-mcp|"-y", "vibe-mcp"|npm i(?:nstall)? (?:-g|--global) vibe-mcp\b|mcp\/install/.test(
      readFileSync(page, "utf8"),
    ),
  );
  assert.deepEqual(naming, []);
});

test("the FAQ shows the block that init writes", () => {
  assert.ok(readFileSync("docs/faq.md", "utf8").includes(setProjectBlock("", "my-api")));
});

test("the page names every client with its settings", () => {
  for (const { name, title, folderFile } of CLIENTS) {
    const row = PAGE.split("\n").find(
      (line) => line.includes(`\`${name}\``) && line.startsWith(`| ${title}`),
    );
    assert.ok(row, name);
    assert.equal(row.includes("--here"), folderFile !== undefined, name);
    if (folderFile !== undefined) assert.ok(row.includes(`\`${folderFile}\``), name);
  }
});
