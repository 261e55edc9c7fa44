import { type Fields, fieldsOf, isFields, listOf, stringOf } from "../../core/lib/fields.ts";
import { askedFacts } from "./asked.ts";
import { shellCall } from "./commands.ts";
import { type Call, type Fact, folderFacts, modelFacts, type Outcome, sessionFacts } from "./fact.ts";

export function isClaudeRecord(record: Fields): boolean {
  return stringOf(record["type"]) !== "" && ("sessionId" in record || "leafUuid" in record);
}

/** What else Claude Code keeps of a session. */
const OTHER_KINDS =
  /^(?:system|summary|progress|queue-operation|last-prompt|(?:permission-)?mode|tag|(?:pr|frame)-link|(?:ai|custom)-title|agent-\w+|task-summary|(?:worktree|cost)-state|file-history-\w+|attribution-snapshot|content-replacement|speculation-accept|atis-latch|bridge-session|relocated|continued-in|artifact-[\w-]+|history-suppression|(?:context-collapse|marble-origami)-\w+)$/;

/** What a record of Claude Code says; `unknown` for kinds that are new. */
export function claudeFacts(record: Fields): Fact[] {
  const { type, sessionId, isSidechain } = record;
  const facts = [...sessionFacts(sessionId), ...folderFacts(record)];
  const message = fieldsOf(record["message"]);
  if (type === "assistant") facts.push(...answerFacts(record, message));
  else if (type === "user") facts.push(...(isHidden(record) ? [] : personFacts(message)));
  else if (type === "attachment") facts.push(...queuedFacts(record));
  else if (!OTHER_KINDS.test(stringOf(type))) facts.push({ is: "unknown", kind: stringOf(type) });
  // What a helper of the agent says stays between the two.
  return isSidechain === true ? facts.filter(({ is }) => is !== "asked" && is !== "said") : facts;
}

/** What the client itself adds to a talk. */
function isHidden({ isMeta, isCompactSummary, isVisibleInTranscriptOnly, origin }: Fields): boolean {
  const kind = stringOf(fieldsOf(origin)["kind"]);
  const isMachine = kind !== "" && kind !== "human";
  return isMeta === true || isCompactSummary === true || isVisibleInTranscriptOnly === true || isMachine;
}

/** What the person wrote while the agent worked. */
function queuedFacts(record: Fields): Fact[] {
  const attachment = fieldsOf(record["attachment"]);
  const { type, prompt, commandMode = "prompt" } = attachment;
  const isAsked =
    type === "queued_command" && commandMode === "prompt" && ![record, attachment].some(isHidden);
  return isAsked ? personFacts({ content: prompt }) : [];
}

function personFacts({ content }: Fields): Fact[] {
  if (typeof content === "string") return askedFacts([content]);
  const parts = listOf(content).filter(isFields);
  const results = parts.filter(({ type }) => type === "tool_result").map(answered);
  const texts = parts.filter(({ type }) => type === "text").map(({ text }) => stringOf(text));
  return [...results, ...askedFacts(texts)];
}

function answered({ tool_use_id, is_error, content }: Fields): Fact {
  return {
    is: "answered",
    id: stringOf(tool_use_id),
    outcome: is_error === true ? failure(content) : "done",
  };
}

/** A person or a hook may have refused a call. */
function failure(content: unknown): Outcome {
  const [part] = listOf(content);
  const text = typeof content === "string" ? content : stringOf(fieldsOf(part)["text"]);
  return /^(?:The user doesn't want|\[Request interrupted|<tool_use_error>|Permission )/.test(text)
    ? "refused"
    : "failed";
}

function answerFacts(record: Fields, { id, model, content, usage }: Fields): Fact[] {
  const facts = stringOf(model).startsWith("<") ? [] : modelFacts(model);
  const isApiError = record["isApiErrorMessage"] === true;
  for (const part of listOf(content).filter(isFields)) {
    if (part["type"] === "tool_use")
      facts.push({ is: "called", id: stringOf(part["id"]), call: callOf(part) });
    else if (part["type"] !== "text") facts.push(...unknownPart(stringOf(part["type"])));
    else if (!isApiError) facts.push({ is: "said", text: stringOf(part["text"]) });
  }
  if (isFields(usage)) facts.push({ is: "used", message: stringOf(id), tokens: tokensOf(usage) });
  return facts;
}

/** Besides texts and calls, an answer has thoughts, and what ran at the provider. */
function unknownPart(type: string): Fact[] {
  const isKnown =
    /^(?:(?:redacted_)?thinking|(?:server|mcp)_tool_use|\w+_tool_result|image|document|fallback)$/.test(type);
  return isKnown ? [] : [{ is: "unknown", kind: `assistant/${type}` }];
}

function tokensOf(usage: Fields) {
  const count = (name: string) => Number(usage[`${name}_tokens`]) || 0;
  const cached = count("cache_read_input");
  return { input: count("input") + count("cache_creation_input") + cached, cached, output: count("output") };
}

const MCP_TOOL = /^mcp__.+__([a-z_]+)$/;

function callOf({ name, input }: Fields): Call {
  const given = fieldsOf(input);
  const tool = stringOf(name);
  const path = stringOf(given["file_path"]) || stringOf(given["notebook_path"]);
  if (tool === "Bash" || tool === "PowerShell") return shellCall(stringOf(given["command"]));
  if (tool === "Read") return { reads: path };
  if (/^(?:Write|Edit|MultiEdit|NotebookEdit)$/.test(tool)) return { files: [path] };
  const [, own] = MCP_TOOL.exec(tool) ?? [];
  return own === undefined ? {} : { tool: own, input: given };
}
