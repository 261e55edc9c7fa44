import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readQueries } from "../../scripts/quality/queries.ts";
import { UsageError } from "../../src/core/config/options.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const DOCUMENT = "shop/tasks/001-login.md";

function written(t: TestContext, lines: unknown[]): { root: string; file: string } {
  const root = makeWorkspace(t, { [DOCUMENT]: "# Login\n\nUse a bearer token.\n" });
  const file = join(temporaryFolder(t), "queries.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n"));
  return { root, file };
}

test("a line is read with what it leaves out filled in", (t) => {
  const { root, file } = written(t, [
    { id: "link-en-007", query: "login", relevant: [DOCUMENT], ignore: ["shop/gone.md"], lang: "en" },
    "",
    { class: "typo", query: "logni", relevant: [DOCUMENT] },
    { query: "token", relevant: [DOCUMENT] },
  ]);
  assert.deepEqual(readQueries(file, root), [
    { id: "link-en-007", class: "link-en", query: "login", relevant: [DOCUMENT], ignore: ["shop/gone.md"] },
    { id: "3", class: "typo", query: "logni", relevant: [DOCUMENT], ignore: [] },
    { id: "4", class: "all", query: "token", relevant: [DOCUMENT], ignore: [] },
  ]);
});

const good = { query: "login", relevant: [DOCUMENT] };
const wrongLines: [string, unknown, RegExp][] = [
  ["no JSON", "{", /:2: not a JSON object$/],
  ["a list", [], /:2: not a JSON object$/],
  ["no query", { relevant: [DOCUMENT] }, /:2: "query" must be a string$/],
  ["an empty query", { ...good, query: " " }, /:2: "query" must be a string$/],
  ["no right answer", { ...good, relevant: [] }, /:2: "relevant" must be a list of paths$/],
  ["a number as a path", { ...good, relevant: [1] }, /:2: "relevant" must be a list of paths$/],
  ["a text to ignore", { ...good, ignore: DOCUMENT }, /:2: "ignore" must be a list of paths$/],
  ["an unknown document", { ...good, relevant: ["shop/none.md"] }, /:2: no such document .* shop\/none\.md$/],
];
for (const [what, line, message] of wrongLines) {
  test(`${what} is refused with its line`, (t) => {
    const { root, file } = written(t, [good, line]);
    assert.throws(
      () => readQueries(file, root),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}

test("a file that cannot be read is refused by its option", (t) => {
  const root = temporaryFolder(t);
  assert.throws(
    () => readQueries(join(root, "none.jsonl"), root),
    /--queries cannot be read: .*none\.jsonl$/,
  );
});
