import * as z from "zod";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { counted } from "../lib/text.ts";
import { itemsOf } from "../notes/field-names.ts";
import { ITEM_MARKER } from "../notes/task/file.ts";
import { nearestStatus } from "../notes/task/status-word.ts";
import { TASK_STATUSES } from "../notes/task/statuses.ts";
import { attempt } from "../storage/fs-errors.ts";
import { type Called, codeOf, type ToolInput, unknownArgument } from "./argument-names.ts";
import { hasDefault, layersOf, schemaAt, unwrapped } from "./argument-schema.ts";
import type { Tool } from "./tool.ts";

/** Checks arguments against a tool's schema; `tools` are those the client has. Throws UserError for the first mistake. */
export function parseArguments<Input extends z.ZodType>(
  tool: ToolInput<Input>,
  args: unknown,
  tools: readonly Tool[] = [],
): z.output<Input> {
  const given = meant(tool.input, args ?? {});
  // What is only looked up may be any text: it leads nowhere.
  if (tool.access === "write") checkWellFormed(tool, given);
  const checked = tool.input.safeParse(given);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  // A misspelled name explains a missing one.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  throw explain({ ...tool, input: tool.input, tools }, given, issue as Issue);
}

/** Half a surrogate pair has no UTF-8 form: written to a file it would become another character. */
function checkWellFormed(tool: ToolInput, args: unknown): void {
  if (typeof args !== "object" || args === null) return;
  for (const [argument, value] of Object.entries(args))
    for (const text of textsIn(value)) if (!text.isWellFormed()) throw cutCharacter(tool, argument, text);
}

/** Not recursive: clients choose the depth. */
function* textsIn(value: unknown): Generator<string> {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string") yield next;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next)) rest.push(key, inner);
  }
}

function cutCharacter(tool: ToolInput, argument: string, text: string): UserError {
  const before = counted(text.search(/\p{Cs}/u), "character");
  const message = `${quoteName(argument, 100)} holds half of a character after ${before}: an emoji or a rare sign was cut in two. Send it whole, or leave it out.`;
  return new UserError(codeOf(tool, argument), message, { details: { argument, tool: tool.name } });
}

/**
 * The arguments as they were meant: many clients send lists, objects, numbers and booleans as JSON text, a list as one text, "" or
 * null for what they leave out, and folders with a `./` before or a `/` behind.
 */
function meant(schema: unknown, value: unknown, name = ""): unknown {
  const type = unwrapped(schema);
  const given = typeof value === "string" ? parsed(type, value) : value;
  if (type instanceof z.ZodArray) {
    const items = listed(given, BY_LINE.test(name));
    return Array.isArray(items) ? items.map((item) => meant(type.element, item)) : items;
  }
  const isFields = typeof given === "object" && given !== null && !Array.isArray(given);
  return isFields && type instanceof z.ZodObject ? meantFields(type.shape, given) : given;
}

