import { factsOfField, type TaskField } from "../core/notes/task/fields.ts";
import { isTaskStatus } from "../core/notes/task/statuses.ts";
import { chosenLanguage } from "./preferences.ts";
import { en, type PageWords } from "./words/en.ts";
import { es } from "./words/es.ts";
import { ja } from "./words/ja.ts";

/** The languages that the page speaks. */
const LANGUAGES = { en, es, ja } satisfies Record<string, PageWords>;

type Language = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", es: "Español", ja: "日本語" };

/** The chosen one, else the browser's first language that the page speaks. */
export const language: Language =
  [chosenLanguage(), ...navigator.languages].map((tag) => tag.slice(0, 2)).find((tag) => isSpoken(tag)) ??
  "en";

export const words: PageWords = LANGUAGES[language];

function isSpoken(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}

/** A value to choose, and how people read it. */
export type Option = readonly [value: string, name: string];

export function valueName(field: TaskField, value: string): string {
  const names: Partial<Record<TaskField, Readonly<Record<string, string>>>> = words.field.values;
  return names[field]?.[value] ?? value;
}

/** The values of a field that is a choice; none of any other. */
export function valuesOf(field: TaskField): Option[] {
  return (factsOfField(field).values ?? []).map((value) => [value, valueName(field, value)]);
}

/** An unknown status is shown as the file has it. */
export function statusName(status: string | null): string {
  return isTaskStatus(status) ? words.status[status] : (status ?? "");
}
