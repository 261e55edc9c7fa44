import { useMemo } from "preact/hooks";
import { shownStatuses, type TaskStatus } from "../../../core/notes/task/statuses.ts";
import { useToday } from "../../clock.ts";
import { knownValues } from "../../fields.ts";
import type { Project } from "../../model.ts";
import { route } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { layoutOf } from "./layout.ts";
import { finished, moves } from "./moves.ts";
import { tableSortOf } from "./table-order.ts";
import { type Column, columnsOf, type Filter, filterOf, filterTasks, withMoves } from "./tasks.ts";

export interface BoardProps {
  board: ReturnType<typeof useBoard>;
}

/** The tasks that the board shows, as the address filters and orders them. */
export function useBoard() {
  const parameters = useStore(route, (value) => value.parameters);
  const tasks = useStore(state, (value) => value.tasks);
  const projects = useStore(state, (value) => value.projects);
  const moved = useStore(moves, (value) => value);
  const last = useStore(finished, (value) => value);
  const all = useMemo(() => withMoves([...tasks.values()].flat(), moved), [tasks, moved]);
  const filter = useFilter();
  const { project } = filter;
  const sort = tableSortOf(parameters["sort"]);
  const day = useToday();
  const shown = useMemo(() => filterTasks(all, filter, day), [all, filter, day]);
  const asked = useMemo(() => shownStatuses(shown, asksFor(projects, project)), [shown, projects, project]);
  const names = useMemo(() => projects.map(({ name }) => name), [projects]);
  const columns = useMemo(
    () => columnsOf(shown, { finished: last, asked, sort }),
    [shown, last, asked.join(), sort],
  );
  return {
    filter,
    sort,
    show: layoutOf(parameters["show"]),
    shown,
    columns,
    /** Beside others with cards, a column without any is narrow. */
    isStrip: ({ tasks }: Column) => tasks.length === 0 && shown.length > 0,
    known: useMemo(() => knownValues(filterTasks(all, { project })), [all, project]),
    names,
    /** On cards. */
    showsProject: names.length > 1 && !project,
    isLoading: useStore(state, (value) => !value.hasTasks),
    showsAll: parameters["done"] === "all",
  };
}

/** What the address filters by: the same object until it filters by something else. */
export function useFilter(): Filter {
  const key = useStore(route, ({ parameters }) => JSON.stringify(filterOf(parameters)));
  return useMemo(() => JSON.parse(key) as Filter, [key]);
}

/** A project that asks for reviews has a column for them. */
function asksFor(projects: readonly Project[], only: string | undefined): readonly TaskStatus[] {
  return projects.some(({ name, needs_review }) => needs_review && (!only || name === only))
    ? ["review"]
    : [];
}
