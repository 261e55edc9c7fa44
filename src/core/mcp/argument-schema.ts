import * as z from "zod";

/** A schema, and what it wraps: the innermost says of what kind a value is. */
export function layersOf(schema: unknown): z.ZodType[] {
  if (schema instanceof z.ZodPipe) return [schema, ...layersOf(schema.out)];
  const isWrapper = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || hasDefault(schema);
  if (isWrapper) return [schema, ...layersOf(schema.unwrap())];
  return schema instanceof z.ZodType ? [schema] : [];
}

/** A default, or one that is read like what a client sends. */
export function hasDefault(schema: unknown): schema is z.ZodDefault | z.ZodPrefault {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
}

export function unwrapped(schema: unknown): unknown {
  return layersOf(schema).at(-1);
}

/** The fields of an object schema, also of an optional one. */
export function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  const type = unwrapped(schema);
  return type instanceof z.ZodObject ? type.shape : undefined;
}

/** The names of all fields, those of fields too. */
export function namesIn(schema: unknown): string[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** The schema of what a path leads to. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((outer, key) => shapeOf(outer)?.[String(key)], schema);
}
