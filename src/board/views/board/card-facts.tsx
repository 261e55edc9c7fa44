import type { FieldValue } from "../../../notes/task/fields.ts";

import { valueName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { DueChip, FieldChip, isOpen, PLAIN_FIELDS, StateChips, Tags } from "../../task-chips.tsx";

const MOST_TAGS = 2;

/** What a card says about its task, each at its place: priority, state and tags at the left, due date at the right, progress on the lower edge. */
export function CardFacts({ task }: { task: Task }) {
  const { done, total } = task.progress;
  return (
    <div class="card-facts">
      <div class="chips">
        {isOpen(task) && task.priority !== undefined && <PriorityMark priority={task.priority} />}
        <StateChips task={task} />
        {PLAIN_FIELDS.map((name) => (
          <FieldChip key={name} task={task} name={name} />
        ))}
        <span class="chips card-tags">
          <Tags task={task} most={MOST_TAGS} />
        </span>
      </div>
      <span class="card-due">
        <DueChip task={task} />
      </span>
      {total > 0 && (
        <progress
          class="card-progress"
          value={done}
          max={total}
          aria-label={words.task.progress(done, total)}
          title={words.task.progress(done, total)}
        />
      )}
    </div>
  );
}

type Priority = FieldValue<"priority">;
const BARS: Record<Priority, number> = { low: 1, medium: 2, high: 3 };

/** One to three bars. */
function PriorityMark({ priority }: { priority: Priority }) {
  const name = valueName("priority", priority);
  return (
    <span class={`card-priority priority-${priority}`} title={name}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            class={bar <= BARS[priority] ? "" : "off"}
            x={bar * 5 - 4}
            y={14 - bar * 4}
            width="3"
            height={bar * 4}
            rx="1"
          />
        ))}
      </svg>
      <span class="unseen">{name}</span>
    </span>
  );
}

/** A title with its code marks. */
export function TitleText({ text }: { text: string }) {
  return (
    <>{text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
  );
}
