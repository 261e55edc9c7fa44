import { type Fields, fieldsOf, isFields, listOf, stringOf } from "../../core/lib/fields.ts";
import { askedFacts } from "./asked.ts";
import { shellCall } from "./commands.ts";
import { type Call, type Fact, modelFacts, type Outcome } from "./fact.ts";

/** What the client shows. */
const OTHER_KINDS = /^(?:info|error|warning)$/;

export function isGeminiRecord({ id, projectHash, sessionId, type, $set }: Fields): boolean {
  const isNamed = stringOf(projectHash) !== "" && stringOf(sessionId) !== "";
  return isNamed || isFields($set) || (type === "gemini" && stringOf(id) !== "");
}

/**
 * Says what each record of Gemini CLI says; `unknown` for kinds that are new. It writes a message again when its calls are answered,
 * and all of them when it shortens the talk: each counts once.
 */
export function geminiReader(): (record: Fields) => Fact[] {
  const known = new Set<string>();
  const isNew = (name: string) => !known.has(name) && known.add(name) !== undefined;
  const messageFacts = (message: Fields): Fact[] => {
    if (message["type"] === "user") return isNew(stringOf(message["id"])) ? personFacts(message) : [];
    if (message["type"] === "gemini") return answerFacts(message, isNew);
    const kind = stringOf(message["type"]) || (Object.keys(message)[0] ?? "");
    return OTHER_KINDS.test(kind) ? [] : [{ is: "unknown", kind }];
  };
  return (record) => {
    const messages = listOf(record["messages"] ?? fieldsOf(record["$set"])["messages"]);
    return [
      ...headFacts(record),
      ...headFacts(fieldsOf(record["$set"])),
      ...(isHead(record) ? [] : messageFacts(record)),
      ...messages.filter(isFields).flatMap(messageFacts),
    ];
  };
}

/** What stands for the whole session, and changes of it. */
function isHead(record: Fields): boolean {
  return stringOf(record["projectHash"]) !== "" || "$set" in record || "$rewindTo" in record;
}

function headFacts({ sessionId, projectHash, kind, directories }: Fields): Fact[] {
  const folder = stringOf(listOf(directories)[0]);
  const facts: Fact[] = folder === "" ? [] : [{ is: "folder", folder }];
  if (stringOf(projectHash) === "") return facts;
  facts.push({ is: "session", id: stringOf(sessionId) });
  return kind === "subagent" ? [...facts, { is: "helper" }] : facts;
}

/** The client itself says in the name of the person where it runs. */
const FOLDER = /^- \*\*Workspace Directories:\*\*\n {2}- (.{1,1000})$/m;

/** What the person saw of a message has no files that it named in it. */
function personFacts({ content: sent, displayContent }: Fields): Fact[] {
  const content = displayContent ?? sent;
  const parts = typeof content === "string" ? [content] : listOf(content).map(textOf);
  const [, folder] = FOLDER.exec(parts.find((text) => text.startsWith("<session_context>")) ?? "") ?? [];
  if (folder !== undefined) return [{ is: "folder", folder }];
  return askedFacts(parts);
}

function textOf(part: unknown): string {
  return stringOf(fieldsOf(part)["text"]);
}

function answerFacts(message: Fields, isNew: (name: string) => boolean): Fact[] {
  const { id, model, tokens, content, toolCalls } = message;
  const facts = modelFacts(model);
  if (isFields(tokens)) facts.push({ is: "used", message: stringOf(id), tokens: tokensOf(tokens) });
  const text = typeof content === "string" ? content : listOf(content).map(textOf).join("");
  if (text !== "" && isNew(`said ${stringOf(id)}`)) facts.push({ is: "said", text });
  for (const call of listOf(toolCalls).filter(isFields)) {
    const [id, outcome] = [stringOf(call["id"]), outcomeOf(call)];
    if (outcome === undefined || !isNew(`called ${id}`)) continue;
    facts.push({ is: "called", id, call: callOf(call) }, { is: "answered", id, outcome });
  }
  return facts;
}

function tokensOf(tokens: Fields) {
  const count = (name: string) => Number(tokens[name]) || 0;
  return {
    input: count("input") + count("tool"),
    cached: count("cached"),
    output: count("output") + count("thoughts"),
  };
}

/** `mcp_vibe_claim_task`; older versions wrote `vibe__claim_task`. */
const MCP_TOOL = /^(?:mcp_+)?[^_]+_+([a-z][a-z_]*)$/;
const OWN_TOOLS =
  /^(?:read_|write_|list_|run_|google_|web_|save_|search_|enter_|exit_|ask_|activate_|invoke_|update_topic|grep_)/;

function callOf({ name, args }: Fields): Call {
  const input = fieldsOf(args);
  const tool = stringOf(name);
  const path = stringOf(input["file_path"]) || stringOf(input["absolute_path"]);
  if (tool === "run_shell_command") return shellCall(stringOf(input["command"]));
  if (tool === "read_file") return { reads: path };
  if (tool === "write_file" || tool === "replace") return { files: [path] };
  const [, own] = OWN_TOOLS.test(tool) ? [] : (MCP_TOOL.exec(tool) ?? []);
  return own === undefined ? {} : { tool: own, input };
}

const EXIT = /^Exit Code: (-?\d{1,10})\s*$/m;

/** Undefined as long as the call runs. */
function outcomeOf({ status, result }: Fields): Outcome | undefined {
  if (status === "cancelled") return "refused";
  if (status === "error") return "failed";
  if (status !== "success") return undefined;
  const { response } = fieldsOf(fieldsOf(listOf(result)[0])["functionResponse"]);
  // What the command printed stands before it.
  const [, code] = EXIT.exec(stringOf(fieldsOf(response)["output"]).slice(-400)) ?? [];
  return Number(code ?? 0) === 0 ? "done" : "failed";
}
