import { groupBy } from "../../core/lib/collections.ts";
import { writerName } from "../../core/notes/writer.ts";
import type { Entry, Kind } from "./model.ts";

/** What one writer did without a long pause, the newest first. */
export interface Group {
  /** Of its newest change; each change is in one group. */
  id: string;
  name: string;
  kind: Kind;
  /** When it ended and began, as in the history. */
  end: string;
  start: string;
  items: Item[];
}

/** Changes of one kind to one document. */
export interface Item {
  /** Where the document is now. */
  path: string;
  tool: string;
  kind: Entry["kind"];
  /** How many. */
  count: number;
  /** The id of the newest. */
  change: string;
  /** The ids of all, the oldest first. */
  changes: string[];
  /** Other documents of the same change, such as those whose links follow a move. */
  others: number;
  /** Whether the text before is kept. */
  hasText: boolean;
  /** The status before the first of them and after the last, if they changed it. */
  status: Entry["status"];
  /** What else they did, the oldest first. */
  did: NonNullable<Entry["did"]>;
}

/** A longer pause ends a session of work. */
const PAUSE_MS = 30 * 60_000;

/** The newest first, as `history` lists them. */
export function groupsOf(entries: readonly Entry[]): Group[] {
  const groups: Group[] = [];
  for (const operation of groupBy(entries, ({ change }) => change).values()) {
    const [first] = operation;
    if (first === undefined) continue;
    const group = groupFor(groups, first);
    group.start = first.time;
    for (const item of itemsOf(operation)) addItem(group, item);
  }
  return groups;
}

/** The last group of the same writer if it goes on, though others worked meanwhile; else a new one. */
function groupFor(groups: Group[], entry: Entry): Group {
  const { change: id, time } = entry;
  const { name, kind } = writerOf(entry);
  const last = groups.findLast((group) => group.name === name && group.kind === kind);
  if (last !== undefined && Date.parse(last.start) - Date.parse(time) < PAUSE_MS) return last;
  const group = { id, name, kind, end: time, start: time, items: [] } satisfies Group;
  groups.push(group);
  return group;
}

export function writerOf(entry: Entry): Pick<Group, "name" | "kind"> {
  const kind = entry.isOutside ? "outside" : entry.person ? "person" : "agent";
  return { name: writerName(entry), kind };
}

/** What moved, appeared or went says it all: links of others only follow. A claim says who holds a task. */
function itemsOf(operation: readonly Entry[]): Item[] {
  const isMain = ({ kind, moved_to: to }: Entry) => kind !== "replaced" && to === undefined;
  const main = operation.filter(isMain);
  const named = main.length > 0 ? main : operation.filter(({ moved_to: to }) => to === undefined);
  const others = operation.filter(({ moved_to: to }) => to === undefined).length - named.length;
  return named.map(({ path, tool, kind, change, bytes, status, did = [] }, at) => {
    const hasText = bytes !== undefined;
    const says = kindOf({ tool, kind }) === "claim" ? [] : did;
    const shared = { path, tool, kind, change, changes: [change], count: 1, hasText, status, did: says };
    return { ...shared, others: at === 0 ? others : 0 };
  });
}

function addItem({ items }: Group, item: Item): void {
  const same = items.find(
    (one) => one.path === item.path && one.tool === item.tool && one.kind === item.kind,
  );
  if (same === undefined) return void items.push(item);
  same.count++;
  same.changes.unshift(item.change);
  same.did = [...item.did, ...same.did];
  // The items come newest first.
  const { status = item.status } = same;
  if (item.status !== undefined) same.status = [item.status[0] ?? "", status?.[1] ?? ""];
}

const KINDS = {
  update_task_status: "status",
  claim_task: "claim",
  archive_tasks: "archive",
  log_session: "session",
  restore_doc: "restore",
  undo: "restore",
} as const;

/** What people call it: by the tool, or by what became of the file. */
export function kindOf({ tool, kind }: Pick<Item, "tool" | "kind">) {
  const name = tool.replace(/^tool_/, "");
  return Object.hasOwn(KINDS, name) ? KINDS[name as keyof typeof KINDS] : kind;
}
