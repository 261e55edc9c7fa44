import { type Fields, fieldsOf, isFields, listOf, stringOf } from "../lib/fields.ts";
import { askedFacts } from "./asked.ts";
import { patchedFiles } from "./commands.ts";
import type { Call, Fact, Outcome, Tokens } from "./fact.ts";
import { shellCall } from "./shell-call.ts";

/** Whether a record is one of a session that opencode exported: the session itself, or a message with its parts. */
export function isOpencodeRecord({ info, parts }: Fields): boolean {
  const { id, directory, sessionID } = fieldsOf(info);
  const isMessage = Array.isArray(parts) && stringOf(sessionID) !== "";
  return isMessage || (stringOf(id).startsWith("ses_") && stringOf(directory) !== "");
}

/** What a record of an export says; nothing for kinds that are unknown. */
export function opencodeFacts(record: Fields): Fact[] {
  const info = fieldsOf(record["info"]);
  const parts = listOf(record["parts"]).filter(isFields);
  if (info["role"] === "user") return askedFacts(textIn(parts));
  return info["role"] === "assistant" ? answerFacts(info, parts) : sessionFacts(info);
}

/** The time of a message, in milliseconds since 1970. */
export function opencodeTime(record: Fields): unknown {
  const { completed, created } = fieldsOf(fieldsOf(record["info"])["time"]);
  return completed ?? created;
}

function sessionFacts({ id, directory, parentID }: Fields): Fact[] {
  const facts: Fact[] = [];
  // Other clients' names of sessions have no underscores.
  if (stringOf(id) !== "") facts.push({ is: "session", id: stringOf(id).replaceAll("_", "-") });
  if (stringOf(directory) !== "") facts.push({ is: "folder", folder: stringOf(directory) });
  return stringOf(parentID) === "" ? facts : [...facts, { is: "helper" }];
}

/** Texts that the client adds are marked as synthetic. */
function textIn(parts: readonly Fields[]): string[] {
  return parts
    .filter(({ type, synthetic, ignored }) => type === "text" && synthetic !== true && ignored !== true)
    .map(({ text }) => stringOf(text));
}

function answerFacts(info: Fields, parts: readonly Fields[]): Fact[] {
  const { id, modelID, tokens, summary } = info;
  const facts: Fact[] = [];
  if (stringOf(modelID) !== "") facts.push({ is: "model", model: stringOf(modelID) });
  if (isFields(tokens)) facts.push({ is: "used", message: stringOf(id), tokens: tokensOf(tokens) });
  // The summary of a compaction is for the model.
  if (summary !== true) facts.push(...textIn(parts).map((text): Fact => ({ is: "said", text })));
  return [...facts, ...parts.filter(({ type }) => type === "tool").flatMap(callFacts)];
}

function tokensOf(tokens: Fields): Tokens {
  const cache = fieldsOf(tokens["cache"]);
  const [input, output, reasoning] = ["input", "output", "reasoning"].map(
    (name) => Number(tokens[name]) || 0,
  );
  const [cached, written] = [Number(cache["read"]) || 0, Number(cache["write"]) || 0];
  return { input: (input ?? 0) + cached + written, cached, output: (output ?? 0) + (reasoning ?? 0) };
}

function callFacts({ tool, callID, state }: Fields): Fact[] {
  const { status, input, error, metadata } = fieldsOf(state);
  const outcome = outcomeOf(stringOf(status), stringOf(error), fieldsOf(metadata)["exit"]);
  const id = stringOf(callID);
  const called: Fact = { is: "called", id, call: callOf(stringOf(tool), fieldsOf(input)) };
  return outcome === undefined ? [] : [called, { is: "answered", id, outcome }];
}

/** Undefined as long as the call runs. */
function outcomeOf(status: string, error: string, exit: unknown): Outcome | undefined {
  if (status === "completed") return Number(exit ?? 0) === 0 ? "done" : "failed";
  if (status !== "error") return undefined;
  return /rejected|aborted|dismissed|prevents you/i.test(error) ? "refused" : "failed";
}

/** `vibe_claim_task`: the server's name, and the tool's. */
const MCP_TOOL = /^(?!plan_|apply_)[^_]+_([a-z][a-z_]*)$/;

function callOf(tool: string, input: Fields): Call {
  const path = stringOf(input["filePath"]);
  if (tool === "bash") return shellCall(stringOf(input["command"]));
  if (tool === "read") return { reads: path };
  if (/^(?:write|edit|multiedit)$/.test(tool)) return { files: [path] };
  if (/^(?:apply_)?patch$/.test(tool)) return { files: patchedFiles(stringOf(input["patchText"])) };
  const [, own] = MCP_TOOL.exec(tool) ?? [];
  return own === undefined ? {} : { tool: own, input };
}
