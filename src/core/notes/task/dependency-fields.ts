import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { type Data, fieldsOf, keysFor } from "../field-names.ts";
import { setFields } from "../set-fields.ts";
import { splitList } from "../short-text.ts";
import { taskReference } from "./reference.ts";

interface Item {
  value: unknown;
  /** Null for what names no task. */
  text: string | null;
}

/** The tasks that frontmatter says a task waits for. */
export function dependenciesInFields(data: Data): string[] {
  const texts = itemsIn(data).flatMap(({ text }) => splitList(text ?? ""));
  return [...new Set(texts.map(taskReference))].filter((reference) => reference !== "");
}

/** Whether a value names something else than tasks. */
export function hasOtherItems(value: unknown): boolean {
  return itemsIn({ dependencies: value }).some(({ text }) => text === null);
}

function itemsIn(data: Data): Item[] {
  const { dependencies } = fieldsOf(data);
  return [dependencies ?? []].flat(Infinity).map((value) => ({ value, text: textOf(value) }));
}

/** Of a name, a number, or the name in an object, as TaskNotes writes it. */
function textOf(value: unknown): string | null {
  if (typeof value === "string" || typeof value === "number") return `${value}`;
  const { uid, id = uid } = (value ?? {}) as Data;
  return typeof id === "string" || typeof id === "number" ? `${id}` : null;
}

/** With other dependencies in frontmatter, where those that stand there stay as they are; null if it has no key for them. */
export function withDependencyFields(text: string, references: readonly string[]): string | null {
  const { data } = parseFrontmatter(text);
  if (keysFor(data, "dependencies").length === 0) return null;
  const items = itemsIn(data);
  const known = new Map(items.map(({ value, text: own }) => [taskReference(own ?? ""), value]));
  return setFields(text, { dependencies: references.map((one) => known.get(one) ?? one) });
}
