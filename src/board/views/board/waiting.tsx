import { useMemo } from "preact/hooks";
import { taskName } from "../../../core/notes/names.ts";
import { byUrgency } from "../../../core/notes/task/order.ts";
import { say, statusName, words } from "../../language.ts";
import { addressOf, route } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { waitsForYou } from "../today/groups.ts";

/** More would be another list. */
const MOST = 3;

/** What a person has to decide, in one line. */
export function Waiting() {
  const tasks = useStore(state, (value) => value.tasks);
  const waiting = useMemo(
    () => byUrgency([...tasks.values()].flatMap((list) => list.filter(waitsForYou))),
    [tasks],
  );
  const parameters = useStore(route, (value) => value.parameters);
  if (waiting.length === 0) return null;
  return (
    <p class="board-waiting">
      <a href={addressOf("inbox")}>{say(words.board.waiting, { count: waiting.length })}</a>
      {waiting.slice(0, MOST).map((task) => (
        <a key={task.path} class="soft" href={addressOf("board", { ...parameters, task: task.path })}>
          <bdi>{taskName(task)}</bdi>{" "}
          {task.conflicts === undefined ? statusName(task.status) : words.task.conflict}
        </a>
      ))}
    </p>
  );
}
