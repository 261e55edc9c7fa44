import { groupBy } from "../../core/lib/collections.ts";
import { projectOf } from "../../core/notes/names.ts";
import { isSessionPath } from "../../core/notes/session/file.ts";
import { writerName } from "../../core/notes/writer.ts";
import type { Entry, Kind } from "./model.ts";

/** What one writer did to one document without a long pause. */
export interface Item {
  /** Where the document is now. */
  path: string;
  writer: { name: string; kind: Kind };
  what: ReturnType<typeof kindOf>;
  /** When it ended and began, as in the history. */
  end: string;
  start: string;
  /** The id of the newest change. */
  change: string;
  /** The ids of all, the oldest first. */
  changes: string[];
  /** Other documents of the same change, such as those whose links follow a move. */
  others: number;
  /** The status before the first of them and after the last, if they changed it. */
  status: Entry["status"];
  /** What else they did, the oldest first. */
  did: NonNullable<Entry["did"]>;
}

/** Alike changes of one writer, the newest first. */
export type Run = [Item, ...Item[]];

/** A longer pause ends a session of work. */
const PAUSE_MS = 30 * 60_000;
/** Fewer changes each say what they did. */
const FEWEST = 3;

/** What happened, the newest first, as `history` lists it. */
export function runsOf(entries: readonly Entry[]): Run[] {
  const runs: Run[] = [];
  const last = new Map<string, Run>();
  for (const item of itemsOf(entries)) {
    const key = likeness(item);
    const run = last.get(key);
    if (run !== undefined && isSoon(item, run.at(-1) ?? item)) run.push(item);
    else {
      const started: Run = [item];
      runs.push(started);
      last.set(key, started);
    }
  }
  const told = runs.flatMap((run) => (run.length < FEWEST ? run.map((item): Run => [item]) : [run]));
  return told.sort(([a], [b]) => Date.parse(b.end) - Date.parse(a.end));
}

/** What changes have in common that one sentence can tell: which steps were ticked, only if it tells nothing else. */
function likeness(item: Item): string {
  const { writer, path, did, status } = item;
  const act = actOf(item);
  const told = did.filter(({ what }) => act === "replaced" || !what.endsWith("ticked"));
  const said = told.map(({ what, to }) => [what, to]);
  return JSON.stringify([writer, projectOf(path), act, status?.[1], said]);
}

/** Changes of a document that nobody else changed meanwhile are one item. */
function itemsOf(entries: readonly Entry[]): Item[] {
  const items: Item[] = [];
  const last = new Map<string, Item>();
  for (const operation of groupBy(entries, ({ change }) => change).values())
    for (const item of operationItems(operation)) {
      const later = last.get(item.path);
      if (later !== undefined && isContinued(item, later)) join(item, later);
      else {
        items.push(item);
        last.set(item.path, item);
      }
    }
  return items;
}

/** What moved, appeared or went says it all: links of others only follow. */
function operationItems(operation: readonly Entry[]): Item[] {
  const isMain = ({ kind, moved_to: to }: Entry) => kind !== "replaced" && to === undefined;
  const main = operation.filter(isMain);
  const named = main.length > 0 ? main : operation.filter(({ moved_to: to }) => to === undefined);
  const others = operation.filter(({ moved_to: to }) => to === undefined).length - named.length;
  return named.map((entry, at) => ({ ...itemOf(entry), others: at === 0 ? others : 0 }));
}

/** A claim says who holds a task, and a session says itself what it is about. */
export function itemOf(entry: Entry): Item {
  const { path, change, time, status, did = [] } = entry;
  const what = kindOf(entry);
  return {
    ...{ path, writer: writerOf(entry), what, end: time, start: time, change, changes: [change] },
    ...{ others: 0, status, did: what === "claim" || what === "session" ? [] : did },
  };
}

export function writerOf(entry: Entry): Item["writer"] {
  const kind = entry.isOutside ? "outside" : entry.person ? "person" : "agent";
  return { name: writerName(entry), kind };
}

/** Of two changes, the first of these says more. */
const PLAIN = ["created", "claim", "status", "replaced"];

function isContinued(item: Item, later: Item): boolean {
  const isPlain = PLAIN.includes(item.what) && PLAIN.indexOf(later.what) > 0;
  const isSame = item.writer.name === later.writer.name && item.writer.kind === later.writer.kind;
  return isSame && (isPlain || item.what === later.what) && isSoon(item, later);
}

function isSoon({ end }: Item, { start }: Item): boolean {
  return Date.parse(start) - Date.parse(end) < PAUSE_MS;
}

function join(item: Item, later: Item): void {
  if (PLAIN.indexOf(item.what) < PLAIN.indexOf(later.what)) later.what = item.what;
  later.start = item.start;
  later.changes.unshift(...item.changes);
  later.did = [...item.did, ...later.did];
  const [from = "", to = ""] = [(item.status ?? later.status)?.[0], (later.status ?? item.status)?.[1]];
  later.status = from === to ? undefined : [from, to];
}

const KINDS = {
  update_task_status: "status",
  claim_task: "claim",
  archive_tasks: "archive",
  restore_doc: "restore",
  undo: "restore",
} as const;

/** What became of the file, and by which tool. */
function kindOf({ tool, kind, path }: Pick<Entry, "tool" | "kind" | "path">) {
  const name = tool.replace(/^tool_/, "");
  if (Object.hasOwn(KINDS, name)) return KINDS[name as keyof typeof KINDS];
  return isSessionPath(path) && kind !== "deleted" && kind !== "moved" ? "session" : kind;
}

/** What people call it: by the status that it led to, or by what became of the file. */
export function actOf({ what, status, did }: Item) {
  const [from, to] = PLAIN.indexOf(what) > 0 ? (status ?? []) : [];
  if (to === "done") return from === "review" ? "approved" : "finished";
  if (to === "review") return "handedIn";
  if (from === "review") return "returned";
  if (what !== "status" && what !== "replaced") return what;
  const isNote = status === undefined && did.length > 0 && did.every((one) => one.what === "noted");
  return isNote ? "noted" : "replaced";
}
