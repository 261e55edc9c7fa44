import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that the model makes: a tool's name, and its arguments. */
export type Call = readonly [tool: string, args: Record<string, unknown>];

interface Tool {
  name?: string;
  type?: string;
  description?: string;
  tools?: Tool[];
  functionDeclarations?: Tool[];
}

export interface Body {
  model?: string;
  stream?: boolean;
  tools?: Tool[];
}

export interface Model {
  url: string;
  /** The requests that offered tools, in their order. */
  requests: Body[];
  /** Forgets the requests. */
  clear(): void;
  close(): void;
}

/** A tool as the client offers it; `space` is the name of the group in which it lies. */
interface Offered extends Tool {
  space: string;
}

/** The tools of this server in a request, in whatever form its client sends them. */
export function ourTools({ tools = [] }: Body): Offered[] {
  const all = tools.flatMap((tool) => {
    const inside = tool.functionDeclarations ?? tool.tools ?? [tool];
    return inside.map((one) => ({ ...one, space: tool.tools === undefined ? "" : (tool.name ?? "") }));
  });
  return all.filter(({ space, name }) => /vibe/.test(`${space} ${name}`));
}

/** What each protocol calls the result of a tool. */
const RESULT = /"type":"tool_result"|"type":"function_call_output"|"functionResponse":/g;

/** A model that makes the calls one after the other, as soon as their tools are there, then says a word. `before` runs before each call. */
export async function startModel(calls: readonly Call[], before: (tool: string) => void): Promise<Model> {
  const requests: Body[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text.startsWith("{") ? JSON.parse(text) : {}) as Body;
    if (body.tools !== undefined) requests.push(body);
    const [name, args] = calls[text.match(RESULT)?.length ?? 0] ?? [];
    const tool = ourTools(body).find((one) => one.name?.endsWith(name ?? "-"));
    if (tool !== undefined && name !== undefined) before(name);
    reply(response, request.url ?? "", body, tool && { tool, args: args ?? {} });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    clear: () => void requests.splice(0),
    close: () => void server.close(),
  };
}

interface Made {
  tool: Offered;
  args: Record<string, unknown>;
}

type Event = Record<string, unknown> & { type?: string };

function reply(response: ServerResponse, path: string, body: Body, made: Made | undefined): void {
  const events =
    path.startsWith("/v1/messages") && !path.includes("count_tokens")
      ? messages(body, made)
      : path.includes("/responses")
        ? responses(made)
        : path.includes("enerateContent")
          ? [contents(made)]
          : undefined;
  if (events === undefined) return void response.writeHead(404).end("{}");
  if (body.stream === undefined && !/responses|stream/.test(path)) {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end(JSON.stringify(events.at(-1)));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = events.map((event) => {
    const type = event.type === undefined ? "" : `event: ${event.type}\n`;
    return `${type}data: ${JSON.stringify(event)}\n\n`;
  });
  response.end(lines.join(""));
}

const DONE = "Done.";

/** The Messages API of Anthropic. */
function messages({ model, stream }: Body, made: Made | undefined): Event[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = [{ type: "text", text: DONE }];
  const message = { id: "m", type: "message", role: "assistant", model, usage };
  if (!stream) return [{ ...message, content, stop_reason: "end_turn" }];
  const [block, delta, reason] =
    made === undefined
      ? [{ type: "text", text: "" }, { type: "text_delta", text: DONE }, "end_turn"]
      : [
          { type: "tool_use", id: `t${Math.random()}`, name: made.tool.name, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(made.args) },
          "tool_use",
        ];
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}

/** The Responses API of OpenAI. */
function responses(made: Made | undefined): Event[] {
  const id = `c${Math.random()}`;
  const item =
    made === undefined
      ? { type: "message", id, role: "assistant", content: [{ type: "output_text", text: DONE }] }
      : {
          ...{ type: "function_call", id, call_id: id, name: made.tool.name },
          ...(made.tool.space !== "" && { namespace: made.tool.space }),
          arguments: JSON.stringify(made.args),
        };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: "response.created", response: { id: "r" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r", usage } },
  ];
}

/** The API of Gemini. */
function contents(made: Made | undefined): Event {
  const part =
    made === undefined ? { text: DONE } : { functionCall: { name: made.tool.name, args: made.args } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
