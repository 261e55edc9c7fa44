import { definedOf } from "../../lib/collections.ts";
import { oneLine } from "../../markdown/embed.ts";
import { type Data, fieldsOf, itemsOf } from "../field-names.ts";
import { shorten } from "../short-text.ts";
import { claimEnd } from "./claim.ts";
import { fieldText, isPlain, KINDS, type KindRules, type Kinds } from "./field-kinds.ts";
import { PRIORITIES } from "./priorities.ts";

/** What tools, commands, lists and the page ask of a field. */
interface FieldFacts {
  kind: keyof Kinds;
  /** The words of a choice, in their order. */
  values?: readonly string[];
  /** The value by which a task without one is sorted. */
  usual?: string;
  /** Whether every document may have it, not a task alone. */
  isShared?: boolean;
  /** Whether lists can be filtered by it: then the title of its values. */
  filter?: string;
  /** Its name in a sentence. */
  noun: string;
  /** The command that sets it. */
  command?: string;
  /** Its name as an option and as a filter, if that is another. */
  flag?: string;
  /** The placeholder for its value. */
  value: string;
  /** What its value is, for people. */
  help: string;
  example: string;
  /** What its value is, for models, unless its name says it. */
  about?: string;
  /** How an overview says its value; `note` is how a card on a terminal does, which has less room. */
  say?(value: string | number, today: string): string;
  note?(value: string | number, today: string): string;
}

/** The fields of a task, besides its status. The page's words for them are in `board/words/`. */
const FIELDS = {
  priority: {
    kind: "choice",
    values: PRIORITIES,
    usual: "medium",
    filter: "Priorities",
    noun: "priority",
    command: "priority",
    value: "priority",
    help: `a priority: ${PRIORITIES.join(", ")}`,
    example: "high",
    say: (value) => `${value} priority`,
    note: (value) => (value === "medium" ? "" : `${value}`),
  },
  due: {
    kind: "day",
    noun: "due date",
    command: "due",
    value: "day",
    help: "a day: YYYY-MM-DD, today, tomorrow or +3d",
    example: "2030-01-31",
    about: "YYYY-MM-DD",
    say: (value, today) => `${isOverdue({ due: `${value}` }, today) ? "overdue since" : "due"} ${value}`,
  },
  owner: {
    kind: "name",
    isShared: true,
    filter: "Owners",
    noun: "owner",
    command: "assign",
    value: "name",
    help: "who does it",
    example: "ana",
  },
  tags: {
    kind: "list",
    isShared: true,
    filter: "Tags",
    noun: "tag",
    flag: "tag",
    value: "tag",
    help: "a tag; repeat for more",
    example: "backend",
  },
  parent: {
    kind: "task",
    filter: "Parents",
    noun: "parent",
    value: "task",
    help: "the task that it is a part of, by number or name",
    example: "3",
    say: (value) => `part of ${value}`,
  },
} as const satisfies Record<string, FieldFacts>;

type Fields = typeof FIELDS;
export type TaskField = keyof Fields;
/** A field that only tasks have. */
export type OwnField = { [N in TaskField]: Fields[N] extends { isShared: true } ? never : N }[TaskField];
export type FieldValue<N extends TaskField> = Fields[N] extends { values: readonly (infer V)[] }
  ? V
  : Kinds[Fields[N]["kind"]];
/** Names for the values of each choice. */
export type ValueNames = {
  [N in TaskField as Fields[N] extends { kind: "choice" } ? N : never]: Record<
    FieldValue<N> & string,
    string
  >;
};
export type OwnFields = { [N in OwnField]?: FieldValue<N> | undefined };
/** Values to write; null removes a field. */
export type NewFields = { [N in TaskField]?: FieldValue<N> | null | undefined };

export const TASK_FIELDS = Object.keys(FIELDS) as TaskField[];
export const OWN_FIELDS = TASK_FIELDS.filter(isOwnField);

export function isOwnField(name: TaskField): name is OwnField {
  return factsOfField(name).isShared !== true;
}

export function factsOfField(name: TaskField): FieldFacts {
  return FIELDS[name];
}

/** An object with a value for each field. */
export function perField<T>(make: (name: TaskField) => T): Record<TaskField, T> {
  return Object.fromEntries(TASK_FIELDS.map((name) => [name, make(name)])) as Record<TaskField, T>;
}

/** Its name as an option of a command. */
export function flagOf(name: TaskField): string {
  return factsOfField(name).flag ?? name;
}

type FilterFlag = {
  [N in TaskField]: Fields[N] extends { filter: string }
    ? Fields[N] extends { flag: infer F extends string }
      ? F
      : N
    : never;
}[TaskField];
/** The values that tasks in a list have; undefined filters nothing. */
export type FieldFilters = { [F in FilterFlag]?: string | undefined };

/** What lists can be filtered by, with the title of its values. */
export const FILTERS = TASK_FIELDS.flatMap((name) => {
  const { filter: title } = factsOfField(name);
  return title === undefined ? [] : [{ name, flag: flagOf(name) as FilterFlag, title }];
});

