import type * as z from "zod";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { isTypo, nearest } from "../lib/text.ts";
import { schemaAt, shapeOf } from "./argument-schema.ts";
import type { Tool } from "./tool.ts";

export type ToolInput<Input extends z.ZodType = z.ZodType> = Pick<
  Tool<Input>,
  "name" | "access" | "input" | "argumentCode"
>;

/** A tool, and all that its client has. */
export type Called = ToolInput & { tools: readonly Tool[] };

export function codeOf({ argumentCode }: ToolInput, argument: string): ErrorCode {
  return argumentCode?.(argument) ?? "INVALID_ARGUMENT";
}

export function unknownArgument(tool: Called, path: readonly PropertyKey[], name: string): UserError {
  const schema = schemaAt(tool.input, path);
  const names = Object.keys(shapeOf(schema) ?? {});
  const nested = names.flatMap((outer) => {
    const inner = Object.keys(shapeOf(shapeOf(schema)?.[outer]) ?? {});
    return inner.includes(name) ? [`${outer}.${name}`] : [];
  });
  const suggestions = nested.length > 0 ? nested : nearest(name, names).filter((near) => isTypo(name, near));
  const other = suggestions[0] === undefined ? relatedTool(tool, name) : undefined;
  const meant = suggestions[0] === undefined ? "" : ` Did you mean '${suggestions[0]}'?`;
  const hint = other === undefined ? `${meant} It` : ` Did you mean ${other}, which has it? ${tool.name}`;
  const message = `${quoteName(name, 100)} is not an argument of ${tool.name}.${hint} takes: ${names.join(", ")}.`;
  return new UserError(codeOf(tool, ""), message, {
    details: { argument: name.slice(0, 100), suggestions: other === undefined ? suggestions : [other] },
  });
}

/** What the names of a group have in common. */
const PREFIX = /^(?:tool|vault)_/;

/** The other tool for the same things that has this argument: update_task_status takes the `status` that update_task does not. */
function relatedTool({ name, tools }: Called, argument: string): string | undefined {
  const { access } = tools.find((tool) => tool.name === name) ?? {};
  const words = name.replace(PREFIX, "").split("_");
  const shared = (tool: Tool) => tool.name.split("_").filter((word) => words.includes(word)).length;
  const having = tools.filter(
    (tool) =>
      tool.access === access && shared(tool) > 0 && Object.hasOwn(shapeOf(tool.input) ?? {}, argument),
  );
  return having.toSorted((a, b) => shared(b) - shared(a))[0]?.name;
}
