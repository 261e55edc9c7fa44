import assert from "node:assert/strict";
import { test } from "node:test";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("an unknown argument is refused with the nearest known name", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const error = await fail("search", { qeury: "x", query: "x" });
  assert.equal(error.code, "INVALID_ARGUMENT");
  assert.match(error.message, /Did you mean 'query'\?/);
  for (const sent of ['{"query": "x", "__proto__": {"a": 1}}', '{"query": "x", "constructor": 1}']) {
    const { code, message } = await fail("search", JSON.parse(sent));
    assert.equal(code, "INVALID_ARGUMENT");
    assert.match(message, /^'(?:__proto__|constructor)' is not an argument of search/);
  }
});

test("a missing argument, a wrong type and an unknown tool answer in the envelope", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const cases = [
    ["search", {}, /'query' is missing/],
    ["search", { query: 5 }, /'query'/],
    ["search", { query: "x", limit: 0 }, /'limit'/],
    ["search", { query: "x", limit: 1.5 }, /'limit'/],
    ["read_doc", { project: "p", folder: "", filename: ["a"] }, /'filename'/],
    ["serach", {}, /has no tool 'serach'/],
  ] as const;
  for (const [name, args, message] of cases) {
    const error = await fail(name, args);
    assert.equal(error.code, "INVALID_ARGUMENT", name);
    assert.match(error.message, message);
  }
});

test("a misspelled argument is reported before a missing one", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const task = { project: "p", title: "x", objective: "y" };
  const cases = [
    ["search", { qury: "x" }, /'qury' is not an argument.*Did you mean 'query'/],
    [
      "update_task_status",
      { project: "p", task: "1", new_status: "done" },
      /'new_status'.*Did you mean 'status'/,
    ],
    ["update_task_status", { project: "p", task: "1" }, /'status' is missing/],
    ["create_task", { ...task, context: { deps: [] } }, /It takes: related_files, dependencies/],
    ["search", { query: ["x"] }, /'query' must be a string/],
    ["search", { query: "x", limit: 1000 }, /'limit' must be 100 or less/],
    [
      "update_doc",
      { project: "p", folder: "", filename: "a", content: "x", mode: "add" },
      /one of: replace, append/,
    ],
  ] as const;
  for (const [name, args, message] of cases) assert.match((await fail(name, args)).message, message);
});

test("arguments that are not an object answer in the envelope too", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  for (const wrong of [[1], "x", 5]) {
    const params = { name: "search", arguments: wrong as unknown as Record<string, unknown> };
    const result = await client.request({ method: "tools/call", params }, CallToolResultSchema);
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /INVALID_ARGUMENT.*must be a JSON object/);
  }
});
