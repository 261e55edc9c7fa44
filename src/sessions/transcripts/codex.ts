import { type Fields, fieldsOf, isFields, listOf, parseFields, stringOf } from "../../core/lib/fields.ts";
import { askedFacts } from "./asked.ts";
import { patchedFiles, shellCall } from "./commands.ts";
import { type Call, type Fact, folderFacts, modelFacts, type Outcome, sessionFacts } from "./fact.ts";

const KINDS =
  /^(?:session_meta|response_item|event_msg|turn_context|compacted|world_state|token_usage_record)$/;

export function isCodexRecord(record: Fields): boolean {
  return KINDS.test(stringOf(record["type"])) && isFields(record["payload"]);
}

/** What else Codex keeps: what it works with, and what it shows on the way. */
const OTHER_KINDS = new RegExp(
  `^(?:${[
    "compacted|world_state|token_usage_record",
    "response_item/(?:reasoning|(?:web_search|image_generation|tool_search)_(?:call|output)|ghost_snapshot|compaction\\w*|context_compaction|agent_message|other)",
    "event_msg/(?:task|turn|plan|thread|agent_reasoning|context|stream|background|session|collab|sub_agent|hook|guardian|realtime|undo|request|elicitation|skills?|mcp_(?:startup|list)|web_search|view_image|image_generation|dynamic_tool|list|get|model|shutdown|deprecation|entered|exited|terminal|raw_response)_\\w+",
    "event_msg/(?:warning|error|item_started|(?:exec_command|patch_apply|mcp_tool_call)_(?:begin|output_delta))",
    "event_msg/item_completed/(?:FunctionCallOutput|Extension|EnteredReviewMode|ExitedReviewMode|HookPrompt|Plan|Reasoning|DynamicToolCall|CollabAgentToolCall|SubAgentActivity|WebSearch|ImageView|Sleep|ImageGeneration|ContextCompaction)",
  ].join("|")})$`,
);

/** Says what each record of Codex says; `unknown` for kinds that are new. */
export function codexReader(): (record: Fields) => Fact[] {
  /** How many calls a program makes, by its own. */
  const programs = new Map<string, number>();
  /** Messages stand twice, as items and as events: whose items were seen. */
  const told = new Set<Fact["is"]>();
  return (record) => {
    const payload = fieldsOf(record["payload"]);
    switch (record["type"]) {
      case "session_meta":
        return startFacts(payload);
      case "turn_context":
        return [...folderFacts(payload), ...modelFacts(payload["model"])];
      case "response_item": {
        const facts = itemFacts(payload, programs) ?? unknownFact(record, payload);
        for (const { is } of facts) told.add(is);
        return facts;
      }
      case "event_msg":
        return eventFacts(record, payload).filter(
          ({ is }) => (is !== "asked" && is !== "said") || !told.has(is),
        );
      default:
        return unknownFact(record);
    }
  };
}

function unknownFact({ type }: Fields, ...inner: readonly Fields[]): Fact[] {
  const kind = [type, ...inner.map((one) => one["type"])].map(stringOf).join("/");
  return OTHER_KINDS.test(kind) ? [] : [{ is: "unknown", kind }];
}

/** What ran, as events say it. */
function eventFacts(record: Fields, event: Fields): Fact[] {
  const { type, item: completed } = event;
  const item = fieldsOf(completed);
  const id = stringOf(item["id"]) || stringOf(event["call_id"]);
  const ran = (call: Call, ...said: unknown[]): Fact[] => [
    { is: "called", id, call },
    { is: "answered", id, outcome: saidOutcome(said) },
  ];
  switch (type === "item_completed" ? item["type"] : type) {
    case "token_count":
      return totalFact(fieldsOf(event["info"]));
    case "user_message":
      return askedFacts([stringOf(event["message"])]);
    case "agent_message":
      return [{ is: "said", text: stringOf(event["message"]) }];
    case "UserMessage":
      return askedFacts(textsOf(item["content"]));
    case "AgentMessage":
      return [{ is: "said", text: textsOf(item["content"]).join("\n") }];
    case "CommandExecution":
      return ran(shellCall(shellLine(item["command"])), item["status"], item["exit_code"]);
    case "exec_command_end":
      return ran(shellCall(shellLine(event["command"])), event["exit_code"]);
    case "FileChange":
      return ran({ files: changedIn(item["changes"]) }, item["status"]);
    case "patch_apply_end":
      return ran({ files: changedIn(event["changes"]) }, event["success"]);
    case "McpToolCall":
      return ran({ tool: stringOf(item["tool"]), input: fieldsOf(item["arguments"]) }, item["status"]);
    case "mcp_tool_call_end": {
      const { tool, arguments: input } = fieldsOf(event["invocation"]);
      return ran({ tool: stringOf(tool), input: fieldsOf(input) }, !("Err" in fieldsOf(event["result"])));
    }
    default:
      return unknownFact(record, event, ...(completed === undefined ? [] : [item]));
  }
}

/** From words, exit codes and a yes. */
function saidOutcome(said: readonly unknown[]): Outcome {
  if (said.some((one) => /^(?:declined|rejected|cancell?ed)$/i.test(stringOf(one)))) return "refused";
  const isFailure = (one: unknown) =>
    one === false || one === "failed" || (typeof one === "number" && one !== 0);
  return said.some(isFailure) ? "failed" : "done";
}

