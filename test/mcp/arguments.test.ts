import assert from "node:assert/strict";
import { test } from "node:test";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { apiV1 } from "../../src/core/mcp/api-v1/api.ts";
import { parseArguments } from "../../src/core/mcp/arguments.ts";
import type { Tool } from "../../src/core/mcp/tool.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../src/core/mcp/vault/all.ts";
import { assertTells } from "../fixtures/tells.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("an unknown argument is refused with the nearest known name", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const error = await fail("search", { qeury: "x", query: "x" });
  assert.equal(error.code, "INVALID_ARGUMENT");
  assert.match(error.message, /Did you mean 'query'\?/);
});

test("a missing argument and a wrong type answer in the envelope, an unknown tool in the protocol", async (t) => {
  const { client, fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const cases = [
    ["search", {}, /'query' is missing/],
    ["search", { query: "x", limit: 0 }, /'limit'/],
    ["read_doc", { project: "p", folder: "", filename: ["a"] }, /'filename'/],
  ] as const;
  for (const [name, args, message] of cases) {
    const error = await fail(name, args);
    assert.equal(error.code, "INVALID_ARGUMENT", name);
    assert.match(error.message, message);
  }
  const unknown = client.callTool({ name: "serach", arguments: {} });
  await assert.rejects(unknown, { code: -32602, message: /has no tool 'serach'\. It has: search, / });
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
    ["create_task", { ...task, context: { deps: [] } }, /create_task takes: related_files, dependencies/],
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
    assert.match(JSON.stringify(result.content), /INVALID_ARGUMENT.*JSON object/);
  }
});

test("another tool that has the argument is named before an argument that is hardly alike", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\nStatus: pending" }));
  const status = await fail("update_task", { project: "p", task: "1", status: "done" });
  assert.match(status.message, /Did you mean update_task_status, which has 'status'\?/);
  assert.deepEqual(status.details["suggestions"], ["update_task_status"]);
  const state = await fail("update_task", { project: "p", task: "1", state: "done" });
  assert.deepEqual(state.details["suggestions"], ["update_task_status"]);
  const misspelled = await fail("update_task", { project: "p", task: "1", tag: ["a"] });
  assert.match(misspelled.message, /Did you mean 'tags'\?/);
});

test("a read-only server suggests no tool that writes", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }), { readOnly: true });
  assert.doesNotMatch((await fail("list_tasks", { content: "x" })).message, /create_doc|update_doc/);
});

test("numbers may come as text, in lists too", async (t) => {
  const steps = "# Task: A\nStatus: pending\n\n## Steps\n- [ ] one\n- [ ] two\n";
  const { call, fail } = await connect(t, makeWorkspace(t, { "p/tasks/001-a.md": steps, "p/b.md": "# B" }));
  assert.equal((await call("list_projects", { project: "p", limit: "5", offset: " 0 " })).name, "p");
  const { progress } = await call("update_task", { project: "p", task: "1", done_steps: ["2", 1] });
  assert.deepEqual(progress, { done: 2, total: 2 });
  assertTells((await fail("search", { query: "x", limit: "0" })).message, ["limit", "1"]);
  for (const limit of ["five", "1.5", "0x10", "true", "[5]"])
    assert.match((await fail("search", { query: "x", limit })).message, /'limit' must be a/, limit);
});

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  minimum?: number;
}

/** A value that fits a schema as clients see it. */
function sample({ enum: values, type, items, properties, minimum, anyOf: [first] = [] }: Schema): unknown {
  if (first !== undefined) return sample(first);
  if (values !== undefined) return values[0];
  const [kind] = [type].flat();
  if (kind === "array") return items === undefined ? [] : [sample(items)];
  if (kind === "object") return samples(properties ?? {});
  return kind === "integer" || kind === "number"
    ? Math.max(1, minimum ?? 1)
    : kind === "boolean"
      ? true
      : "2026-01-31";
}

function samples(properties: Record<string, Schema>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sample(schema)]));
}

function argumentsOf(tool: Tool): { properties: Record<string, Schema>; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: "input" });
  return { properties: properties as Record<string, Schema>, required };
}

for (const tool of [...allTools, ...vaultTools, ...apiV1.tools] as readonly Tool[])
  test(`${tool.name} takes each argument in every form that clients send`, () => {
    const { properties, required } = argumentsOf(tool);
    const parse = (args: unknown) => parseArguments(tool, args);
    const full = samples(properties);
    const least = Object.fromEntries(Object.entries(full).filter(([name]) => required.includes(name)));
    assert.deepEqual(parse(JSON.stringify(full)), parse(full));
    for (const [name, schema] of Object.entries(properties)) {
      const value = full[name];
      const with_ = (form: unknown) => ({ ...least, [name]: form });
      if (schema.enum?.includes(true)) {
        assert.throws(() => parse(with_("true")), { code: "invalid_parameter" });
        continue;
      }
      if (typeof value !== "string")
        for (const form of [JSON.stringify(value), ` ${JSON.stringify(value)}\n`])
          assert.deepEqual(parse(with_(form)), parse(with_(value)), `${name}: ${form}`);
      if (value === true) assert.deepEqual(parse(with_("True")), parse(with_(true)), name);
      if (Array.isArray(value)) assert.deepEqual(parse(with_("[]")), parse(with_([])), name);
      if (required.includes(name) || schema.description?.includes('""')) continue;
      assert.deepEqual(parse(with_("")), parse(least), `${name}: empty`);
    }
    const isNullable = ({ type, anyOf }: Schema) => anyOf !== undefined || [type].flat().includes("null");
    const plain = Object.keys(properties).filter((name) => !isNullable(properties[name] ?? {}));
    const nothing = [...plain, "unknown"].map((name) => [name, null]);
    assert.deepEqual(parse({ ...Object.fromEntries(nothing), ...least }), parse(least));
  });

