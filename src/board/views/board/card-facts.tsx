import { saidIn } from "../../../core/notes/task/note-line.ts";
import { didTexts } from "../../activity/feed.tsx";
import { actOf, itemOf, writerOf } from "../../activity/groups.ts";
import type { Entry } from "../../activity/model.ts";
import { shownName } from "../../activity/who.tsx";
import { ago, clock } from "../../clock.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { useStore } from "../../store.ts";
import { Facts, isOpen, PLAIN_FIELDS } from "../../task-facts.tsx";
import { columnOf } from "./tasks.ts";

const MOST_TAGS = 2;

/** What a card says about its task in one line: what matters first at the left, as far as it fits; progress and owner at the right. */
export function CardFacts({ task, showsProject }: { task: Task; showsProject: boolean }) {
  return (
    <div class="facts card-facts">
      <div class="facts card-shown">
        <Facts task={task} names={showsProject ? ["priority", "project"] : ["priority"]} />
        {columnOf(task) === "other" && <span class="fact warn">{task.status ?? "–"}</span>}
        <Facts task={task} names={["state", "due", ...PLAIN_FIELDS]} />
        <span class="facts card-tags">
          <Facts task={task} names={["tags"]} most={MOST_TAGS} />
        </span>
      </div>
      <span class="facts card-end">
        <Facts task={task} names={isOpen(task) ? ["progress", "owner"] : ["owner"]} />
      </span>
    </div>
  );
}

/** An agent that changed nothing for so long works elsewhere. */
const PAUSE_MS = 30 * 60_000;

/** Why a task does not move that waits for no other, or what an agent does to it. */
export function CardLine({ task, last }: { task: Task; last: Entry | undefined }) {
  const isRecent = useStore(clock, (now) => last !== undefined && now - Date.parse(last.time) < PAUSE_MS);
  const { status, open_dependencies: open, reason } = task;
  if (reason !== undefined && open.length === 0)
    return (
      <p class="card-line" dir="auto">
        <q>{saidIn(reason)}</q>
      </p>
    );
  if (status !== "in-progress" || last === undefined || !isRecent) return null;
  return writerOf(last).kind === "agent" ? <LastWork entry={last} /> : null;
}

function LastWork({ entry }: { entry: Entry }) {
  const when = useStore(clock, (now) => ago(entry.time, now));
  const last = entry.did?.findLast(({ what }) => what === "ticked" || what === "noted");
  return (
    <p class="card-line" dir="auto">
      <bdi>{shownName(writerOf(entry))}</bdi>{" "}
      {last === undefined ? words.activity.changes[actOf(itemOf(entry))] : didTexts([last])} · {when}
    </p>
  );
}
