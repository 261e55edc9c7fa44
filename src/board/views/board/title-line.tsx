import type { TaskStatus } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import { Line } from "../../line.tsx";
import { route } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { create, draft, projectFor } from "./create.tsx";

/** Tasks get their numbers in the order in which their titles were typed. */
let creating: Promise<unknown> = Promise.resolve();

/** At the end of a column: a title and Enter make a task in it. */
export function TitleLine({ status }: { status: TaskStatus }) {
  const projects = useStore(state, (value) => value.projects).map(({ name }) => name);
  const filtered = useStore(route, ({ parameters }) => parameters["project"]);
  const project = useStore(draft, () => projectFor(filtered, projects));
  const enter = (title: string) => {
    const created = creating.then(() => create({ project, title, objective: "", status }));
    creating = created.catch(() => {});
    return created;
  };
  return (
    <Line
      label={words.board.titleIn(statusName(status))}
      placeholder={words.board.titleLine(projects.length > 1 ? project : "")}
      onEnter={enter}
      failed={words.board.notCreated}
    />
  );
}
