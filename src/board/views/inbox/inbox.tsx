import "./inbox.css";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { diffStart } from "../../../core/lib/diff.ts";
import { withoutTicks } from "../../../core/markdown/box.ts";
import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { noteLines } from "../../../core/notes/task/note-line.ts";
import { byUrgency } from "../../../core/notes/task/order.ts";
import { writerOf } from "../../activity/groups.ts";
import type { Entry, Page } from "../../activity/model.ts";
import { readHistory } from "../../activity/read.ts";
import { activity, KNOWN, lastLooks } from "../../activity/store.ts";
import { Mark, shownName } from "../../activity/who.tsx";
import { useAnswer } from "../../answer.ts";
import { ago, clock } from "../../clock.ts";
import { formatDay } from "../../dates.ts";
import { useKeys } from "../../keys.ts";
import { say, statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Decision } from "../../review.tsx";
import { route, setParameters } from "../../route.ts";
import { call, can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Facts, TitleText } from "../../task-facts.tsx";
import { Card } from "../board/card.tsx";
import { focusCard, useCardFocus } from "../board/focus.ts";
import { boardKeys } from "../board/keys.ts";
import { peeked } from "../board/peek/address.ts";
import { onCardClick, onShiftDown } from "../board/peek/click.ts";
import { Panel } from "../board/peek/peek.tsx";
import { useColumnTasks } from "../board/selection.ts";
import { SelectionBar } from "../board/selection-bar.tsx";
import { Diff } from "../document/diff.tsx";
import { readDocument } from "../document/read.ts";
import { readDiff, withoutStatusLine } from "../document/text.ts";
import { isLeft, waitsForYou } from "../today/groups.ts";
import { Group } from "../today/today.tsx";

/** What waits for the person, and beside the list the chosen task. */
export function InboxView() {
  const list = useRef<HTMLElement>(null);
  const follow = useCardFocus(list);
  const { tasks, chosen } = useWaiting();
  useColumnTasks(list, tasks);
  useKeys(useMemo(() => boardKeys().filter(({ key }) => key !== "Enter"), []));
  if (chosen === undefined) return <Nothing />;
  const { path, conflicts } = chosen;
  const at = tasks.indexOf(chosen);
  // Unless they went on by themselves.
  const goOn = () =>
    void (peeked() === path && setParameters({ task: (tasks[at + 1] ?? tasks[at - 1])?.path }));
  const isOffered = waitsForYou(chosen) && conflicts === undefined && can("update_task_status");
  const bottom = <>{isOffered && <Decision task={chosen} goOn={goOn} />}</>;
  return (
    <div class="inbox">
      <h1 class="unseen">{words.app.inbox}</h1>
      {/* biome-ignore lint/a11y: the keys of the board do the same. */}
      <section
        ref={list}
        data-column="inbox"
        onFocusIn={follow}
        onMouseDown={onShiftDown}
        onClick={onCardClick}
      >
        <h2>{words.today.you}</h2>
        <ul class="plain-list">
          {tasks.map((task) => (
            <li key={task.path}>
              <Card task={task} showsProject={false} facts={<Why task={task} />} />
            </li>
          ))}
        </ul>
      </section>
      <Panel key={path} path={path} inbox={{ top: <Since path={path} />, bottom }} />
      <SelectionBar tasks={tasks} />
    </div>
  );
}

/** What is on the screen stays until the person goes on, even if it waits no longer. */
function useWaiting() {
  const all = useStore(state, (value) => value.tasks);
  const path = useStore(route, ({ parameters }) => parameters["task"]);
  const tasks = useMemo(
    () => byUrgency([...all.values()].flat().filter((task) => waitsForYou(task) || task.path === path)),
    [all, path],
  );
  const chosen = tasks.find((task) => task.path === path) ?? tasks[0];
  useLayoutEffect(() => {
    if (chosen === undefined) return;
    setParameters({ task: chosen.path });
    focusCard(chosen.path);
  }, [chosen?.path]);
  return { tasks, chosen };
}

/** Why a task waits for a person, and how that looks. */
function whyOf(task: Task, isBack: boolean): [why: string, look: string] {
  const { status, conflicts, reason } = task;
  if (conflicts !== undefined) return [words.task.conflict, "bad"];
  if (isLeft(task)) return [words.review.left, "warn"];
  if (status === "review") return [isBack ? words.review.again : words.status.review, "good"];
  return [reason === undefined ? statusName(status) : words.review.asks, "warn"];
}

