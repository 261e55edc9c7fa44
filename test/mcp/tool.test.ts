import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { selectTools } from "../../src/core/mcp/tool.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../src/core/mcp/vault/all.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("each tool has a test file of its name", () => {
  for (const folder of ["tools", "vault"]) {
    const sources = readdirSync(`src/core/mcp/${folder}`).filter((name) =>
      /= define(?:Project)?Tool\(\{/.test(readFileSync(`src/core/mcp/${folder}/${name}`, "utf8")),
    );
    const tests = sources.map((name) => `test/mcp/${folder}/${name.replace(".ts", ".test.ts")}`);
    assert.ok(sources.length >= 5, folder);
    assert.deepEqual(
      tests.filter((file) => !existsSync(file)),
      [],
    );
  }
});

/** Parameters that need no description: each would cost its tokens in every session. */
const CLEAR_NAMES = [
  "project",
  "title",
  "objective",
  "steps",
  "acceptance_criteria",
  "context",
  "notes",
  "status",
  "owner",
  "priority",
  "query",
  "archived",
  "tag",
  "tags",
  "dependencies",
  "open_steps",
  "done_criteria",
  "open_criteria",
  "agent",
  "note",
  "limit",
  "offset",
  "minutes",
  "max_tokens",
  "include_content",
  "parent",
];

test("names, descriptions and parameters follow the rules", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z0-9_]{1,40}$/);
    assert.ok((tool.description ?? "").length <= 500, `${tool.name}: description`);
    assert.ok(tool.title, `${tool.name}: title`);
    for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      const isClear = CLEAR_NAMES.includes(name);
      assert.ok(isClear || "description" in schema, `${tool.name}.${name}: described`);
    }
  }
  const access = new Map([...allTools, ...vaultTools].map((tool) => [tool.name as string, tool.access]));
  for (const { name, annotations } of tools) {
    assert.equal(annotations?.readOnlyHint, access.get(name) === "read", name);
  }
});

interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
}

const TYPES = ["string", "integer", "number", "boolean", "array", "object"];
const isObject = ({ type }: Schema) => type === "object";

/** What each model takes of a schema; one that it does not take makes every request with the tool an error. */
const ACCEPTED: Record<string, { keywords?: string[]; rules: Record<string, (part: Schema) => boolean> }> = {
  // Schema in the reference of the Gemini API; `anyOf` is there, but not beside other keywords, and hosts spoil it.
  Gemini: {
    keywords: [
      ...["type", "format", "title", "description", "enum", "default", "properties", "required", "items"],
      ...["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "pattern"],
    ],
    rules: {
      "one type": ({ type }) => TYPES.includes(`${type}`) && !Array.isArray(type),
      "texts as choices": ({ enum: values, type }) =>
        values === undefined || (type === "string" && values.every((value) => typeof value === "string")),
      "fields only for an object": (part) => isObject(part) || !("properties" in part || "required" in part),
      "items only for a list": ({ type, items }) => (items !== undefined) === (type === "array"),
      "fields that exist": ({ required = [], properties = {} }) =>
        required.every((name) => Object.hasOwn(properties, name)),
    },
  },
  OpenAI: {
    rules: {
      "fields for an object": (part) => !isObject(part) || part.properties !== undefined,
      "items for a list": ({ type, items }) => type !== "array" || items !== undefined,
    },
  },
  Anthropic: {
    rules: {
      "plain names": ({ properties = {} }) =>
        Object.keys(properties).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
    },
  },
};

/** A schema and all in it, by their places. */
function* partsOf(schema: Schema, place: string): Generator<[place: string, part: Schema]> {
  yield [place, schema];
  if (schema.items !== undefined) yield* partsOf(schema.items, `${place}[]`);
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    yield* partsOf(part, `${place}.${name}`);
}

function refusals(model: string, schema: Schema, place: string): string[] {
  const { keywords, rules } = ACCEPTED[model] ?? { rules: {} };
  return [...partsOf(schema, place)].flatMap(([at, part]) => [
    ...Object.keys(part)
      .filter((key) => keywords?.includes(key) === false)
      .map((key) => `${model} knows no ${key}: ${at}`),
    ...Object.entries(rules)
      .filter(([, holds]) => !holds(part))
      .map(([rule]) => `${model} wants ${rule}: ${at}`),
  ]);
}

for (const settings of [
  {},
  ...["core", "read", "write", "vault"].map((tools) => ({ tools })),
  { readOnly: true },
  { api: "v1" as const },
])
  test(`every model takes the input schemas of the tools: ${JSON.stringify(settings)}`, async (t) => {
    const { client } = await connect(t, makeWorkspace(t, {}), settings);
    const { tools } = await client.listTools();
    assert.ok(tools.length >= 5);
    const found = tools.flatMap(({ name, inputSchema }) =>
      Object.keys(ACCEPTED).flatMap((model) => refusals(model, inputSchema as Schema, name)),
    );
    assert.deepEqual(found, []);
    // Gemini takes no object in an argument without a field.
    const nested = tools.flatMap(({ name, inputSchema }) =>
      [...partsOf(inputSchema as Schema, name)].slice(1),
    );
    const bare = nested.filter(
      ([, part]) => isObject(part) && Object.keys(part.properties ?? {}).length === 0,
    );
    assert.deepEqual(bare, []);
  });

test("tools whose answers can be long ask clients to show up to 100,000 characters", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  const long = tools.filter(({ _meta }) => _meta?.["anthropic/maxResultSizeChars"] === 100_000);
  assert.deepEqual(
    long.map(({ name }) => name),
    ["read_doc", "list_tasks", "get_plan", "list_projects", "get_briefing"],
  );
});

