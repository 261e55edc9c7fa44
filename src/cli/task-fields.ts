import { UsageError } from "../core/config/options.ts";
import { quoteName } from "../core/lib/escape.ts";
import {
  FILTERS,
  factsOfField,
  flagOf,
  meantValue,
  TASK_FIELDS,
  type TaskField,
} from "../core/notes/task/fields.ts";
import type { CommandOption, Meaning, OptionValues } from "./command.ts";
import { dayFrom } from "./days.ts";
import { sentence } from "./help.ts";

export function meaningOf(name: TaskField): Meaning {
  return (typed) => String(meantValue(name, typed));
}

/** An option for each field of a new task. */
export const FIELD_OPTIONS = TASK_FIELDS.map((name): CommandOption => {
  const { kind, value, help, values } = factsOfField(name);
  const many = kind === "list" && { many: true };
  return {
    flag: flagOf(name),
    value,
    help: sentence(help),
    ...many,
    ...(values && { values, meaning: meaningOf(name) }),
  };
});

/** An option for each field by which tasks can be filtered. */
export const FILTER_OPTIONS = FILTERS.map(({ name, flag }): CommandOption => {
  const { noun, value, values } = factsOfField(name);
  const help = `Only tasks with this ${noun}${values === undefined ? "" : `: ${values.join(", ")}`}.`;
  return { flag, value, help, ...(values && { values, meaning: meaningOf(name) }) };
});

/** The values that someone typed as options for a new task. Throws UsageError. */
export function typedFields(options: OptionValues, now: Date): Record<string, unknown> {
  const values = TASK_FIELDS.map((name) => {
    const typed = options.texts(flagOf(name)).map((text) => typedValue(name, text, now));
    return [name, factsOfField(name).kind === "list" ? typed : typed.at(-1)];
  });
  return Object.fromEntries(values);
}

/** The value that someone typed for a field. Throws UsageError, with `others` as what may be typed too. */
export function typedValue(name: TaskField, typed: string, now: Date, others = ""): string | number {
  const { kind, noun } = factsOfField(name);
  if (kind === "day") return dayFrom(now, typed, others);
  if (kind !== "number") return typed;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(typed)) return Number(typed);
  throw new UsageError(`${quoteName(typed)} is no ${noun}. Use a number such as 3 or 1.5${others}`);
}
