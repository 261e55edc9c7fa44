import { type Fields, fieldsOf, isFields, listOf, parseFields, stringOf } from "../lib/fields.ts";
import { askedFacts } from "./asked.ts";
import { patchedFiles } from "./commands.ts";
import type { Call, Fact, Outcome, Tokens } from "./fact.ts";
import { shellCall } from "./shell-call.ts";

const KINDS =
  /^(?:session_meta|response_item|event_msg|turn_context|compacted|world_state|token_usage_record)$/;

/** Whether a record is one of Codex's. */
export function isCodexRecord(record: Fields): boolean {
  return KINDS.test(stringOf(record["type"])) && isFields(record["payload"]);
}

/** What a record of Codex says; nothing for kinds that are unknown. */
export function codexFacts(record: Fields): Fact[] {
  const payload = fieldsOf(record["payload"]);
  switch (record["type"]) {
    case "session_meta":
      return sessionFacts(payload);
    case "turn_context":
      return [...folderFact(payload), ...textFact("model", payload["model"])];
    case "response_item":
      return itemFacts(payload);
    case "event_msg":
      return payload["type"] === "token_count" ? totalFact(fieldsOf(payload["info"])) : [];
    default:
      return [];
  }
}

function sessionFacts(payload: Fields): Fact[] {
  const { id, source } = payload;
  const isHelper = (isFields(source) && "subagent" in source) || payload["thread_source"] === "subagent";
  const session: Fact[] = [{ is: "session", id: stringOf(id) }, ...folderFact(payload)];
  return isHelper ? [...session, { is: "helper" }] : session;
}

function folderFact({ cwd }: Fields): Fact[] {
  return stringOf(cwd) === "" ? [] : [{ is: "folder", folder: stringOf(cwd) }];
}

function textFact(is: "model", model: unknown): Fact[] {
  return stringOf(model) === "" ? [] : [{ is, model: stringOf(model) }];
}

function totalFact({ total_token_usage: total }: Fields): Fact[] {
  if (!isFields(total)) return [];
  const count = (name: string) => Number(total[`${name}_tokens`]) || 0;
  const tokens: Tokens = {
    input: count("input"),
    cached: count("cached_input"),
    output: count("output"),
  };
  return [{ is: "total", tokens }];
}

function itemFacts(item: Fields): Fact[] {
  const id = stringOf(item["call_id"]);
  switch (item["type"]) {
    case "message":
      return messageFacts(item);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return [{ is: "called", id, call: callOf(item) }];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ is: "answered", id, outcome: outcomeOf(item["output"]) }];
    default:
      return [];
  }
}

function messageFacts({ role, content }: Fields): Fact[] {
  const texts = listOf(content)
    .filter(isFields)
    .filter(({ type }) => type === "input_text" || type === "output_text")
    .map(({ text }) => stringOf(text));
  if (role === "assistant") return [{ is: "said", text: texts.join("\n") }];
  return role === "user" ? askedFacts(texts) : [];
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

/** A patch that is an argument of a function. */
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
  const text = stringOf(fields === undefined ? output : (fields["content"] ?? fields["output"]));
  if (fields?.["success"] === false) return "failed";
  if (/^(?:unsupported |aborted|exec command rejected|rejected by user)/i.test(text)) return "refused";
  const old = text.startsWith("{") ? parseFields(text) : undefined;
  const code =
    old === undefined ? EXIT.exec(text.slice(0, 400))?.[1] : fieldsOf(old["metadata"])["exit_code"];
  const hasFailed =
    (code !== undefined && Number(code) !== 0) || /^apply_patch verification failed/.test(text);
  return hasFailed ? "failed" : "done";
}
