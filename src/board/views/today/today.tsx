import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Activity } from "../../activity/feed.tsx";
import { activity } from "../../activity/store.ts";
import { useToday } from "../../clock.ts";
import { formatDay } from "../../dates.ts";
import { language, say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Panel } from "../../panel.tsx";
import { addressOf } from "../../route.ts";
import { SessionItem } from "../../session-item.tsx";
import { type State, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { TitleText } from "../../task-facts.tsx";
import { useSessions } from "../../use-sessions.ts";
import { CardFacts, CardLine } from "../board/card-facts.tsx";
import { groupTasks } from "./groups.ts";
import "./today.css";

export function TodayView() {
  const isLoading = useStore(state, isReading);
  const day = useToday();
  return (
    <div class="page">
      <header class="page-head">
        <h1>{words.app.today}</h1>
        <time dateTime={day} class="soft">
          {new Intl.DateTimeFormat(language, { dateStyle: "full" }).format()}
        </time>
      </header>
      {isLoading ? <p class="empty">{words.app.loading}</p> : <Groups day={day} />}
    </div>
  );
}

function isReading({ connection, hasTasks }: State): boolean {
  return connection === "connecting" || !hasTasks;
}

function Groups({ day }: { day: string }) {
  const { today, status } = words;
  const tasks = useStore(state, (value) => value.tasks);
  const groups = useMemo(() => groupTasks([...tasks.values()].flat(), day), [tasks, day]);
  const { forYou, inProgress, blocked, due, done } = groups;
  return (
    <div class="today">
      {forYou.length > 0 && <Group title={today.you} tasks={forYou} all={{ state: "you" }} />}
      <Group title={status["in-progress"]} tasks={inProgress} />
      <Group title={status.blocked} tasks={blocked} />
      <Group title={today.due} tasks={due} all={{ state: "overdue,due" }} />
      <Part>
        <Activity />
      </Part>
      <Sessions />
      <Group title={today.done} tasks={done} all={{ done: "all" }} />
    </div>
  );
}

function Part({ children }: { children: ComponentChildren }) {
  return <div class="today-panel">{children}</div>;
}

/** More would push the next group out of sight. */
const FIRST = 10;

interface GroupProps {
  title: string;
  tasks: readonly Task[];
  /** Where all of them are. */
  all?: Record<string, string>;
}

export function Group({ title, tasks, all }: GroupProps) {
  const count = tasks.length;
  return (
    <Part>
      <Panel title={title} aside={count > 0 && <span class="soft">{count}</span>}>
        {count === 0 && <p class="soft">{words.board.empty}</p>}
        <ul class="rows">
          {tasks.slice(0, FIRST).map((task) => (
            <li key={task.path}>
              <TaskItem task={task} />
            </li>
          ))}
          {count > FIRST && (
            <li>
              <a href={addressOf("board", all)}>{say(words.document.moreLinks, { count: count - FIRST })}</a>
            </li>
          )}
        </ul>
      </Panel>
    </Part>
  );
}

function TaskItem({ task }: { task: Task }) {
  const { project, path } = task;
  const last = useStore(activity, ({ latest }) => latest.get(path));
  return (
    <>
      <div class="today-head">
        <a class="today-name" href={addressOf("document", { path })}>
          <TitleText text={task.title} />
        </a>
        <a class="soft today-where" href={addressOf("project", { name: project })}>
          {project}
        </a>
      </div>
      <CardFacts task={task} showsProject={false} />
      <CardLine task={task} last={last} />
    </>
  );
}

function Sessions() {
  const sessions = useSessions() ?? [];
  const days = [...new Set(sessions.map(({ day }) => day))];
  if (days.length === 0) return null;
  return (
    <Part>
      <Panel title={words.project.sessions}>
        <ul class="rows">
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
        </ul>
      </Panel>
    </Part>
  );
}
