import { kindOf, writerOf } from "../../activity/groups.ts";
import type { Entry } from "../../activity/model.ts";
import { Owner } from "../../activity/owner.tsx";
import { hueOf, shownName } from "../../activity/who.tsx";
import { ago, clock } from "../../clock.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { useStore } from "../../store.ts";
import { FieldChip, PLAIN_FIELDS, Progress, StateChips, Tags } from "../../task-chips.tsx";
import { columnOf } from "./tasks.ts";

const MOST_TAGS = 2;

/** What a card says about its task in one line, each at its place: what matters first at the left, progress and owner at the right. */
export function CardFacts({ task, showsProject }: { task: Task; showsProject: boolean }) {
  const { number, project, status } = task;
  return (
    <div class="facts card-facts">
      <FieldChip task={task} name="priority" />
      {number !== null && <span class="fact">{number}</span>}
      {showsProject && <ProjectDot name={project} />}
      {columnOf(task) === "other" && <span class="fact warn">{status ?? "–"}</span>}
      <StateChips task={task} />
      <FieldChip task={task} name="due" />
      {PLAIN_FIELDS.map((name) => (
        <FieldChip key={name} task={task} name={name} />
      ))}
      <span class="facts card-tags">
        <Tags task={task} most={MOST_TAGS} />
      </span>
      <span class="facts card-end">
        <Progress task={task} />
        <Owner task={task} />
      </span>
    </div>
  );
}

function ProjectDot({ name }: { name: string }) {
  return (
    <span class="fact board-project" style={{ "--hue": hueOf(name) }} title={name}>
      <bdi class="unseen">{name}</bdi>
    </span>
  );
}

/** An agent that changed nothing for so long works elsewhere. */
const PAUSE_MS = 30 * 60_000;

export function isAtWork({ status }: Task, last: Entry | undefined): last is Entry {
  return status === "in-progress" && last !== undefined && writerOf(last).kind === "agent";
}

/** What an agent did last on a task that it works on. */
export function AtWork({ last }: { last: Entry }) {
  const isNow = useStore(clock, (now) => now - Date.parse(last.time) < PAUSE_MS);
  const when = useStore(clock, (now) => ago(last.time, now));
  if (!isNow) return null;
  return (
    <p class="card-line">
      <bdi>{shownName(writerOf(last))}</bdi> {words.activity.changes[kindOf(last)]} · {when}
    </p>
  );
}
