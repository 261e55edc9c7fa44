import "./activity.css";
import { useMemo, useState } from "preact/hooks";
import { projectOf, taskName } from "../../core/notes/names.ts";
import { useAnswer } from "../answer.ts";
import { useToday } from "../clock.ts";
import { formatTime, isOn, TIME_OF_DAY } from "../dates.ts";
import { say, statusName, words } from "../language.ts";
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

/** The status before a change and after it. */
export function StatusChange({ of: { status } }: { of: Pick<Entry, "status"> }) {
  return status === undefined ? null : <span class="chip">{status.map(nameOf).join(" → ")}</span>;
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
      <StatusChange of={item} />{" "}
      {count > 1 && <span class="soft">{say(words.activity.times, { count })}</span>}{" "}
      {others > 0 && <span class="soft">{say(words.activity.others, { count: others })}</span>}{" "}
      {showsProject && <bdi class="soft">{project}</bdi>}{" "}
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