test("clients that load tools on demand get four from the start, and a hint for each of the others", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  const first = tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true);
  assert.deepEqual(
    first.map(({ name }) => name),
    ["search", "list_tasks", "get_briefing", "claim_task"],
  );
  const hints = tools
    .filter((tool) => !first.includes(tool))
    .map(({ _meta }) => _meta?.["anthropic/searchHint"]);
  assert.equal(new Set(hints).size, tools.length - first.length);
  for (const hint of hints) assert.match(`${hint}`, /^[a-z ,]{8,40}$/);
});

test("tools cost at most 3,700 tokens, instructions at most 2,000 characters", async (t) => {
  const projects = Array.from({ length: 300 }, (_, n) => [`a-long-project-name-${n}/`, ""]);
  const { client } = await connect(t, makeWorkspace(t, Object.fromEntries(projects)));
  const { tools } = await client.listTools();
  const cost = tools.map(
    ({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema),
  );
  assert.ok(cost.join("").length / 4 <= 3700);
  assert.deepEqual(
    tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name),
    ["search", "read_doc", "list_tasks", "get_briefing", "claim_task"],
  );
  const text = client.getInstructions() ?? "";
  assert.ok(text.length <= 2000);
  const [, shown = "", more = ""] = /Projects: (.*), and (\d+) more: list_projects\.$/.exec(text) ?? [];
  assert.equal(shown.split(", ").length + Number(more), 300);
});

test("VIBE_TOOLS picks tools by name and group, core within 1,320 tokens", async (t) => {
  const names = async (tools: string) => {
    const { client } = await connect(t, makeWorkspace(t, {}), { tools });
    return (await client.listTools()).tools;
  };
  const core = await names("core");
  assert.deepEqual(core.map(({ name }) => name).sort(), [
    "claim_task",
    "create_task",
    "list_tasks",
    "log_session",
    "read_doc",
    "search",
    "update_task",
    "update_task_status",
  ]);
  const cost = core.map(
    ({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema),
  );
  assert.ok(cost.join("").length / 4 <= 1320, `${cost.join("").length / 4}`);
  const picked = await names("get_plan, READ");
  assert.ok(picked.length > 1 && picked.every(({ annotations }) => annotations?.readOnlyHint));
  for (const wrong of ["", "serach", "core,,read", "constructor"]) {
    assert.throws(() => selectTools(allTools, wrong), /--tools/);
  }
  const { call } = await connect(t, makeWorkspace(t, {}), { tools: "read" });
  await assert.rejects(call("create_task"), { code: -32602 });
});

test("a read-only server neither lists nor runs tools that write", async (t) => {
  const { client, fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }), { readOnly: true });
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
    [],
  );
  assert.equal((await fail("reindex")).code, "READ_ONLY");
});
