import "./activity.css";
import { type ComponentChildren, Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import { groupBy } from "../../core/lib/collections.ts";
import { isTaskPath } from "../../core/notes/document.ts";
import { baseName, parseTaskNumber, projectOf, taskName } from "../../core/notes/names.ts";
import type { TaskField } from "../../core/notes/task/fields.ts";
import { useAnswer } from "../answer.ts";
import { undoChanges } from "../changes.ts";
import { ago, clock, useToday } from "../clock.ts";
import { formatDay, formatTime, isOn, TIME_OF_DAY } from "../dates.ts";
import { say, statusName, valueName, words } from "../language.ts";
import { Panel } from "../panel.tsx";
import { addressOf } from "../route.ts";
import { useSession } from "../session-item.tsx";
import { can, state } from "../state.ts";
import { useStore } from "../store.ts";
import { taskAt } from "../task-list.ts";
import { actOf, type Item, type Run, runsOf } from "./groups.ts";
import type { Entry } from "./model.ts";
import { readHistory } from "./read.ts";
import { activity, KNOWN, newestFirst, useLook } from "./store.ts";
import { shownName, Who } from "./who.tsx";

const FIRST = 12;
const MORE = 50;

/** What happened in all projects or in one: the newest, and more and more as long as someone asks. */
export function Activity({ project }: { project?: string }) {
  const [most, setMost] = useState(FIRST);
  const [count, setCount] = useState(KNOWN);
  const { entries, hasMore } = useEntries(project, count);
  const look = useLook(project ?? "");
  const [newer, older] = useMemo(() => storyOf(entries ?? [], look), [entries, look]);
  if (!can("history")) return null;
  const runs = [...newer, ...older];
  const showMore = () => {
    setMost(most + MORE);
    if (hasMore && runs.length <= most + MORE) setCount(count + KNOWN);
  };
  return (
    <Panel class="activity" title={words.activity.title}>
      {entries === undefined && <p class="soft">{words.app.loading}</p>}
      {entries?.length === 0 && <p class="soft">{words.activity.none}</p>}
      <ol class="feed">
        {runs.slice(0, most).map((run, at) => (
          <Fragment key={run[0].change + run[0].path}>
            {look !== undefined && at === newer.length && at > 0 && <Looked at={look} />}
            <Told run={run} showsProject={project === undefined} />
          </Fragment>
        ))}
      </ol>
      {(runs.length > most || hasMore) && (
        <button type="button" class="quiet" onClick={showMore}>
          {words.activity.more}
        </button>
      )}
    </Panel>
  );
}

/** No run goes on across the last look. */
function storyOf(entries: readonly Entry[], look = ""): [newer: Run[], older: Run[]] {
  const isNewer = ({ time }: Entry) => look !== "" && time > look;
  return [runsOf(entries.filter(isNewer)), runsOf(entries.filter((entry) => !isNewer(entry)))];
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
    if (value === undefined)
      return { entries: isAll ? all : undefined, hasMore: Number(all?.length) >= KNOWN };
    const outside = (all ?? []).filter(
      ({ isOutside, path }) => isOutside && (isAll || projectOf(path) === project),
    );
    const entries = newestFirst([...value.versions, ...outside]);
    return { entries, hasMore: value.total > value.versions.length };
  }, [all, value, project]);
}

function Looked({ at }: { at: string }) {
  const time = isOn(at, useToday()) ? TIME_OF_DAY.format(new Date(at)) : formatTime(at);
  return <li class="feed-looked">{say(words.activity.looked, { time })}</li>;
}

/** One change, or several that are alike. */
function Told({ run, showsProject }: { run: Run; showsProject: boolean }) {
  const [item] = run;
  const { path, change, end } = item;
  const when = useStore(clock, (now) => ago(end, now));
  const task = useStore(state, ({ tasks }) => taskAt(tasks, path));
  const own = task === undefined ? path.slice(path.indexOf("/") + 1) : taskName(task);
  const name = run.length === 1 ? own : nameOfRun(run);
  return (
    <li>
      <a
        class="soft feed-time"
        href={addressOf("document", { path, show: "history", change })}
        title={formatTime(end)}
      >
        <span class="unseen">{say(words.activity.differenceOf, { name })}</span>{" "}
        <time dateTime={end}>{when}</time>
      </a>
      <p>
        <Sentence item={item}>
          {run.length === 1 ? <a href={addressOf("document", { path })}>{name}</a> : name}
        </Sentence>
      </p>
      <More run={run} text={sentenceText(item, name)} showsProject={showsProject} />
    </li>
  );
}