/** Paths with what becomes of each, or a list of both. */
function changedIn(changes: unknown): string[] {
  const listed = listOf(changes).map((one) => stringOf(fieldsOf(one)["path"]));
  const named = Object.entries(fieldsOf(changes)).flatMap(([path, change]) => [
    path,
    ...Object.values(fieldsOf(change)).map((one) => stringOf(fieldsOf(one)["move_path"])),
  ]);
  return [...listed, ...named].filter(Boolean);
}

function startFacts(payload: Fields): Fact[] {
  const { id, source } = payload;
  const isHelper = (isFields(source) && "subagent" in source) || payload["thread_source"] === "subagent";
  return [...sessionFacts(id), ...folderFacts(payload), ...(isHelper ? [{ is: "helper" } as const] : [])];
}

function totalFact({ total_token_usage: total }: Fields): Fact[] {
  if (!isFields(total)) return [];
  const count = (name: string) => Number(total[`${name}_tokens`]) || 0;
  const tokens = { input: count("input"), cached: count("cached_input"), output: count("output") };
  return [{ is: "total", tokens }];
}

function itemFacts(item: Fields, programs: Map<string, number>): Fact[] | undefined {
  const id = stringOf(item["call_id"]);
  switch (item["type"]) {
    case "message":
      return messageFacts(item);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const calls =
        item["name"] === "exec" ? programCalls(stringOf(item["input"]) || patchIn(item)) : [callOf(item)];
      programs.set(id, calls.length);
      return calls.map((call, at) => ({ is: "called", id: `${id} ${at}`, call }));
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const outcome = outcomeOf(item["output"]);
      const count = programs.get(id) ?? 0;
      programs.delete(id);
      return Array.from({ length: count }, (_, at) => ({ is: "answered", id: `${id} ${at}`, outcome }));
    }
    default:
      return undefined;
  }
}

function messageFacts({ role, content }: Fields): Fact[] {
  const texts = textsOf(content);
  if (role === "assistant") return [{ is: "said", text: texts.join("\n") }];
  return role === "user" ? askedFacts(texts) : [];
}

function textsOf(content: unknown): string[] {
  return listOf(content).map((part) => stringOf(fieldsOf(part)["text"]));
}

const LITERAL = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`(?:\\[\s\S]|[^`\\])*`/.source;
const COMMAND = new RegExp(`["']?\\b(?:cmd|command)["']?\\s{0,5}:\\s{0,5}(${LITERAL})`);

/** What a small program calls, as far as its text says it. */
function programCalls(program: string): Call[] {
  const starts = [...program.slice(0, MAX_PROGRAM).matchAll(/\btools\.(\w{1,200})\s{0,5}\(/g)];
  const calls = starts.map(({ 1: name = "", index }, at): Call => {
    const text = program.slice(index, starts[at + 1]?.index);
    if (/^(?:exec_command|shell_command|shell)$/.test(name))
      return shellCall(unquoted(COMMAND.exec(text)?.[1] ?? ""));
    if (!name.startsWith("mcp__")) return {};
    const json = /\{[^{}]*\}/.exec(text)?.[0].replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":') ?? "";
    return { tool: name.split("__").at(-1) ?? "", input: parseFields(json) ?? {} };
  });
  const files = patchedFiles(program.replaceAll("\\n", "\n"));
  return files.length === 0 ? calls : [...calls, { files }];
}

const MAX_PROGRAM = 100_000;
const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

/** The text of a literal. */
function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(/\\([\s\S])/g, (_, one: string) => ESCAPES[one] ?? one);
}

function callOf(item: Fields): Call {
  const name = stringOf(item["name"]);
  if (item["type"] === "local_shell_call") return shellCall(shellLine(fieldsOf(item["action"])["command"]));
  if (name === "apply_patch") return { files: patchedFiles(stringOf(item["input"]) || patchIn(item)) };
  const given = parseFields(stringOf(item["arguments"])) ?? {};
  if (/^(?:shell|shell_command|exec_command|container\.exec|local_shell)$/.test(name))
    return shellCall(shellLine(given["cmd"] ?? given["command"]));
  const isServer = /__|^mcp/.test(stringOf(item["namespace"])) || name.includes("__");
  return isServer ? { tool: name.split("__").at(-1) ?? "", input: given } : {};
}

/** A patch or a program that is an argument of a function. */
function patchIn(item: Fields): string {
  return stringOf(parseFields(stringOf(item["arguments"]))?.["input"]);
}

/** `bash -lc "npm test"` as a list, or one text. */
function shellLine(command: unknown): string {
  if (typeof command === "string") return command;
  const words = listOf(command).map(stringOf);
  const isShell = words.length === 3 && /^-[a-z]*c$/.test(words[1] ?? "");
  return isShell ? (words[2] ?? "") : words.join(" ");
}

const EXIT = /^(?:Process exited with code|Exit code:) (-?\d{1,10})\s*$/m;

/** The first lines of an output say how the call ended; older versions wrote JSON. */
function outcomeOf(output: unknown): Outcome {
  const fields = isFields(output) ? output : undefined;
  const said = fields === undefined ? output : (fields["content"] ?? fields["output"]);
  const text = Array.isArray(said) ? textsOf(said).join("\n") : stringOf(said);
  if (fields?.["success"] === false) return "failed";
  if (/^(?:unsupported |aborted|exec command rejected|rejected by user)/i.test(text)) return "refused";
  const old = text.startsWith("{") ? parseFields(text) : undefined;
  const code =
    old === undefined ? EXIT.exec(text.slice(0, 400))?.[1] : fieldsOf(old["metadata"])["exit_code"];
  const hasFailed =
    (code !== undefined && Number(code) !== 0) || /^apply_patch verification failed/.test(text);
  return hasFailed ? "failed" : "done";
}
