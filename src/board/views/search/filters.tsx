import { useMemo } from "preact/hooks";
import { STANDARD_FOLDERS } from "../../../notes/names.ts";
import { BOARD_STATUSES } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import { route, setParameters } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";

export function Filters() {
  const projects = useStore(state, (value) => value.projects);
  const names = projects.map(({ name }) => name);
  return (
    <fieldset class="search-filters">
      <legend class="unseen">{words.search.filters}</legend>
      <Choice name="project" options={names} />
      <Choice name="folder" options={STANDARD_FOLDERS} />
      <Choice name="status" options={BOARD_STATUSES} nameOf={statusName} />
      <Tag />
    </fieldset>
  );
}

interface ChoiceProps {
  name: "project" | "folder" | "status";
  options: readonly string[];
  nameOf?(option: string): string;
}

function Choice({ name, options, nameOf = (option) => option }: ChoiceProps) {
  const chosen = useStore(route, ({ parameters }) => parameters[name] ?? "");
  const all = options.includes(chosen) || chosen === "" ? options : [...options, chosen];
  return (
    <label>
      {words.search[name]}
      <select value={chosen} onChange={({ currentTarget }) => filter(name, currentTarget.value)}>
        <option value="">{words.search.any}</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {nameOf(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One of the tasks' tags, or any other: documents have tags too. */
function Tag() {
  const tag = useStore(route, ({ parameters }) => parameters["tag"] ?? "");
  const tasks = useStore(state, (value) => value.tasks);
  const known = useMemo(
    () => [...new Set([...tasks.values()].flatMap((list) => list.flatMap(({ tags }) => tags)))].sort(),
    [tasks],
  );
  return (
    <label>
      {words.search.tag}
      <input
        value={tag}
        list="search-tags"
        autoComplete="off"
        onChange={({ currentTarget }) => filter("tag", currentTarget.value.trim().replace(/^#/, ""))}
      />
      <datalist id="search-tags">
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}

function filter(name: string, value: string): void {
  setParameters({ [name]: value, limit: undefined });
}
