import { z } from "zod";
import { TASK_STATUSES } from "../domain/status.ts";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { nearest } from "../lib/text.ts";

/** Arguments checked against a tool's schema. Throws UserError with the contract's code for the first thing wrong. */
export function parseArguments<Input extends z.ZodType>(
  tool: { name: string; input: Input },
  given: unknown,
): z.output<Input> {
  const parsed = tool.input.safeParse(withoutNulls(tool.input, given ?? {}));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) throw new UserError("INVALID_ARGUMENT", "The arguments are not valid.");
  throw explain(tool, given, issue);
}

/** Many clients send null for what they leave out: where a parameter is optional that is the same. */
function withoutNulls(schema: unknown, given: unknown): unknown {
  const shape = shapeOf(schema);
  if (shape === undefined || typeof given !== "object" || given === null || Array.isArray(given))
    return given;
  const kept = Object.entries(given).filter(([key, value]) => value !== null || !Object.hasOwn(shape, key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutNulls(shape[key], value)]));
}

/** The fields of an object schema, also of an optional one. */
function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}

type Issue = z.core.$ZodIssue;

function explain(tool: { name: string; input: z.ZodType }, given: unknown, issue: Issue): UserError {
  const name = issue.path.join(".");
  if (issue.code === "unrecognized_keys") return unknownArgument(tool, issue.keys[0] ?? "");
  if (issue.code === "invalid_value" && name === "status") return invalidStatus(valueAt(given, issue.path));
  const missing = issue.code === "invalid_type" && valueAt(given, issue.path) === undefined;
  const message = missing ? `'${name}' is missing.` : `'${name}': ${issue.message}.`;
  return new UserError("INVALID_ARGUMENT", name === "" ? "The arguments must be a JSON object." : message, {
    details: { argument: name, tool: tool.name },
  });
}

function unknownArgument(tool: { name: string; input: z.ZodType }, name: string): UserError {
  const known = Object.keys(shapeOf(tool.input) ?? {});
  const suggestions = nearest(name, known);
  const hint = suggestions[0] === undefined ? "" : ` Did you mean '${suggestions[0]}'?`;
  const message = `'${name.slice(0, 100)}' is not an argument of ${tool.name}.${hint} It takes: ${known.join(", ")}.`;
  return new UserError("INVALID_ARGUMENT", message, {
    details: { argument: name.slice(0, 100), suggestions },
  });
}

/** The error of a status that is none of the four. */
export function invalidStatus(value: unknown): UserError {
  const code: ErrorCode = "INVALID_STATUS";
  const text = typeof value === "string" ? value.slice(0, 100) : String(JSON.stringify(value)).slice(0, 100);
  return new UserError(code, `Invalid status: '${text}'. Use one of: ${TASK_STATUSES.join(", ")}.`, {
    details: { status: text, suggestions: nearest(text, TASK_STATUSES, 1) },
  });
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    given,
  );
}