test("nested arguments come in the same forms, and a text stays a text", () => {
  const [create, status, doc] = ["create_task", "update_task_status", "create_doc"].map((name) =>
    allTools.find((tool) => tool.name === name),
  ) as [Tool, Tool, Tool];
  const task = { project: "p", title: "[1]", objective: "true" };
  const context = { related_files: '["a"]', dependencies: "" };
  const numbered = { ...task, context: { dependencies: "[3]" } };
  assert.deepEqual(parseArguments(create, numbered), {
    ...(parseArguments(create, task) as object),
    context: { dependencies: ["3"] },
  });
  for (const folder of ["tasks", "./tasks", "tasks/", "./tasks/"])
    assert.deepEqual(parseArguments(doc, { folder, content: "" }), { folder: "tasks", content: "" });
  assert.deepEqual(parseArguments(doc, { folder: ".", content: "" }), { folder: "", content: "" });
  assert.deepEqual(parseArguments(create, { ...task, context, due: "", priority: "" }), {
    ...(parseArguments(create, task) as object),
    context: { related_files: ["a"] },
  });
  const note = '{"not": "an object"}';
  assert.deepEqual(parseArguments(status, { project: "p", task: 1, status: "done", note }), {
    ...{ project: "p", task: "1", status: "done", note },
  });
  const content = { project: "p", folder: "", filename: "a", content: "" };
  assert.deepEqual(parseArguments(doc, content), content);
  const half = { ...task, steps: '["\\ud83d"]' };
  assert.throws(() => parseArguments(create, half), /'steps' holds half of a character/);
  for (const wrong of ['{"a": 1}', "['a', 'b']", "null", " \n "])
    assert.throws(() => parseArguments(create, { ...task, steps: wrong }), /'steps' must be an array/, wrong);
});

/** What one text gives for a list: as its argument is, an item a line, or also between commas. */
const TEXTS_FOR_LISTS: [tool: string, argument: string, text: unknown, list: unknown[]][] = [
  ["create_task", "tags", "api", ["api"]],
  ["create_task", "tags", "api, web、db", ["api", "web", "db"]],
  ["create_task", "tags", '"api, 2026"', ["api", "2026"]],
  ["create_task", "tags", "2026", ["2026"]],
  ["create_task", "steps", "Write the form, then test it", ["Write the form, then test it"]],
  ["create_task", "steps", "[ ] one\n[x] two", ["[ ] one", "[x] two"]],
  ["create_task", "acceptance_criteria", "- works, always\n- is fast", ["works, always", "is fast"]],
  ["update_task", "dependencies", "[[001-a]]\nWrite, then test", ["[[001-a]]", "Write, then test"]],
  ["update_task", "done_steps", "1, 2", [1, 2]],
  ["archive_tasks", "tasks", "001, 002-b.md", ["001", "002-b.md"]],
  ["search", "also", "token, rate limit", ["token", "rate limit"]],
];

test("one text where a list is meant is taken as its argument is", () => {
  const tools = [...allTools, ...apiV1.tools] as readonly Tool[];
  const required = { project: "p", title: "t", objective: "o", task: "1", query: "q" };
  for (const [name, argument, text, list] of TEXTS_FOR_LISTS) {
    const tool = tools.find((one) => one.name === name) as Tool;
    const { properties } = argumentsOf(tool);
    const own = Object.fromEntries(Object.entries(required).filter(([key]) => key in properties));
    const args = parseArguments(tool, { ...own, [argument]: text }) as Record<string, unknown>;
    assert.deepEqual(args[argument], list, `${name}.${argument}: ${text}`);
  }
  const one = allTools.find((tool) => tool.name === "list_tasks") as Tool;
  assert.throws(() => parseArguments(one, { status: "pending,blocked" }), /Use one of/);
});

test("half of a character is refused in every text that is written, with its place", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const { fail } = await connect(t, root);
  const half = "one \ud83d two";
  const cases = [
    [
      "create_doc",
      { project: "p", folder: "", filename: "b.md", content: half },
      "content",
      "INVALID_ARGUMENT",
    ],
    [
      "create_doc",
      { project: "p", folder: "", filename: "b.md", content: "x", frontmatter: { title: half } },
      "frontmatter",
      "INVALID_ARGUMENT",
    ],
    [
      "create_task",
      { project: "p", title: "a", objective: "b", steps: ["c", half] },
      "steps",
      "INVALID_ARGUMENT",
    ],
    ["log_session", { project: "p", content: half }, "content", "INVALID_ARGUMENT"],
    ["vault_create", { path: "p/c.md", content: half }, "content", "invalid_parameter"],
  ] as const;
  for (const [name, args, argument, code] of cases) {
    const error = await fail(name, args);
    assert.equal(error.code, code, name);
    assertTells(error.message, [`'${argument}'`, "half", "4 characters"]);
    assert.doesNotMatch(error.message, /\p{Cs}/u);
  }
});
