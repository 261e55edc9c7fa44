import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { taskName } from "../../../core/notes/names.ts";
import { Activity } from "../../activity/feed.tsx";
import { activity } from "../../activity/store.ts";
import { hueOf } from "../../activity/who.tsx";
import { clock, timeLeft, useToday } from "../../clock.ts";
import { addDays } from "../../due.ts";
import { useKeys } from "../../keys.ts";
import { language, say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { addressOf } from "../../route.ts";
import { can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Facts, TitleText } from "../../task-facts.tsx";
import { CardLine } from "../board/card-facts.tsx";
import { TitleLine } from "../board/create.tsx";
import { useCardFocus } from "../board/focus.ts";
import { boardKeys } from "../board/keys.ts";
import { pageOf } from "../board/peek/address.ts";
import { onCardClick, onShiftDown } from "../board/peek/click.ts";
import { Peek } from "../board/peek/peek.tsx";
import { useColumnTasks, useSelected } from "../board/selection.ts";
import { SelectionBar } from "../board/selection-bar.tsx";
import { groupTasks, waitsForYou } from "./groups.ts";
import "./today.css";

export function TodayView() {
  const hasTasks = useStore(state, (value) => value.hasTasks);
  const all = useStore(state, (value) => value.tasks);
  const tasks = useMemo(() => [...all.values()].flat(), [all]);
  const day = useToday();
  const date = new Intl.DateTimeFormat(language, { weekday: "long", month: "long", day: "numeric" });
  return (
    <>
      <div class="page today">
        <header>
          <h1 class="unseen">{words.app.today}</h1>
          <time dateTime={day}>{date.format()}</time>
          <Counts tasks={tasks} day={day} />
        </header>
        {hasTasks ? <Tasks tasks={tasks} day={day} /> : <p class="empty">{words.app.loading}</p>}
        <Activity />
      </div>
      <Peek />
    </>
  );
}

interface DayProps {
  tasks: readonly Task[];
  day: string;
}

/** `3 agents at work · 4 wait for you · 5 done since yesterday`, without what is none. */
function Counts({ tasks, day }: DayProps) {
  const agents = new Set(tasks.flatMap(({ held_until, owner }) => (held_until && owner) || [])).size;
  const waiting = tasks.filter(waitsForYou).length;
  const finished = tasks.filter(({ status }) => status === "done");
  const done = finished.filter(({ updated }) => updated >= addDays(day, -1)).length;
  return (
    <p class="soft today-counts">
      {agents > 0 && <span>{say(words.today.agents, { count: agents })}</span>}
      {waiting > 0 && <a href={addressOf("inbox")}>{say(words.today.waiting, { count: waiting })}</a>}
      {done > 0 && <span>{say(words.today.done, { count: done })}</span>}
    </p>
  );
}

function Tasks({ tasks, day }: DayProps) {
  const list = useRef<HTMLElement>(null);
  const follow = useCardFocus(list);
  const { planned, inProgress, stuck, underWay } = useMemo(() => groupTasks(tasks, day), [tasks, day]);
  const shown = [...planned, ...inProgress, ...stuck];
  useColumnTasks(list, shown);
  useKeys(useMemo(() => boardKeys().filter(({ key }) => key !== "f"), []));
  const rest = underWay > 0 && say(words.today.underWay, { count: underWay });
  return (
    // biome-ignore lint/a11y: the keys of the board do the same.
    <section
      ref={list}
      data-column="today"
      onFocusIn={follow}
      onMouseDown={onShiftDown}
      onClick={onCardClick}
    >
      <Group title={words.today.plan} tasks={planned}>
        {planned.length === 0 && can("update_task") && <p class="soft">{words.today.none}</p>}
        {can("create_task") && <TitleLine status="pending" due={day} list={words.today.plan} />}
      </Group>
      <Group title={words.status["in-progress"]} tasks={inProgress} />
      <Group title={words.today.stuck} tasks={stuck} aside={rest} />
      <SelectionBar tasks={shown} />
    </section>
  );
}

/** More would push the next group out of sight. */
const FIRST = 10;

interface GroupProps {
  title: string;
  tasks: readonly Task[];
  /** What stands beside their number. */
  aside?: string | false;
  /** Below them. */
  children?: ComponentChildren;
}

export function Group({ title, tasks, aside = false, children }: GroupProps) {
  const { length: count } = tasks;
  if (count === 0 && !aside && children === undefined) return null;
  const rest = count - FIRST;
  return (
    <section class="today-group" aria-label={title}>
      <h2>
        {title} <span class="soft">{[count || "", aside].filter(Boolean).join(" · ")}</span>
      </h2>
      {tasks.slice(0, FIRST).map((task) => (
        <Row key={task.path} task={task} />
      ))}
      {rest > 0 && <a href={addressOf("board")}>{say(words.document.moreLinks, { count: rest })}</a>}
      {children}
    </section>
  );
}

function Row({ task }: { task: Task }) {
  const { path, project, number, title, owner, held_until: end } = task;
  const last = useStore(activity, ({ latest }) => latest.get(path));
  const left = useStore(clock, (now) => (end === undefined ? undefined : timeLeft(end, now)));
  const isSelected = useSelected(path);
  return (
    <article
      class={`today-row ${isSelected ? "selected" : ""}`}
      tabIndex={-1}
      aria-label={taskName(task)}
      data-path={path}
    >
      {owner === null && <span class="dot" style={{ "--hue": hueOf(project) }} />}
      <Facts task={task} names={["owner"]} />
      <div>
        <a class="today-name" href={pageOf(path)} tabIndex={-1} dir="auto">
          <TitleText text={title} />
        </a>
        <CardLine task={task} last={last} />
      </div>
      <span class="facts">
        {left !== undefined && <span class="fact">{say(words.activity.left, { time: left })}</span>}
        <Facts task={task} names={["state", "due"]} />
        <bdi class="fact">
          {project} {number}
        </bdi>
      </span>
    </article>
  );
}
