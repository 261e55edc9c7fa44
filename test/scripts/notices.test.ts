import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { notices } from "../../scripts/notices.ts";

const words = (text: string) =>
  text
    .replaceAll(/^\/\/ ?/gm, "")
    .replaceAll("©", "(c)")
    .replaceAll(/\s+/g, " ")
    .trim();

test("the built file contains the licences of everything that is bundled", () => {
  const built = readFileSync("dist/vibe-mcp.cjs", "utf8");
  const end = words(built.slice(built.indexOf("\n// @atlaskit/")));
  for (const name of [
    "@modelcontextprotocol/core",
    "@modelcontextprotocol/server",
    "ansi-regex",
    "diff",
    "get-east-asian-width",
    "js-yaml",
    "jsonc-parser",
    "smol-toml",
    "string-width",
    "strip-ansi",
    "zod",
  ]) {
    const folder = join("node_modules", name);
    const file = readdirSync(folder).find((one) => /^license/i.test(one)) ?? "";
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    const [owner = "", ...terms] = readFileSync(join(folder, file), "utf8").split(
      /^(?=Permission is hereby)/m,
    );
    assert.ok(end.includes(`${name} ${version}`), name);
    for (const part of [owner, ...terms]) assert.ok(end.includes(words(part)), name);
  }
  for (const part of [
    "@sqlite.org/sqlite-wasm 3",
    "SQLite is in the public domain",
    "END OF TERMS AND CONDITIONS",
  ])
    assert.ok(end.includes(part), part);
  assert.doesNotMatch(built, /[^\0-\x7f]/);
});

test("a package without a licence text cannot be bundled", () => {
  assert.throws(
    () => notices(["node_modules/@sqlite.org/sqlite-wasm/dist/index.mjs"]),
    /has no licence text/,
  );
});