/** What the frontmatter of a task says besides the fields of every document; other values are ignored. */
export interface TaskFields extends OwnFields {
  /** Its place among tasks of its status, set by hand: the lowest first, before those without one. */
  order?: number | undefined;
  /** An ISO date-time, or a date, as written. */
  claimed_until?: string | undefined;
  /** The status before the claim. */
  claimed_from?: string | undefined;
  /** `YYYY-MM-DD`: when it came back after it was handed in, until it is handed in again. */
  returned?: string | undefined;
}

/** They say together who works on a task. */
export const CLAIM_FIELDS = ["owner", "claimed_until", "claimed_from"];

const MAX_STATUS_CHARS = 100;

/** `fields` are those of `fieldsOf`. */
export function readTaskFields(fields: Data): TaskFields {
  const [until = "", from = ""] = [fields["claimed_until"], fields["claimed_from"]].map(
    (value) => fieldText(value) ?? "",
  );
  return {
    ...definedOf({ order: readOrder(fields["order"]) }),
    ...(definedOf(
      Object.fromEntries(OWN_FIELDS.map((name) => [name, readFieldOf(fields, name)])),
    ) as OwnFields),
    ...(!Number.isNaN(claimEnd(until)) && { claimed_until: until }),
    ...(from !== "" && { claimed_from: shorten(oneLine(from), MAX_STATUS_CHARS) }),
    ...definedOf({ returned: KINDS.day.read(fields["returned"], []) }),
  };
}

export function readOrder(value: unknown): number | undefined {
  return KINDS.number.read(value, []);
}

export function readField<N extends TaskField>(name: N, data: Data): FieldValue<N> | undefined {
  return readFieldOf(fieldsOf(data), name);
}

/** `fields` are those of `fieldsOf`. */
export function readFieldOf<N extends TaskField>(fields: Data, name: N): FieldValue<N> | undefined {
  return rulesOf(name).read(fields[name], factsOfField(name).values ?? []) as FieldValue<N> | undefined;
}

/** A value for a tool or command, as it would be read in a note: `high` of `urgent`; others unchanged. */
export function meantValue(name: TaskField, value: unknown): unknown {
  const { kind } = factsOfField(name);
  const isMeant = typeof value === "string" && (kind === "choice" || kind === "day");
  return (isMeant ? readFieldOf({ [name]: value }, name) : undefined) ?? value;
}

/** Whether a value says something that is not read, or a part of it does. */
export function hasUnread(name: TaskField, value: unknown): boolean {
  const items = itemsOf(value).filter((item) => item !== null && item !== "");
  const isMany = ["list", "name"].includes(factsOfField(name).kind);
  return isMany
    ? !items.every(isPlain)
    : items.length > 0 && readFieldOf({ [name]: value }, name) === undefined;
}

/** The values as frontmatter has them: undefined stays, null removes a field. */
export function writtenFields(fields: NewFields): Record<string, unknown> {
  return Object.fromEntries(
    TASK_FIELDS.map((name) => [
      name,
      fields[name] == null ? fields[name] : rulesOf(name).write(fields[name]),
    ]),
  );
}

/** Whether a task has the value that a filter asks for; any has undefined. */
export function hasValue(task: NewFields, name: TaskField, wanted: string | undefined): boolean {
  const value = task[name];
  return wanted === undefined || (value != null && rulesOf(name).fits(value, wanted));
}

/** What a task has of the fields that only tasks have. */
export function ownFields(task: OwnFields): OwnFields {
  return Object.fromEntries(OWN_FIELDS.map((name) => [name, task[name]]));
}

const LAST = "~";

/** Sorts tasks as their values do; those without one come last, unless they have a usual value. */
export function fieldKey(task: OwnFields, name: OwnField): string {
  const { values = [], usual } = factsOfField(name);
  const value = task[name] ?? usual;
  return value === undefined ? LAST : rulesOf(name).key(value, values);
}

/** `high priority`, `due 2026-11-30`: the values of a task in words. */
export function saidFields(task: OwnFields, today: string, as: "say" | "note" = "say"): string[] {
  const said = OWN_FIELDS.map((name) => {
    const { say, note } = factsOfField(name);
    const value = task[name];
    return value === undefined ? "" : ((as === "note" && note) || say)?.(value, today);
  });
  return said.filter((text) => !!text) as string[];
}

function rulesOf(name: TaskField): KindRules<unknown> {
  return KINDS[factsOfField(name).kind] as KindRules<unknown>;
}

/** How `vibe-mcp tasks` and the page may sort. */
export const TASK_ORDERS = [...OWN_FIELDS, "number", "updated"] as const;
export type TaskOrder = (typeof TASK_ORDERS)[number];

export function isOverdue({ due }: { due?: string | undefined }, today: string): boolean {
  return due !== undefined && due < today;
}
