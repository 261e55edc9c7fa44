import { useMemo } from "preact/hooks";
import { ARCHIVE, STANDARD_FOLDERS } from "../../../core/notes/names.ts";
import { BOARD_STATUSES } from "../../../core/notes/task/statuses.ts";
import { Choice, sameNames } from "../../choice.tsx";
import { knownValues } from "../../fields.ts";
import { type Option, statusName, words } from "../../language.ts";
import { route, setParameters } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Suggest } from "../../suggest.tsx";

export function Filters() {
  const projects = useStore(state, (value) => value.projects);
  const names = projects.map(({ name }) => name);
  return (
    <fieldset class="search-filters">
      <legend class="unseen">{words.board.filters}</legend>
      <Filter name="project" label={words.board.table.project} options={sameNames(names)} />
      <Filter
        name="folder"
        label={words.document.folder}
        options={sameNames([...STANDARD_FOLDERS, ARCHIVE])}
      />
      <Filter
        name="status"
        label={words.board.table.status}
        options={BOARD_STATUSES.map((one) => [one, statusName(one)])}
      />
      <Tag />
    </fieldset>
  );
}

interface FilterProps {
  name: string;
  label: string;
  options: readonly Option[];
}

function Filter({ name, label, options }: FilterProps) {
  const chosen = useStore(route, ({ parameters }) => parameters[name] ?? "");
  return (
    <Choice
      label={label}
      value={chosen}
      options={[["", words.search.any], ...options]}
      onChoose={(value) => filter(name, value)}
    />
  );
}

/** One of the tasks' tags, or any other: documents have tags too. */
function Tag() {
  const tag = useStore(route, ({ parameters }) => parameters["tag"] ?? "");
  const tasks = useStore(state, (value) => value.tasks);
  const { tags = [] } = useMemo(() => knownValues([...tasks.values()].flat()), [tasks]);
  return (
    <Suggest
      label={words.board.tag}
      options={tags}
      value={tag}
      onType={(typed) => filter("tag", typed.replace(/^[#\s]+/, ""))}
    />
  );
}

function filter(name: string, value: string): void {
  setParameters({ [name]: value, limit: undefined });
}
