import { useState } from "preact/hooks";
import { bucketOf } from "../../../core/notes/plan/plan.ts";
import { aboutProject } from "../../../core/notes/project/about.ts";
import { perStatus } from "../../../core/notes/task/statuses.ts";
import { useSummary } from "../../answer.ts";
import { changing } from "../../changes.ts";
import { formatDay } from "../../dates.ts";
import { FormDialog } from "../../dialog.tsx";
import { say, words } from "../../language.ts";
import type { Project } from "../../model.ts";
import { addressOf, navigate } from "../../route.ts";
import { can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { TaskCounts } from "./counts.tsx";
import { byDay } from "./notes.ts";

export function ProjectList() {
  const projects = useStore(state, (value) => value.projects);
  const [isCreating, setCreating] = useState(false);
  return (
    <div class="page">
      <header class="page-head">
        <h1>{words.app.project}</h1>
        {can("init_project") && (
          <button type="button" onClick={() => setCreating(true)}>
            {words.project.create}
          </button>
        )}
      </header>
      {projects.length === 0 && <Nothing />}
      <ul class="project-list">
        {byDay(projects).map((project) => (
          <li key={project.name} class="panel">
            <ProjectCard project={project} />
          </li>
        ))}
      </ul>
      {isCreating && <NewProject onClose={() => setCreating(false)} />}
    </div>
  );
}

function Nothing() {
  return (
    <p class="empty">
      {words.board.noProjects}
      <br />
      {words.project.noneHint}
    </p>
  );
}

function ProjectCard({ project: { name, last_updated: updated, stats } }: { project: Project }) {
  const about = useSummary(`${name}/status.md`, aboutProject);
  const facts = [
    say(words.project.documents, { count: stats.total_docs }),
    updated && say(words.project.updated, { day: formatDay(updated) }),
    stats.last_session_date && say(words.project.lastSession, { day: formatDay(stats.last_session_date) }),
  ].filter(Boolean);
  const counts = perStatus((status) => stats[`${bucketOf(status)}_tasks`]);
  return (
    <>
      <h2>
        <a href={addressOf("project", { name })}>{name}</a>
      </h2>
      {about !== undefined && (
        <p class="project-about" dir="auto">
          {about}
        </p>
      )}
      <TaskCounts counts={counts} />
      <p class="soft project-facts">{facts.join(" · ")}</p>
    </>
  );
}

function NewProject({ onClose }: { onClose(): void }) {
  const submit = async (form: HTMLFormElement) => {
    const name = String(new FormData(form).get("name")).trim();
    const change = changing();
    const { project } = await change.call<{ project: string }>("init_project", { project: name });
    onClose();
    navigate("project", { name: project });
    change.done(say(words.project.created, { name: project }), () => navigate("project"));
  };
  return (
    <FormDialog title={words.project.create} action={words.board.create} submit={submit} onClose={onClose}>
      <label>
        {words.project.name}
        <input name="name" required autoComplete="off" spellcheck={false} aria-describedby="project-hint" />
      </label>
      <p id="project-hint" class="soft">
        {words.project.nameHint}
      </p>
    </FormDialog>
  );
}
