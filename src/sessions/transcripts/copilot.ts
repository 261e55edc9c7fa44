import { type Fields, fieldsOf, isFields, stringOf } from "../../core/lib/fields.ts";
import { askedFacts } from "./asked.ts";
import { patchedFiles, shellCall } from "./commands.ts";
import {
  type Call,
  type Fact,
  folderFacts,
  modelFacts,
  type Outcome,
  sessionFacts,
  type Tokens,
} from "./fact.ts";

const KINDS = /^(?:session|user|assistant|tool|system|subagent|skill|hook)\.[a-z_]+$/;

export function isCopilotRecord(record: Fields): boolean {
  return KINDS.test(stringOf(record["type"])) && isFields(record["data"]) && "parentId" in record;
}

/** What else Copilot CLI keeps of a session. */
const OTHER_KINDS =
  /^(?:abort|(?:session|assistant|system|subagent|skill|hook|permission|external_tool|mcp|elicitation|commands?|capabilities|sampling|user_input|exit_plan_mode|pending_messages|model)\.[a-z_]+|tool\.(?:user_requested|execution_(?:partial_result|progress)))$/;

/** Says what each record of Copilot CLI says; `unknown` for kinds that are new. */
export function copilotReader(): (record: Fields) => Fact[] {
  let isCounted = false;
  return (record) => {
    const data = fieldsOf(record["data"]);
    if (record["type"] === "session.usage_record") {
      isCounted = true;
      return [usedFact(record, fieldsOf(data["usage"]))];
    }
    // Versions that count no single answer sum up at the end.
    if (record["type"] === "session.shutdown") return isCounted ? [] : totalFact(data);
    return factsOf(record, data);
  };
}

function factsOf(record: Fields, data: Fields): Fact[] {
  const isHelper = stringOf(record["agentId"]) !== "" || stringOf(data["parentToolCallId"]) !== "";
  switch (record["type"]) {
    case "session.start":
    case "session.resume":
      return startFacts(data);
    case "user.message":
      return isHelper ? [] : askedFact(data);
    case "assistant.message":
      return answerFacts(data, isHelper);
    case "tool.execution_start":
      return [{ is: "called", id: stringOf(data["toolCallId"]), call: callOf(data) }];
    case "session.context_changed":
      return folderFacts(data);
    case "session.workspace_file_changed": {
      const id = stringOf(record["id"]);
      return [
        { is: "called", id, call: { files: [stringOf(data["path"])] } },
        { is: "answered", id, outcome: "done" },
      ];
    }
    case "tool.execution_complete":
      return [{ is: "answered", id: stringOf(data["toolCallId"]), outcome: outcomeOf(data) }];
    default: {
      const kind = stringOf(record["type"]);
      return OTHER_KINDS.test(kind) ? [] : [{ is: "unknown", kind }];
    }
  }
}

function startFacts(data: Fields): Fact[] {
  const isHelper = stringOf(data["detachedFromSpawningParentSessionId"]) !== "";
  return [
    ...sessionFacts(data["sessionId"]),
    ...folderFacts(fieldsOf(data["context"])),
    ...(isHelper ? [{ is: "helper" } as const] : []),
  ];
}

/** Messages of skills, other agents and the client itself name their source. */
function askedFact({ content, source, isAutopilotContinuation }: Fields): Fact[] {
  const isMachine = isAutopilotContinuation === true || !/^(?:user)?$/.test(stringOf(source));
  return isMachine ? [] : askedFacts([stringOf(content)]);
}

function answerFacts({ model, content }: Fields, isHelper: boolean): Fact[] {
  return [...modelFacts(model), ...(isHelper ? [] : [{ is: "said", text: stringOf(content) } as const])];
}

function usedFact(record: Fields, usage: Fields): Fact {
  const message = stringOf(fieldsOf(usage["accounting"])["usageId"]) || stringOf(record["id"]);
  return { is: "used", message, tokens: tokensOf(usage) };
}

function totalFact({ modelMetrics }: Fields): Fact[] {
  const counts = Object.values(fieldsOf(modelMetrics)).map((one) =>
    tokensOf(fieldsOf(fieldsOf(one)["usage"])),
  );
  const sum = (key: keyof Tokens) => counts.reduce((total, one) => total + one[key], 0);
  const tokens = { input: sum("input"), cached: sum("cached"), output: sum("output") };
  return counts.length === 0 ? [] : [{ is: "total", tokens }];
}

function tokensOf(usage: Fields): Tokens {
  const count = (name: string) => Number(usage[`${name}Tokens`]) || 0;
  return { input: count("input"), cached: count("cacheRead"), output: count("output") };
}

function callOf({ toolName, mcpToolName, arguments: given }: Fields): Call {
  const input = fieldsOf(given);
  const name = stringOf(toolName);
  const path = stringOf(input["path"]);
  if (stringOf(mcpToolName) !== "") return { tool: stringOf(mcpToolName), input };
  if (/^(?:bash|powershell|shell|local_shell)$/.test(name)) return shellCall(stringOf(input["command"]));
  if (name === "view") return { reads: path };
  if (name === "apply_patch") return { files: patchedFiles(stringOf(given) || stringOf(input["input"])) };
  return /^(?:create|edit|str_replace_editor)$/.test(name) ? { files: [path] } : {};
}

const EXIT = /with exit code (-?\d{1,10})>\s*$/;

function outcomeOf({ success, shellExecution, result, error }: Fields): Outcome {
  if (success === false)
    return /denied|rejected|cancel/.test(stringOf(fieldsOf(error)["code"])) ? "refused" : "failed";
  const code = fieldsOf(shellExecution)["exitCode"];
  // Versions without it say it at the end of the output.
  const said = EXIT.exec(stringOf(fieldsOf(result)["content"]).slice(-200))?.[1];
  return Number(code ?? said ?? 0) === 0 ? "done" : "failed";
}