/** Sentences, and names of tasks, which may hold commas: their reader knows which do. */
const BY_LINE = /^(?:steps|acceptance_criteria|dependencies)$/;
/** What was meant as JSON. */
const DATA = /^\s*(?:\{|\[\s*['"\d]|null\s*$)/;

/** The list in one text: an item a line, else also between commas. */
function listed(given: unknown, isByLine: boolean): unknown {
  if (typeof given === "number") return [`${given}`];
  if (typeof given !== "string" || DATA.test(given)) return given;
  const lines = given.split(/\r?\n/).map((line) => line.trim().replace(ITEM_MARKER, ""));
  const items = (isByLine ? lines : lines.flatMap(itemsOf)).map((item) => `${item}`.trim());
  const filled = items.filter((item) => item !== "");
  return filled.length === 0 ? given : filled;
}

/** The JSON in a text, unless the text itself is meant. */
function parsed(type: unknown, text: string): unknown {
  if (type instanceof z.ZodString || type instanceof z.ZodEnum || type instanceof z.ZodLiteral) return text;
  if (type instanceof z.ZodNumber && /^\s*-?\d{1,15}\s*$/.test(text)) return Number(text);
  if (text.length > MAX_JSON_CHARS) return text;
  return attempt(() => JSON.parse(type instanceof z.ZodBoolean ? text.toLowerCase() : text)) ?? text;
}

/** Parsing megabytes of brackets would block the server. */
const MAX_JSON_CHARS = 1_000_000;

function meantFields(shape: Record<string, unknown>, value: object): object {
  const schemaOf = (key: string) => (Object.hasOwn(shape, key) ? shape[key] : undefined);
  const fields = Object.entries(value).filter(([key, inner]) => !isLeftOut(schemaOf(key), inner));
  return Object.fromEntries(
    fields.map(([key, inner]) => {
      if (FOLDER.test(key) && typeof inner === "string")
        return [key, inner.replace(/^\.(?:\/|$)/, "").replace(/\/$/, "")];
      return [key, meant(schemaOf(key), inner, key)];
    }),
  );
}

const FOLDER = /^(?:to_)?folder$/;

/** `nullable().optional()` gives null a meaning, and a description with `""` gives one to the empty text. */
function isLeftOut(schema: unknown, value: unknown): boolean {
  if (value === null) return !(schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodNullable);
  if (value !== "") return false;
  const layers = layersOf(schema);
  const isOptional = layers.some((layer) => layer instanceof z.ZodOptional || hasDefault(layer));
  return (
    schema === undefined || (isOptional && !layers.some(({ description }) => description?.includes('""')))
  );
}

type Issue = z.core.$ZodIssue;

function explain(tool: Called, args: unknown, issue: Issue): UserError {
  const name = issue.path.join(".");
  if (issue.code === "unrecognized_keys") return unknownArgument(tool, issue.path, issue.keys[0] ?? "");
  const value = valueAt(args, issue.path);
  const missing = value === undefined || value === null;
  if (issue.code === "invalid_value" && /(?:^|_)status$/.test(name) && !missing) return invalidStatus(value);
  const expected = isArrayOfNumbers(tool, issue) ? "an array of numbers" : expectation(issue);
  const message = missing ? `'${name}' is missing.` : `'${name}' must be ${expected}.`;
  return new UserError(codeOf(tool, name), name === "" ? "The arguments must be a JSON object." : message, {
    details: { argument: name, tool: tool.name },
  });
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? `a value of type ${issue.expected}`;
    case "too_small":
      return `${issue.minimum} or more`;
    case "too_big":
      return `${issue.maximum} or less`;
    case "invalid_value":
      return `one of: ${issue.values.map(String).join(", ")}`;
    case "custom":
      return issue.message;
    default:
      return "a different kind of value: see the tool's description";
  }
}

function isArrayOfNumbers(tool: ToolInput, { code, path }: Issue): boolean {
  const array = unwrapped(schemaAt(tool.input, path));
  return (
    code === "invalid_type" && array instanceof z.ZodArray && unwrapped(array.element) instanceof z.ZodNumber
  );
}

const KINDS: Record<string, string> = {
  string: "a string",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "an array of strings",
  object: "an object",
  record: "an object",
};

/** Throws INVALID_ARGUMENT for blank text; `hint` says what belongs there. */
export function checkNotBlank(argument: string, text: string, hint: string): void {
  if (text.trim() !== "") return;
  throw new UserError("INVALID_ARGUMENT", `'${argument}' is empty. ${hint}`, { details: { argument } });
}

export function invalidStatus(value: unknown): UserError {
  const text = typeof value === "string" ? value.slice(0, 100) : String(JSON.stringify(value)).slice(0, 100);
  const near = nearestStatus(text);
  return new UserError(
    "INVALID_STATUS",
    `Invalid status: ${quoteName(text)}. Use one of: ${TASK_STATUSES.join(", ")}.`,
    { details: { status: text, suggestions: near === undefined ? [] : [near] } },
  );
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    args,
  );
}