/** Why a task waits, for how long, and who did that. */
function Why({ task }: { task: Task }) {
  const { path, status, owner, conflicts, claimed_until, updated } = task;
  const entries = useStore(activity, (value) => value.entries);
  const own = entries?.filter((entry) => entry.path === path) ?? [];
  const begin = conflicts ? undefined : own.find((one) => one.status?.[1] === status);
  const entry = begin ?? own[0];
  const isOwner = begin === undefined && owner !== null;
  const by = isOwner ? { name: owner, kind: "agent" as const } : entry && writerOf(entry);
  const time = isLeft(task) ? claimed_until : entry?.time;
  const when = useStore(clock, (now) => (time === undefined ? formatDay(updated) : ago(time, now)));
  const [why, look] = whyOf(
    task,
    own.some((one) => one.status?.[0] === "review"),
  );
  return (
    <div class="facts card-facts">
      <div class="facts card-shown">
        <strong class={`fact ${look}`}>{why}</strong>
        <Facts task={task} names={["project", "progress"]} />
      </div>
      <span class="facts card-end">
        {by !== undefined && (
          <span class="fact" title={shownName(by)}>
            <Mark {...by} /> <span class="unseen">{shownName(by)}</span>
          </span>
        )}
        <span class="fact">{when}</span>
      </span>
    </div>
  );
}

/** The last words of whoever handed a task in, and all words that changed since the person looked. */
function Since({ path }: { path: string }) {
  const [look] = useState(() => lastLooks().get(path));
  const you = useStore(state, (value) => value.you);
  const last = useStore(activity, ({ latest }) => latest.get(path)?.change);
  const { value } = useAnswer(`${path} ${last}`, () => readSince(path, look));
  const title = useStore(clock, (now) =>
    look === undefined ? words.document.differences : say(words.review.since, { time: ago(look, now) }),
  );
  if (value === undefined) return null;
  const said = noteLines(value.text, you ?? null).at(-1);
  return (
    <>
      {said !== undefined && (
        <p class="panel review" dir="auto">
          <TitleText text={said.note} />{" "}
          <span class="soft">
            <bdi>{said.writer}</bdi>, {formatDay(said.day)}
          </span>
        </p>
      )}
      {value.lines.length > 0 && (
        <div class="panel review">
          <h2>{title}</h2>
          <Diff label={title} lines={value.lines} />
        </div>
      )}
    </>
  );
}

/** A person has seen what they left, and what a person changed. */
async function readSince(path: string, look: string | undefined) {
  const isSeen = ({ time, person }: Entry) => person === true || (look !== undefined && time <= look);
  const { versions } = can("history") ? await readHistory({ path }, KNOWN) : { versions: [] };
  const seen = versions.findIndex(isSeen);
  const since = seen === -1 ? versions : versions.slice(0, seen);
  const first = since.findLast(({ bytes }) => bytes !== undefined);
  const { content: text } = await readDocument(path);
  const before = first && (await call<Page>("history", { path: first.path, change: first.change }));
  const diff = diffStart(wordsOf(before?.content ?? text), wordsOf(text));
  return { text, lines: readDiff(diff).filter(({ mark, text }) => /[-+]/.test(mark) && text.trim() !== "") };
}

/** A text without what fields and boxes say. */
function wordsOf(text: string): string {
  const body = withoutStatusLine(text).slice(parseFrontmatter(text).bodyOffset);
  return withoutTicks(body).replace(/ +$/gm, "");
}

/** What agents do now. */
function Nothing() {
  const list = useRef<HTMLDivElement>(null);
  const follow = useCardFocus(list);
  const { tasks, hasTasks } = useStore(state, (value) => value);
  const held = [...tasks.values()].flatMap((list) => list.filter(({ held_until: end }) => end !== undefined));
  return (
    <div class="page" data-column="inbox" ref={list} onFocusIn={follow}>
      <h1>{words.today.you}</h1>
      <p class="empty">{hasTasks ? words.board.nothingWaits : words.app.loading}</p>
      {held.length > 0 && <Group title={words.rail.agents} tasks={byUrgency(held)} />}
    </div>
  );
}
