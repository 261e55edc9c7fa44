import { factsOfField, type TaskField, type ValueNames } from "../core/notes/task/fields.ts";
import { isTaskStatus, type TaskStatus } from "../core/notes/task/statuses.ts";
import { chosenLanguage } from "./preferences.ts";
import en from "./words/en.json" with { type: "json" };
import es from "./words/es.json" with { type: "json" };
import ja from "./words/ja.json" with { type: "json" };

/** A text with `{names}` of values, or its forms for counts. */
type Text = string | { zero?: string; one?: string; other: string };

type Texts<T> = T extends string | readonly string[]
  ? T
  : keyof T extends "zero" | "one" | "other"
    ? Text
    : { readonly [Key in keyof T]: Texts<T[Key]> };

/** Everything that the page says, by the view that says it; every language has to say it. */
type PageWords = Texts<typeof en>;

en satisfies {
  status: Record<TaskStatus, string>;
  field: { names: Record<TaskField, string>; values: ValueNames };
};

/** The languages that the page speaks. */
const LANGUAGES = { en, es, ja } satisfies Record<string, PageWords>;

type Language = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", es: "Español", ja: "日本語" };

/** The chosen one, else the browser's first language that the page speaks. */
export const language: Language =
  [chosenLanguage(), ...navigator.languages].map((tag) => tag.slice(0, 2)).find((tag) => isSpoken(tag)) ??
  "en";

export const words: PageWords = LANGUAGES[language];

/** A text with its values, in its form for `count`. */
export function say(text: Text, values: Readonly<Record<string, string | number>>): string {
  const { count } = values;
  const form = count === 0 ? "zero" : count === 1 ? "one" : "other";
  const said = typeof text === "string" ? text : (text[form] ?? text.other);
  return said.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function isSpoken(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}

/** A value to choose, and how people read it. */
export type Option = readonly [value: string, name: string];

export function valueName(field: TaskField, value: string): string {
  const names: Partial<Record<TaskField, Readonly<Record<string, string>>>> = words.field.values;
  return names[field]?.[value] ?? value;
}

/** `No owner` */
export function withoutName(field: TaskField): string {
  return say(words.field.without, { name: words.field.names[field].toLowerCase() });
}

/** The values of a field that is a choice; none of any other. */
export function valuesOf(field: TaskField): Option[] {
  return (factsOfField(field).values ?? []).map((value) => [value, valueName(field, value)]);
}

/** An unknown status is shown as the file has it. */
export function statusName(status: string | null): string {
  return isTaskStatus(status) ? words.status[status] : (status ?? "");
}
