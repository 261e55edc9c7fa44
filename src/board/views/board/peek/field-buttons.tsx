import { fieldText } from "../../../fields.ts";
import { statusName } from "../../../language.ts";
import type { Task } from "../../../model.ts";
import { can } from "../../../state.ts";
import { Facts, isOpen } from "../../../task-facts.tsx";
import { type Choosable, choosableName, FIELD_KEYS } from "../chooser.tsx";
import { ask } from "../menu.tsx";

/** The fields of a task, each a chip that opens its choice. */
export function FieldButtons({ task }: { task: Task }) {
  return (
    <div class="chips">
      {FIELD_KEYS.map(([what, , tool]) => (
        <FieldButton key={what} task={task} what={what} isWritable={can(tool)} />
      ))}
      <Facts task={task} names={["state"]} />
    </div>
  );
}

function FieldButton({ task, what, isWritable }: { task: Task; what: Choosable; isWritable: boolean }) {
  const name = choosableName(what);
  const text = what === "status" ? statusName(task.status) : fieldText(task, what);
  if (!isWritable && text === "") return null;
  const isShown = what !== "status" && text !== "" && isOpen(task);
  const content = isShown ? <Facts task={task} names={[what]} isNamed /> : text || `+ ${name}`;
  if (!isWritable) return <span class="chip">{content}</span>;
  return (
    <button
      type="button"
      class="chip"
      aria-haspopup="dialog"
      title={name}
      onClick={({ currentTarget }) => ask([task.path], currentTarget, what)}
    >
      {text !== "" && <span class="unseen">{name}: </span>}
      {content}
    </button>
  );
}
