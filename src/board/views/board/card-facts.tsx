import { didText } from "../../activity/feed.tsx";
import { kindOf, writerOf } from "../../activity/groups.ts";
import type { Entry } from "../../activity/model.ts";
import { Owner } from "../../activity/owner.tsx";
import { hueOf, shownName } from "../../activity/who.tsx";
import { ago, clock } from "../../clock.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { useStore } from "../../store.ts";
import { FieldChip, PLAIN_FIELDS, Progress, Reason, StateChips, Tags } from "../../task-chips.tsx";
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

/** Why a task does not move, or what an agent does to it. */
export function CardLine({ task, last }: { task: Task; last: Entry | undefined }) {
  const isRecent = useStore(clock, (now) => last !== undefined && now - Date.parse(last.time) < PAUSE_MS);
  const { status, open_dependencies: open } = task;
  if (status === "blocked" && open.length === 0) return <Reason task={task} />;
  if (status !== "in-progress" || last === undefined || !isRecent) return null;
  return writerOf(last).kind === "agent" ? <LastWork entry={last} /> : null;
}

function LastWork({ entry }: { entry: Entry }) {
  const when = useStore(clock, (now) => ago(entry.time, now));
  const last = entry.did?.findLast(({ what }) => what === "ticked");
  return (
    <p class="card-line" dir="auto">
      <bdi>{shownName(writerOf(entry))}</bdi>{" "}
      {last === undefined ? words.activity.changes[kindOf(entry)] : didText(last)} · {when}
    </p>
  );
}
