import * as z from "zod";
import { leadingDate } from "../../lib/clock.ts";
import {
  FILTERS,
  type FieldFilters,
  type FieldValue,
  factsOfField,
  meantValue,
  OWN_FIELDS,
  type OwnField,
  TASK_FIELDS,
  type TaskField,
} from "../../notes/task/fields.ts";

type Schemas<N extends TaskField> = { [M in N]: z.ZodOptional<z.ZodType<FieldValue<M>>> };
type Removable = { [N in TaskField]: z.ZodOptional<z.ZodNullable<z.ZodType<FieldValue<N>>>> };

/** Arguments for the fields of a new task. */
export function newFields(): Schemas<TaskField> {
  return shape(TASK_FIELDS, (name) => {
    const schema = schemaOf(name);
    return described(schema instanceof z.ZodArray ? schema.default([]) : schema.optional(), name);
  });
}

/** Arguments for what fields of a task become; null removes a value, an empty list all of its own. */
export function changedFields(): Removable {
  return shape(TASK_FIELDS, (name) => {
    const schema = schemaOf(name);
    return described((schema instanceof z.ZodArray ? schema : schema.nullable()).optional(), name);
  });
}

/** The fields that only tasks have, in an answer. */
export function shownFields(): Schemas<OwnField> {
  return shape(OWN_FIELDS, (name) => schemaOf(name).optional());
}

/** Arguments for a list of tasks. */
export function filterFields(): { [F in keyof FieldFilters]-?: z.ZodOptional<z.ZodType<string>> } {
  const schemas = FILTERS.map(({ name, flag }) => {
    const { values } = factsOfField(name);
    return [flag, values === undefined ? z.string().optional() : schemaOf(name).optional()];
  });
  return Object.fromEntries(schemas);
}

function shape<S>(names: readonly TaskField[], make: (name: TaskField) => z.ZodType): S {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as S;
}

function described(schema: z.ZodType, name: TaskField): z.ZodType {
  const { about } = factsOfField(name);
  return about === undefined ? schema : schema.describe(about);
}

function schemaOf(name: TaskField): z.ZodType {
  const { kind, values = [] } = factsOfField(name);
  const meant = (value: unknown) => meantValue(name, value);
  if (kind === "choice") return z.preprocess(meant, z.enum(values));
  if (kind === "day") {
    const day = z.string().overwrite((text) => String(meant(text)));
    return day.refine((text) => leadingDate(text) === text, "a day as YYYY-MM-DD");
  }
  if (kind === "number") return z.number();
  return kind === "list" ? z.array(z.string()) : z.string();
}
