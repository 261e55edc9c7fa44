import "./title-line.css";
import type { TaskStatus } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import { report } from "../../notices.ts";
import { route } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { create, draft, projectFor } from "./create.tsx";

/** Tasks get their numbers in the order in which their titles were typed. */
let creating = Promise.resolve();

/** A line at the end of a column: a title and Enter make a task in it, and the line is for the next one. */
export function TitleLine({ status }: { status: TaskStatus }) {
  const projects = useStore(state, (value) => value.projects).map(({ name }) => name);
  const filtered = useStore(route, ({ parameters }) => parameters["project"]);
  const project = useStore(draft, () => projectFor(filtered, projects));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const line = (event.currentTarget as HTMLFormElement).elements[0] as HTMLInputElement;
    const title = line.value.trim();
    if (title === "") return;
    line.value = "";
    const give = () => create({ project, title, objective: "", status });
    creating = creating.then(give).then(
      () => {},
      (error) => {
        report(error, words.board.notCreated(title));
        line.value ||= title;
      },
    );
  };
  return (
    <form class="board-line" onSubmit={submit}>
      <input
        aria-label={words.board.titleIn(statusName(status))}
        placeholder={words.board.titleLine(projects.length > 1 ? project : "")}
        autoComplete="off"
        onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
      />
    </form>
  );
}
