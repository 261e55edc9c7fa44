import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { entriesBelow } from "../../../src/core/storage/list.ts";
import { connectHttp, type Served, send, serveHttp } from "../../fixtures/http.ts";
import { connectModernHttp } from "../../fixtures/modern.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const TOKENS = { all: "a".repeat(40), bob: "b".repeat(40), page: "c".repeat(40), none: "d".repeat(40) };
/** Stands only in the hidden project, whose name no answer has unless it was asked for. */
const WORD = "quokkabeere";
const HIDDEN = "kelpfarm";

const FILES = {
  "top.md": `# ${WORD}\n`,
  [`${HIDDEN}/status.md`]: `---\ntags: [${WORD}]\n---\n# Status\n\n${WORD}\n\n## Decisions\n\n- 2026-11-01: ${WORD}\n`,
  [`${HIDDEN}/tasks/001-a.md`]: `# Task: ${WORD}\n\nStatus: pending\n`,
  [`${HIDDEN}/tasks/002-${WORD}.md`]: "# Task: B\n\nStatus: in-progress\n",
  [`${HIDDEN}/plans/execution-plan.md`]: `# ${WORD}\n`,
  [`${HIDDEN}/plans/plan-b.md`]: `# ${WORD}\n\n[[1]] [[goals]]\n`,
  [`${HIDDEN}/sessions/2026-11-01-${WORD}.md`]: `# ${WORD}\n\n## Next\n\n- ${WORD}\n`,
  [`${HIDDEN}/${WORD}/x.md`]: "# X\n",
  [`${HIDDEN}/assets/p.svg`]: `<svg xmlns="http://www.w3.org/2000/svg"><text>${WORD}</text></svg>`,
  "docs/status.md": "# Docs\n\n[[plan-b]] [[execution-plan]] [[top]]\n",
  "docs/references/goals.md": "# Goals\n",
  "docs/tasks/001-b.md": "# Task: B\n\nStatus: pending\n\n## Dependencies\n\n- [[plan-b]]\n",
};

type Calls = Record<string, unknown>[];
interface Property {
  type?: string;
  enum?: string[];
}
interface Schema {
  properties?: Record<string, object> | undefined;
  required?: string[] | undefined;
}

/** A value for each argument, by its name or else by its type. */
function argumentsOf({ properties = {}, required = [] }: Schema, values: Record<string, unknown>) {
  const of = (name: string, { type, enum: choices }: Property) => {
    if (values[name] !== undefined) return type === "array" ? [values[name]].flat() : values[name];
    if (!required.includes(name)) return undefined;
    const plain = { array: ["x"], integer: 1, number: 1, boolean: true, object: {} };
    return choices?.[0] ?? plain[type as keyof typeof plain] ?? "x";
  };
  const entries = Object.entries(properties).map(([name, one]) => [name, of(name, one as Property)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** Every request that a client can make, with arguments that name the hidden project, another one, or none. */
function requestsOf(
  tools: { name: string; inputSchema: Schema }[],
  prompts: { name: string }[],
  change: string,
) {
  const within = (project: string, path: string) => ({ project, path, task: "1", tasks: ["1"], change });
  const naming: Calls = [
    {
      ...within(HIDDEN, `${HIDDEN}/tasks/001-a.md`),
      folder: "tasks",
      filename: "001-a.md",
      to_project: "docs",
    },
    { path: `${HIDDEN}/plans/plan-b.md`, to_project: HIDDEN, change, query: `${HIDDEN}*` },
    { path: "top.md", project: ".", here: `/home/ana/${HIDDEN}`, task: `${HIDDEN}/tasks/001-a.md` },
  ];
  const others: Calls = [
    {},
    { ...within("docs", "docs/status.md"), query: "quokkabeer*", agent: "shared" },
    { path: "status.md", query: "quokkabere", tag: "no", status: "pending", owner: "me", limit: 100 },
  ];
  const of = (calls: Calls) => [
    ...tools.flatMap(({ name, inputSchema }) =>
      calls.map((values) => ({
        method: "tools/call",
        params: { name, arguments: argumentsOf(inputSchema, values) },
      })),
    ),
    ...prompts.flatMap(({ name }) =>
      calls.map(({ project }) => ({
        method: "prompts/get",
        params: { name, arguments: project ? { project } : {} },
      })),
    ),
  ];
  const read = (uri: string) => ({ method: "resources/read", params: { uri } });
  const complete = (uri: string, name: string, context: Record<string, string> = {}) => ({
    method: "completion/complete",
    params: {
      ref: { type: "ref/resource", uri },
      argument: { name, value: "" },
      context: { arguments: context },
    },
  });
  const template = "vibe://projects/{name}/{folder}/{+file}";
  return {
    naming: [
      ...of(naming),
      ...["", "/tasks/001-a.md", "/assets/p.svg", "/plans/plan-b.md"].map((end) =>
        read(`vibe://projects/${HIDDEN}${end}`),
      ),
      { method: "resources/subscribe", params: { uri: `vibe://projects/${HIDDEN}` } },
      complete(template, "file", { name: HIDDEN }),
      complete(template, "folder", { name: HIDDEN }),
    ],
    others: [
      ...of(others),
      read("vibe://projects"),
      read("vibe://projects/docs"),
      ...["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map((method) => ({
        method,
        params: {},
      })),
      ...["name", "folder", "file"].map((name) => complete(template, name)),
      ...prompts.map(({ name }) => ({
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name }, argument: { name: "project", value: "" } },
      })),
    ],
  };
}

