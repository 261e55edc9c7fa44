import "./activity.css";
import { useMemo, useState } from "preact/hooks";
import { projectOf, taskName } from "../../core/notes/names.ts";
import type { TaskField } from "../../core/notes/task/fields.ts";
import { useAnswer } from "../answer.ts";
import { undoChanges } from "../changes.ts";
import { useToday } from "../clock.ts";
import { formatDay, formatTime, isOn, TIME_OF_DAY } from "../dates.ts";
import { say, statusName, valueName, words } from "../language.ts";
import { Panel } from "../panel.tsx";
import { addressOf } from "../route.ts";
import { can, state } from "../state.ts";
import { useStore } from "../store.ts";
import { taskAt } from "../task-list.ts";
import { type Group, groupsOf, type Item, kindOf } from "./groups.ts";
import type { Entry } from "./model.ts";
import { readHistory } from "./read.ts";
import { activity, KNOWN, newestFirst } from "./store.ts";
import { Who } from "./who.tsx";

const FIRST = 12;
const MORE = 50;

/** What changed in all projects or in one: the newest, and more and more as long as someone asks. */
export function Activity({ project }: { project?: string }) {
  const [most, setMost] = useState(FIRST);
  const [count, setCount] = useState(KNOWN);
  const { entries, hasMore } = useEntries(project, count);
  const groups = useMemo(() => groupsOf(entries ?? []), [entries]);
  if (!can("history")) return null;
  const total = groups.reduce((sum, { items }) => sum + items.length, 0);
  const showMore = () => {
    setMost(most + MORE);
    if (hasMore && total <= most + MORE) setCount(count + KNOWN);
  };
  return (
    <Panel class="activity" title={words.activity.title}>
      {entries === undefined && <p class="soft">{words.app.loading}</p>}
      {entries?.length === 0 && <p class="soft">{words.activity.none}</p>}
      <ol class="feed">
        {firstItems(groups, most).map((group) => (
          <FeedGroup key={group.id} group={group} showsProject={project === undefined} />
        ))}
      </ol>
      {(total > most || hasMore) && (
        <button type="button" class="quiet" onClick={showMore}>
          {words.activity.more}
        </button>
      )}
    </Panel>
  );
}

/** The page knows the newest of all; what is older, or of one project, is read, again whenever something changes. */
function useEntries(project: string | undefined, count: number) {
  const all = useStore(activity, ({ entries }) => entries);
  const isAll = project === undefined;
  const [newest] = all ?? [];
  const { value } = useAnswer(`${project} ${count} ${newest?.change}`, async () =>
    (isAll && count === KNOWN) || !can("history") ? undefined : readHistory(isAll ? {} : { project }, count),
  );
  return useMemo(() => {
    const recorded = value?.versions ?? (isAll && all?.filter(({ isOutside }) => !isOutside));
    if (!recorded) return { entries: undefined, hasMore: false };
    const outside = (all ?? []).filter(
      ({ isOutside, path }) => isOutside && (isAll || projectOf(path) === project),
    );
    const hasMore = value === undefined ? recorded.length >= KNOWN : value.total > recorded.length;
    return { entries: newestFirst([...recorded, ...outside]), hasMore };
  }, [all, value, project]);
}

/** The groups with their first items, `most` together. */
function firstItems(groups: readonly Group[], most: number): Group[] {
  let left = most;
  return groups.flatMap((group) => {
    const items = group.items.slice(0, Math.max(left, 0));
    left -= items.length;
    return items.length === 0 ? [] : [{ ...group, items }];
  });
}

function FeedGroup({ group, showsProject }: { group: Group; showsProject: boolean }) {
  const { name, kind, start, end, items } = group;
  const today = useToday();
  return (
    <li>
      <p class="feed-who">
        <Who name={name} kind={kind} />{" "}
        <time class="soft" dateTime={end}>
          {period(start, end, today)}
        </time>
      </p>
      <ul>
        {items.map((item) => (
          <li key={`${item.path} ${item.change} ${item.tool}`}>
            <FeedItem item={item} showsProject={showsProject} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** `14:05–14:40` of today, or the day and the time of its end. */
function period(start: string, end: string, today: string): string {
  if (!isOn(start, today) || !isOn(end, today)) return formatTime(end);
  const [from, to] = [start, end].map((time) => TIME_OF_DAY.format(new Date(time)));
  return from === to ? String(to) : `${from}–${to}`;
}

const MOST_DID = 6;

/** What a change did to a task: its status before and after, its fields, boxes and notes. */
export function WhatItDid({ of: { status, did = [] } }: { of: Pick<Entry, "status" | "did"> }) {
  return (
    <>
      {status !== undefined && <span class="chip">{status.map(nameOf).join(" → ")}</span>}{" "}
      {did.length > 0 && <span dir="auto">{did.slice(-MOST_DID).map(didText).join(", ")}</span>}
    </>
  );
}

export function didText({ what, from = "", to = "" }: NonNullable<Entry["did"]>[number]): string {
  if (what === "ticked") return say(words.activity.ticked, { step: to });
  if (what === "unticked") return say(words.activity.unticked, { step: to });
  if (what === "noted") return say(words.activity.noted, { text: to });
  if (what === "title") return say(words.activity.renamed, { from, to });
  const name = what as TaskField;
  const values = [from, to].map((value) => fieldValueText(name, value) || "–");
  return `${words.field.names[name]}: ${values.join(" → ")}`;
}

function fieldValueText(name: TaskField, value: string): string {
  return name === "due" && value !== "" ? formatDay(value) : valueName(name, value);
}

const nameOf = (status: string) => (status === "" ? "–" : statusName(status));

function FeedItem({ item, showsProject }: { item: Item; showsProject: boolean }) {
  const { path, change, count, others, hasText } = item;
  const task = useStore(state, ({ tasks }) => taskAt(tasks, path));
  const [project = "", ...rest] = path.split("/");
  const name = task === undefined ? rest.join("/") : taskName(task);
  const kind = kindOf(item);
  return (
    <>
      <span class="feed-kind soft">{words.activity.changes[kind]}</span>{" "}
      <a href={addressOf("document", { path })} dir="auto">
        {name}
      </a>{" "}
      <WhatItDid of={item} /> {count > 1 && <span class="soft">{say(words.activity.times, { count })}</span>}{" "}
      {others > 0 && <span class="soft">{say(words.activity.others, { count: others })}</span>}{" "}
      {showsProject && <bdi class="soft">{project}</bdi>}{" "}
      {hasText && can("restore_doc") && (
        <button
          type="button"
          class="quiet feed-diff"
          aria-label={`${words.app.undo}: ${name}`}
          onClick={() => void undoChanges(name, item.changes)}
        >
          {words.app.undo}
        </button>
      )}{" "}
      {hasText && (
        <a
          class="feed-diff"
          href={addressOf("document", { path, show: "history", change })}
          aria-label={say(words.activity.differenceOf, { name })}
        >
          {words.activity.difference}
        </a>
      )}
    </>
  );
}
