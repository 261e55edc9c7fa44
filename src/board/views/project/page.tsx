import { useEffect, useState } from "preact/hooks";
import { perStatus } from "../../../core/notes/task/statuses.ts";
import { Activity } from "../../activity/feed.tsx";
import { useAnswer } from "../../answer.ts";
import { formatDay } from "../../dates.ts";
import { words } from "../../language.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { Panel } from "../../panel.tsx";
import { addressOf, route } from "../../route.ts";
import { SessionItem } from "../../session-item.tsx";
import type { Session } from "../../sessions.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { TaskCounts } from "./counts.tsx";
import { Files } from "./files.tsx";
import { OutdatedPanel } from "./outdated.tsx";
import { PlanPanel } from "./plan.tsx";
import { type ProjectNotes, readProject } from "./read.ts";
import "./project.css";

const GIT_MS = 3_000;

export function ProjectView() {
  const name = useStore(route, ({ parameters }) => parameters["name"] ?? "");
  return <ProjectPage key={name} name={name} />;
}

function ProjectPage({ name }: { name: string }) {
  const version = useStore(state, ({ changes }) => changes.get(name) ?? 0);
  const isKnown = useStore(state, ({ projects }) => projects.some((project) => project.name === name));
  const [isLate, setLate] = useState(false);
  // No answer waits for git, which then knows what of the notes is outdated.
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), GIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { value, problem } = useAnswer(`${version} ${isKnown} ${isLate}`, () => readProject(name));
  return (
    <div class="page">
      <header class="page-head">
        <h1>{name}</h1>
        <nav class="page-links" aria-label={name}>
          <a href={addressOf("board", { project: name })}>{words.app.board}</a>
        </nav>
      </header>
      {problem !== undefined && (
        <p class="panel problem-text" role="alert">
          {problem}
        </p>
      )}
      {value === undefined && problem === undefined && <p class="empty">{words.app.loading}</p>}
      {value !== undefined && (
        <div class="project-page">
          <div class="project-main">
            <StatusPanel path={`${name}/status.md`} text={value.status} />
            {value.plan && <PlanPanel plan={value.plan} />}
            <DecisionsPanel decisions={value.decisions} />
            <OutdatedPanel name={name} outdated={value.outdated} />
          </div>
          <div class="project-side">
            <TasksPanel name={name} leftOut={value.leftOut} />
            <Activity project={name} />
            <SessionsPanel sessions={value.sessions} />
            <Files name={name} folders={value.folders} totals={value.totals} />
          </div>
        </div>
      )}
    </div>
  );
}

function StatusPanel({ path, text }: { path: string; text: string | null }) {
  return (
    <Panel title={words.project.status}>
      {text === null && <p class="soft">{words.project.noStatus}</p>}
      {text !== null && (
        <>
          <Markdown text={text} path={path} isTitled />
          <a href={addressOf("document", { path })}>{words.project.read}</a>
        </>
      )}
    </Panel>
  );
}

function TasksPanel({ name, leftOut }: { name: string } & Pick<ProjectNotes, "leftOut">) {
  const tasks = useStore(state, (value) => value.tasks.get(name));
  if (tasks === undefined) return null;
  const counts = perStatus((status) => tasks.filter((task) => task.status === status).length);
  return (
    <Panel title={words.project.inTasks}>
      <TaskCounts counts={counts} />
      {leftOut.length > 0 && (
        <details class="project-folder">
          <summary>{words.project.leftOut}</summary>
          <ul class="rows">
            {leftOut.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

function SessionsPanel({ sessions }: { sessions: readonly Session[] }) {
  if (sessions.length === 0) return null;
  return (
    <Panel title={words.project.sessions}>
      <ul class="rows">
        {sessions.map((session) => (
          <li key={session.path}>
            <SessionItem
              session={session}
              name={[formatDay(session.day), session.topic].filter(Boolean).join(" · ")}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function DecisionsPanel({ decisions }: Pick<ProjectNotes, "decisions">) {
  if (decisions.length === 0) return null;
  return (
    <Panel title={words.project.decisions}>
      {decisions.map(({ path, day, text }) => (
        <article key={path} class="project-decisions">
          <p class="soft">
            <a href={addressOf("document", { path })}>{path.slice(path.indexOf("/") + 1)}</a> ·{" "}
            {formatDay(day)}
          </p>
          <Markdown text={text} path={path} />
        </article>
      ))}
    </Panel>
  );
}