type Requests = ReturnType<typeof requestsOf>["others"];

type Ask = (request: Requests[number]) => Promise<unknown>;

/** The answers, errors too, as they came. */
async function answersOf(ask: Ask, requests: Requests): Promise<string[]> {
  const answers: string[] = [];
  for (const request of requests) {
    const problem = (error: Error & { data?: unknown }) => `${error.message} ${JSON.stringify(error.data)}`;
    const answer = await ask(request).catch(problem);
    answers.push(`${request.method} ${JSON.stringify(request.params)} → ${JSON.stringify(answer)}`);
  }
  return answers;
}

const afterArrow = (answer: string) => answer.slice(answer.indexOf(" → "));
const has = (word: string) => (answer: string) => afterArrow(answer).includes(word);

function filesOf(root: string): string {
  const paths = [HIDDEN, "top.md"].flatMap((path) =>
    path.includes(".") ? [path] : entriesBelow(root, path).files,
  );
  return JSON.stringify(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

const ROUTES = [
  "/",
  "/health",
  "/login",
  "/example",
  `/picture?project=${HIDDEN}&name=a.svg`,
  "/sse/x",
  "/messages",
];

async function routesOf(server: Served, token: string): Promise<string[]> {
  const answers = ROUTES.flatMap((path) =>
    ["GET", "POST"].map(async (method) => {
      const body =
        method === "POST" ? { body: FILES[`${HIDDEN}/assets/p.svg`]?.replace(WORD, "") ?? "" } : {};
      const response = await send(server, { path, method, token, ...body });
      return `${method} ${path} → ${response.status} ${path === "/" ? "" : await response.text()}`;
    }),
  );
  return Promise.all(answers);
}

test("of a project that a token does not see, no answer of any tool, resource or route has a word", async (t) => {
  const root = makeWorkspace(t, FILES);
  const file = join(temporaryFolder(t), "tokens");
  const lines = [
    `all ${TOKENS.all}`,
    `bob ${TOKENS.bob} docs,"no such",d?cs`,
    `person page ${TOKENS.page} do*`,
    `none ${TOKENS.none} e`,
  ];
  writeFileSync(file, lines.join("\n"), { mode: 0o600 });
  const server = await serveHttp(t, ["--root", root, "--token-file", file, "--project", HIDDEN], {});
  const all = await connectHttp(t, server, { token: TOKENS.all });
  const { change } = await all.call<{ change: string }>("move_doc", {
    path: `${HIDDEN}/tasks/002-${WORD}.md`,
    to_filename: `003-${WORD}.md`,
  });
  await all.call("claim_task", { project: HIDDEN, task: "1", agent: "shared" });
  await all.call("update_doc", { path: `${HIDDEN}/plans/plan-b.md`, content: "x", mode: "append" });
  // News for the agent that has the task.
  appendFileSync(join(root, HIDDEN, "tasks/001-a.md"), `\n## Notes\n\n- 2026-11-28, cy: ${WORD}\n`);
  const before = filesOf(root);
  const { tools } = await all.client.listTools();
  const { prompts } = await all.client.listPrompts();
  const requests = requestsOf(tools, prompts, change);
  const asks =
    (client: Client): Ask =>
    (request) =>
      client.request(request as never, ResultSchema);
  const bob = await connectHttp(t, server, { token: TOKENS.bob });
  const page = await connectHttp(t, server, { token: TOKENS.page, sse: true });
  const { client: modern } = await connectModernHttp(t, server, { token: TOKENS.bob });
  const told = [bob, page].map(({ client }) => client.getInstructions() ?? "");
  assert.deepEqual(
    told.filter((text) => text.includes(HIDDEN) || !text.includes("docs")),
    [],
  );
  const some = ({ others, naming }: ReturnType<typeof requestsOf>) => ({
    others: others.filter((_, at) => at % 4 === 0),
    naming: naming.filter((_, at) => at % 4 === 1),
  });
  const walks: [Ask, ReturnType<typeof requestsOf>][] = [
    [asks(bob.client), requests],
    // Another transport is another way to the same tools.
    [asks(page.client), some(requests)],
    [async (one) => modern.request(one as never), some(requests)],
  ];
  for (const [ask, { others, naming }] of walks) {
    const answers = await answersOf(ask, others);
    assert.deepEqual(
      answers.filter((answer) => has(WORD)(answer) || has(HIDDEN)(answer)),
      [],
    );
    assert.deepEqual((await answersOf(ask, naming)).filter(has(WORD)), []);
  }
  for (const token of [TOKENS.bob, TOKENS.page])
    assert.deepEqual((await routesOf(server, token)).filter(has(WORD)), []);
  const none = await connectHttp(t, server, { token: TOKENS.none });
  await assert.rejects(none.call("init_project", { project: "mine" }), /has no tool/);
  assert.equal((await send(server, { path: "/example", method: "POST", token: TOKENS.none })).status, 403);
  assert.equal(filesOf(root), before, "and no change reaches it");
  const known = await answersOf(asks(all.client), [...requests.others, ...requests.naming]);
  assert.ok(known.filter(has(WORD)).length > 30, "whoever sees it gets them");
});
