import { listedName } from "../lib/escape.ts";
import { oneLine } from "../markdown/embed.ts";
import { daysIn } from "./days.ts";
import { type Data, keysFor, LISTS, nameOfKey, readUpdated } from "./field-names.ts";
import { shorten } from "./short-text.ts";
import { claimEnd } from "./task/claim.ts";
import { hasOtherItems } from "./task/dependency-fields.ts";
import { fieldText } from "./task/field-kinds.ts";
import { factsOfField, hasUnread, readOrder, TASK_FIELDS } from "./task/fields.ts";

const MAX_SHOWN_CHARS = 60;

interface Rule {
  /** Whether a value is not understood, or a part of it. */
  isUnread(value: unknown): boolean;
  /** What to write instead. */
  remedy(value: unknown): string;
}

const TIME = "a date or an ISO date-time";

/** The fields whose values have a form. */
const RULES: Readonly<Record<string, Rule>> = {
  status: { isUnread: (value) => fieldText(value) === null, remedy: () => "one word" },
  updated: { isUnread: (value) => readUpdated(value) === null, remedy: day(TIME) },
  confirmed: { isUnread: (value) => readUpdated(value) === null, remedy: day("YYYY-MM-DD") },
  claimed_until: { isUnread: (value) => Number.isNaN(claimEnd(fieldText(value) ?? "")), remedy: day(TIME) },
  order: { isUnread: (value) => readOrder(value) === undefined, remedy: () => "a number" },
  dependencies: { isUnread: hasOtherItems, remedy: () => "numbers or names of tasks" },
  ...Object.fromEntries(
    TASK_FIELDS.map((name): [string, Rule] => {
      const { kind, values = [], help } = factsOfField(name);
      const form = {
        choice: values.join(", "),
        day: "YYYY-MM-DD",
        number: "a number",
        name: help,
        task: "the number or name of one task",
        list: "words",
      };
      const remedy = kind === "day" ? day(form.day) : () => form[kind];
      return [name, { isUnread: (value) => hasUnread(name, value), remedy }];
    }),
  ),
};
/** What only a task has decides nothing elsewhere. */
const OF_ANY = ["updated", "confirmed", "owner", "tags"];

function day(form: string): (value: unknown) => string {
  return (value) =>
    daysIn(fieldText(typeof value === "number" ? `${value}` : value) ?? "").join(" or ") || form;
}

/** What frontmatter says in a form that is not read, each with what to write: `due: soon is not read; write YYYY-MM-DD`. */
export function unreadFields(data: Data, { yaml, isTask }: { yaml: string; isTask: boolean }): string[] {
  const names = new Set(Object.keys(data).map(nameOfKey));
  return Object.entries(RULES).flatMap(([name, { isUnread, remedy }]) => {
    if (!names.has(name) || (!isTask && !OF_ANY.includes(name))) return [];
    const keys = keysFor(data, name);
    return keys.flatMap((key, at) => {
      const value = data[key];
      if (value === null) return unreadComment(yaml, key);
      if (at > 0 && !LISTS.includes(name))
        return [`${said(key, value)} is not read: ${keys[0]?.trim()} stands there, too`];
      if (value === "" || !isUnread(value)) return [];
      return [`${said(key, value)} is not read; write ${remedy(value)}`];
    });
  });
}

/** `tags: #api` is a key without a value for YAML. */
function unreadComment(yaml: string, key: string): string[] {
  const line = yaml.split(/\r?\n/).find((one) => one.startsWith(`${key}:`)) ?? "";
  const comment = /^:\s+(#\S.*)$/.exec(line.slice(key.length))?.[1];
  return comment === undefined ? [] : [`${said(key, comment)} is a comment for YAML; write it in quotes`];
}

function said(key: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${key.trim()}: ${listedName(shorten(oneLine(text), MAX_SHOWN_CHARS))}`;
}