/** `codex finished 003`, with elements in their places. */
export function Sentence({ item, children }: { item: Item; children: ComponentChildren }) {
  const parts = { who: <Who {...item.writer} />, did: words.activity.changes[actOf(item)], what: children };
  const split = words.activity.sentence.split(/\{(\w+)\}/);
  return <span>{split.map((part, at) => (at % 2 === 0 ? part : parts[part as keyof typeof parts]))}</span>;
}

function sentenceText(item: Item, what: string): string {
  const did = words.activity.changes[actOf(item)];
  return say(words.activity.sentence, { who: shownName(item.writer), did, what });
}

const MOST_DID = 6;

/** What changes did to a task: its status before and after, its fields, boxes and notes. */
export function WhatItDid({ of: { status, did } }: { of: Item }) {
  const moved = status?.map((one) => statusName(one) || "–").join(" → ");
  const all = [moved ?? [], didTexts(did.slice(-MOST_DID))].flat();
  return all.length === 0 ? null : <span dir="auto">{all.join(" · ")}</span>;
}

export function didTexts(did: NonNullable<Entry["did"]>): string[] {
  return [...groupBy(did, ({ what }) => what)].flatMap(([what, some]) => {
    const steps = some.map(({ to = "" }) => say(words.activity.quote, { text: to })).join(", ");
    if (what === "ticked") return say(words.activity.ticked, { steps });
    if (what === "unticked") return say(words.activity.unticked, { steps });
    if (what === "edited") return say(words.activity.edited, { steps });
    if (what === "noted") return steps;
    const [from = "", to = ""] = [some[0]?.from, some.at(-1)?.to];
    return from === to ? [] : fieldChange(what, from, to);
  });
}

function fieldChange(what: string, from: string, to: string): string {
  const name = what as TaskField;
  const nameOf = (value: string) => (what === "due" ? formatDay(value) : valueName(name, value)) || "–";
  const values = (from === "" ? [to] : [from, to]).map(nameOf);
  return `${what === "title" ? words.board.table.title : words.field.names[name]}: ${values.join(" → ")}`;
}

const MOST_NAMED = 3;

/** What changes did, and what can be done about them. */
function More({ run, text, showsProject }: { run: Run; text: string; showsProject: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [item] = run;
  const isOne = run.length === 1;
  const named = run.slice(-MOST_NAMED).map(({ path }) => shortName(path));
  const rest = run.length - named.length;
  return (
    <>
      <p class="soft feed-more">
        {isOne ? <WhatItDid of={item} /> : named.reverse().join(", ")}{" "}
        {rest > 0 && say(words.document.moreLinks, { count: rest })}{" "}
        {isOne && actOf(item) === "session" && <FirstLine path={item.path} />}{" "}
        {isOne && item.others > 0 && <span>{say(words.activity.others, { count: item.others })}</span>}{" "}
        {isOne && showsProject && <bdi>{projectOf(item.path)}</bdi>}{" "}
        {!isOne && (
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {words.activity.show}
          </button>
        )}{" "}
        <UndoButton text={text} run={run} />
      </p>
      {isOpen && (
        <ol>
          {run.map((one) => (
            <Told key={one.change + one.path} run={[one]} showsProject={false} />
          ))}
        </ol>
      )}
    </>
  );
}

function FirstLine({ path }: { path: string }) {
  const [line] = useSession(path)?.lines ?? [];
  return line === undefined ? null : <span dir="auto">{line}</span>;
}

/** `5 tasks in payments-api` */
function nameOfRun(run: Run): string {
  const areTasks = run.every(({ path }) => isTaskPath(path));
  const what = say(areTasks ? words.board.count : words.search.total, { count: run.length });
  return say(words.activity.inProject, { what, project: projectOf(run[0].path) });
}

/** What a document is called where its project is known: a task by its number. */
export function shortName(path: string): string {
  const file = baseName(path);
  return (isTaskPath(path) && parseTaskNumber(file)) || file;
}

function UndoButton({ text, run }: { text: string; run: Run }) {
  if (!can("restore_doc") || run[0].writer.kind === "outside") return null;
  const changes = new Set([...run].reverse().flatMap((item) => item.changes));
  const label = run.length === 1 ? words.app.undo : say(words.activity.undoThese, { count: run.length });
  const undo = () => void undoChanges(text, [...changes]);
  return (
    <button type="button" class="quiet" aria-label={`${label}: ${text}`} onClick={undo}>
      {label}
    </button>
  );
}
