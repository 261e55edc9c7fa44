import { useState } from "preact/hooks";
import { factsOfField, type NewFields, type TaskField } from "../../../core/notes/task/fields.ts";
import { BOARD_STATUSES } from "../../../core/notes/task/statuses.ts";
import { say, statusName, valuesOf, withoutName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { changeAll, setFields } from "./change-all.ts";
import { moveTasks } from "./moves.ts";
import { DayPicker, knownFor, ListPicker, PersonPicker } from "./picker.tsx";
import { changedTags } from "./tasks.ts";

export type Choosable = "status" | TaskField;

/** What can be chosen for tasks: the key that asks, and the tool that sets it. */
export const FIELD_KEYS = [
  ["status", "s", "update_task_status"],
  ["priority", "p", "update_task"],
  ["owner", "a", "update_task"],
  ["due", "d", "update_task"],
  ["tags", "l", "update_task"],
] as const;

export function choosableName(what: Choosable): string {
  return what === "status" ? words.board.table.status : words.field.names[what];
}

interface ChooserProps {
  what: Choosable;
  /** It opens there. */
  button: Element;
  tasks: readonly Task[];
  onClose(): void;
}

/** Asks what tasks get: their status, or a field. */
export function Chooser({ what, tasks, ...place }: ChooserProps) {
  const popup = { ...place, label: choosableName(what) };
  // The person chooses for what stood there.
  const [seen] = useState(tasks);
  if (what === "status") {
    const statuses = BOARD_STATUSES.map((status) => [status, statusName(status)] as const);
    return <Choices {...popup} choices={statuses} onChoose={(status) => moveTasks(seen, { status })} />;
  }
  const { kind } = factsOfField(what);
  const picker = { ...popup, onChoose: (value: string | null) => update(tasks, () => ({ [what]: value })) };
  if (kind === "day") return <DayPicker {...picker} />;
  if (kind === "name") return <PersonPicker {...picker} />;
  if (kind === "list") {
    const listIn = (task: Task) => [task[what] ?? []].flat().map(String);
    const change = (added: readonly string[], removed: readonly string[]) =>
      update(tasks, (task) => ({ [what]: changedTags(listIn(task), added, removed) }));
    return <ListPicker {...popup} lists={tasks.map(listIn)} known={knownFor(what)} onChange={change} />;
  }
  return <Choices {...picker} choices={[...valuesOf(what), [null, withoutName(what)]]} />;
}

interface PopupProps extends Pick<ChooserProps, "button" | "onClose"> {
  label: string;
}

interface ChoicesProps<T> extends PopupProps {
  choices: readonly (readonly [T, string])[];
  onChoose(value: T): void;
}

function Choices<T extends string | null>({ choices, onChoose, ...popup }: ChoicesProps<T>) {
  return (
    <Popup {...popup}>
      {choices.map(([value, name]) => (
        <PopupButton key={value} onChoose={() => onChoose(value)}>
          {name}
        </PopupButton>
      ))}
    </Popup>
  );
}

export function update(tasks: readonly Task[], fields: (task: Task) => NewFields): void {
  const said = {
    done: (name: string) => say(words.board.changed, { name }),
    failed: (name: string) => say(words.board.notChanged, { name }),
  };
  void changeAll(tasks, (task, call) => setFields(call, task, fields(task)), said);
}
