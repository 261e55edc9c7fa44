import * as z from "zod";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import { TASK_STATUSES } from "../notes/status.ts";
import type { Tool } from "./tool.ts";

type ToolInput<Input extends z.ZodType = z.ZodType> = Pick<Tool<Input>, "name" | "input" | "argumentCode">;

/** Checks arguments against a tool's schema. Throws UserError for the first mistake. */
export function parseArguments<Input extends z.ZodType>(
  tool: ToolInput<Input>,
  args: unknown,
): z.output<Input> {
  const parsed = tool.input.safeParse(withoutNulls(tool.input, args ?? {}));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A misspelled name explains a missing one.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  throw explain(tool, args, issue as Issue);
}

/** Many clients send null for an optional parameter they leave out; `nullable().optional()` gives it a meaning. */
function withoutNulls(schema: unknown, args: unknown): unknown {
  const shape = shapeOf(schema);
  if (shape === undefined || typeof args !== "object" || args === null || Array.isArray(args)) return args;
  const entries = Object.entries(args).filter(
    ([key, value]) => value !== null || !Object.hasOwn(shape, key) || takesNull(shape[key]),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutNulls(shape[key], value)]));
}

function takesNull(schema: unknown): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodNullable;
}

/** The fields of an object schema, also of an optional one. */
function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}

type Issue = z.core.$ZodIssue;

function codeOf({ argumentCode }: ToolInput, argument: string): ErrorCode {
  return argumentCode?.(argument) ?? "INVALID_ARGUMENT";
}

function explain(tool: ToolInput, args: unknown, issue: Issue): UserError {
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
  const schema = schemaAt(tool, path);
  const array = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return code === "invalid_type" && array instanceof z.ZodArray && array.element instanceof z.ZodNumber;
}

function schemaAt(tool: ToolInput, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((outer, key) => shapeOf(outer)?.[String(key)], tool.input);
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

function unknownArgument(tool: ToolInput, path: readonly PropertyKey[], name: string): UserError {
  const schema = schemaAt(tool, path);
  const names = Object.keys(shapeOf(schema) ?? {});
  const nested = names.flatMap((outer) => {
    const inner = Object.keys(shapeOf(shapeOf(schema)?.[outer]) ?? {});
    return inner.includes(name) ? [`${outer}.${name}`] : [];
  });
  const suggestions = nested.length > 0 ? nested : nearest(name, names);
  const hint = suggestions[0] === undefined ? "" : ` Did you mean '${suggestions[0]}'?`;
  const message = `${quoteName(name, 100)} is not an argument of ${tool.name}.${hint} It takes: ${names.join(", ")}.`;
  return new UserError(codeOf(tool, ""), message, {
    details: { argument: name.slice(0, 100), suggestions },
  });
}

/** Throws INVALID_ARGUMENT for blank text; `hint` says what belongs there. */
export function checkNotBlank(argument: string, text: string, hint: string): void {
  if (text.trim() !== "") return;
  throw new UserError("INVALID_ARGUMENT", `'${argument}' is empty. ${hint}`, { details: { argument } });
}

export function invalidStatus(value: unknown): UserError {
  const text = typeof value === "string" ? value.slice(0, 100) : String(JSON.stringify(value)).slice(0, 100);
  return new UserError(
    "INVALID_STATUS",
    `Invalid status: ${quoteName(text)}. Use one of: ${TASK_STATUSES.join(", ")}.`,
    {
      details: { status: text, suggestions: nearest(text, TASK_STATUSES, 1) },
    },
  );
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    args,
  );
}
