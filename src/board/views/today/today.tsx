import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { taskName } from "../../../notes/names.ts";
import { Activity } from "../../activity/feed.tsx";
import { useToday } from "../../clock.ts";
import { formatDay, formatTime } from "../../dates.ts";
import { language, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { addressOf } from "../../route.ts";
import { SessionItem } from "../../session-item.tsx";
import { type State, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Reason, TaskChips } from "../../task-chips.tsx";
import { useSessions } from "../../use-sessions.ts";
import { blockersOf, groupTasks } from "./groups.ts";
import "./today.css";

export function TodayView() {
  const tasks = useStore(state, (value) => value.tasks);
  const isLoading = useStore(state, isReading);
  const day = useToday();
  const groups = useMemo(() => groupTasks([...tasks.values()].flat(), day), [tasks, day]);
  const { forYou, inProgress, blocked, due, done } = groups;
  const isCalm = forYou.length + inProgress.length + blocked.length + due.length === 0;
  return (
    <div class="page">
      <header class="page-head">
        <h1>{words.app.today}</h1>
        <time dateTime={day} class="soft">
          {new Intl.DateTimeFormat(language, { dateStyle: "full" }).format()}
        </time>
      </header>
      {isLoading && <p class="empty">{words.app.loading}</p>}
      {!isLoading && (
        <>
          {isCalm && <Calm />}
          <div class="today">
            {forYou.length > 0 && (
              <Group title={words.today.forYou} tasks={forYou} none="" all={{ state: "you" }} />
            )}
            <Group title={words.status["in-progress"]} tasks={inProgress} none={words.today.noInProgress} />
            <Group title={words.today.blocked} tasks={blocked} none={words.today.noBlocked} />
            <Group
              title={words.today.due}
              tasks={due}
              none={words.today.noDue}
              all={{ state: "overdue,due" }}
            />
            <div class="today-panel">
              <Activity />
            </div>
            <Sessions />
            <Group title={words.today.done} tasks={done} none={words.today.noDone} all={{ done: "all" }} />
          </div>
        </>
      )}
    </div>
  );
}

function Calm() {
  const hasProjects = useStore(state, ({ projects }) => projects.length > 0);
  return (
    <p class="panel today-calm">
      {words.today.calm}{" "}
      <a href={addressOf(hasProjects ? "board" : "project")}>
        {hasProjects ? words.today.toBoard : words.today.toProjects}
      </a>
    </p>
  );
}

function isReading({ connection, hasTasks }: State): boolean {
  return connection === "connecting" || !hasTasks;
}

/** More would push the next group out of sight. */
const FIRST = 10;

interface GroupProps {
  title: string;
  tasks: readonly Task[];
  none: string;
  /** Where all of them are. */
  all?: Record<string, string>;
}

function Group({ title, tasks, none, all }: GroupProps) {
  const rest = tasks.length - FIRST;
  return (
    <Panel title={title} count={tasks.length} none={none}>
      {tasks.slice(0, FIRST).map((task) => (
        <li key={task.path}>
          <TaskItem task={task} />
        </li>
      ))}
      {rest > 0 && (
        <li>
          <a href={addressOf("board", all)}>{words.document.moreLinks(rest)}</a>
        </li>
      )}
    </Panel>
  );
}

interface PanelProps {
  title: string;
  count: number;
  none: string;
  children: ComponentChildren;
}

function Panel({ title, count, none, children }: PanelProps) {
  return (
    <div class="today-panel">
      <section class="panel" aria-label={title}>
        <h2>
          {title} {count > 0 && <span class="soft">{count}</span>}
        </h2>
        {count === 0 ? <p class="soft">{none}</p> : <ul class="rows">{children}</ul>}
      </section>
    </div>
  );
}

function TaskItem({ task }: { task: Task }) {
  const { project, path, status, owner, held_until: end } = task;
  const isBlocked = status === "blocked";
  return (
    <>
      <div class="today-head">
        <a class="today-name" href={addressOf("document", { path })}>
          {taskName(task)}
        </a>
        <a class="soft today-where" href={addressOf("project", { name: project })}>
          {project}
        </a>
      </div>
      {owner !== null && end !== undefined && <p class="soft">{words.task.claim(owner, formatTime(end))}</p>}
      {isBlocked && <Blockers task={task} />}
      <TaskChips task={{ ...task, tags: [], ...(isBlocked && { open_dependencies: [] }) }} />
    </>
  );
}

function Blockers({ task }: { task: Task }) {
  const tasks = useStore(state, (value) => value.tasks.get(task.project));
  const blockers = blockersOf(task, tasks ?? []);
  if (blockers.length === 0) return <Reason task={task} />;
  return (
    <p class="soft">
      {words.today.waits}
      {blockers.map(({ reference, task: blocker }, at) => (
        <span key={reference}>
          {at > 0 && ", "}
          {blocker === undefined ? (
            reference
          ) : (
            <a href={addressOf("document", { path: blocker.path })}>{taskName(blocker)}</a>
          )}
        </span>
      ))}
    </p>
  );
}

function Sessions() {
  const sessions = useSessions();
  if (sessions === undefined) return null;
  const days = [...new Set(sessions.map(({ day }) => day))];
  return (
    <Panel title={words.today.sessions} count={sessions.length} none={words.project.noSessions}>
      {days.map((day) => (
        <li key={day} class="today-day">
          <time class="soft" dateTime={day}>
            {formatDay(day)}
          </time>
          <ul>
            {sessions
              .filter((session) => session.day === day)
              .map((session) => (
                <li key={session.path}>
                  <SessionItem
                    session={session}
                    name={[session.project, session.topic].filter(Boolean).join(" · ")}
                  />
                </li>
              ))}
          </ul>
        </li>
      ))}
    </Panel>
  );
}
