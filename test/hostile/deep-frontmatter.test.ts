import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { builtFile } from "../fixtures/built.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const nested = (open: string, close: string, depth: number) =>
  `a: ${open.repeat(depth)}${close.repeat(depth)}`;
const bomb = [
  "a0: &a0 [x,x]",
  ...Array.from({ length: 60 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]`),
];

/** Frontmatter, and what the log and `doctor` say about it. */
const BLOCKS: Record<string, [yaml: string, problem: RegExp]> = {
  "deep lists": [nested("[", "]", 30_000), /is not valid YAML \(line 2\)/],
  "deep mappings": [nested("{a: ", "}", 10_000), /is not valid YAML \(line 2\)/],
  "deep indentation": [
    Array.from({ length: 300 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
    /is not valid YAML/,
  ],
  "deep items": [`a:\n  ${"- ".repeat(20_000)}b`, /is not valid YAML \(line 3\)/],
  "aliases of aliases": [bomb.join("\n"), /is not valid YAML/],
  "a list in itself": ["a: &a [*a]", /contains itself/],
  "megabytes of fields": [
    Array.from({ length: 200_000 }, (_, n) => `k${n}: v`).join("\n"),
    /is longer than 64 KB/,
  ],
};

test("frontmatter too deep or too large to read is kept, and named in a warning", async (t) => {
  const entries = Object.entries(BLOCKS).map(([name, [yaml]], n) => {
    return [`p/notes/${n}.md`, `---\n${yaml}\n---\n# ${name}\n\nbilby${n} here\n`];
  });
  const root = makeWorkspace(t, Object.fromEntries(entries));
  const server = await serve(t, root);
  const { total_matches } = await server.call<{ total_matches: number }>("search", { query: "here" });
  assert.equal(total_matches, entries.length);
  for (const [n, [name, [, problem]]] of Object.entries(BLOCKS).entries()) {
    const path = `p/notes/${n}.md`;
    const { results } = await server.call<{ results: { path: string }[] }>("search", { query: `bilby${n}` });
    assert.equal(results[0]?.path, path, name);
    const warnings = server.logged().filter((line) => line.includes(`warn: ${path}: `));
    assert.equal(warnings.length, 1, name);
    assert.match(warnings[0] ?? "", problem, name);
    const file = { project: "p", folder: "notes", filename: `${n}.md` };
    const { metadata } = await server.call<{ metadata: { tags: string[] } }>("read_doc", file);
    assert.deepEqual(metadata.tags, [], name);
    const { code } = await server.fail("update_doc", { ...file, frontmatter: { a: 1, a60: 1, k9: 1 } });
    assert.equal(code, "INVALID_ARGUMENT", name);
  }
  const args = [builtFile(t), "doctor", "--root", root, "--json"];
  const env = { PATH: process.env["PATH"], HOME: temporaryFolder(t) };
  const report = execFileSync(process.execPath, args, { encoding: "utf8", env });
  for (const [n, [name, [, problem]]] of Object.entries(BLOCKS).entries())
    assert.match(report, new RegExp(`p/notes/${n}\\.md: The frontmatter ${problem.source}`), name);
});

test("fields that nest without end are refused", async (t) => {
  const root = makeWorkspace(t, { "p/notes/a.md": "text" });
  const { fail, client } = await serve(t, root);
  const file = { project: "p", folder: "notes", filename: "a.md" };
  for (const depth of [30, 1000]) {
    let value: unknown = "x";
    for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value };
    const { code, message } = await fail("update_doc", { ...file, frontmatter: { value } });
    assert.equal(code, "INVALID_ARGUMENT");
    assert.match(message, /'value' cannot be written/);
  }
  await client.ping();
});
