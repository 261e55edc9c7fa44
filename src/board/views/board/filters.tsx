import type { RefObject } from "preact";
import { words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { type Filter, isFiltered } from "./tasks.ts";

interface FiltersProps {
  filter: Filter;
  projects: readonly string[];
  tags: readonly string[];
  owners: readonly string[];
  text: RefObject<HTMLInputElement | null>;
}

export function Filters({ filter, projects, tags, owners, text }: FiltersProps) {
  const { project, tag, owner } = filter;
  return (
    <form class="board-filters" aria-label={words.board.filters} onSubmit={(event) => event.preventDefault()}>
      <input
        ref={text}
        type="search"
        aria-label={words.board.textHint}
        placeholder={words.board.textHint}
        value={filter.text ?? ""}
        onInput={({ currentTarget }) => setParameters({ text: currentTarget.value })}
      />
      <Choice field="project" value={project} all={words.board.allProjects} choices={projects} />
      {(tags.length > 0 || !!tag) && (
        <Choice field="tag" value={tag} all={words.board.allTags} choices={tags} />
      )}
      {(owners.length > 0 || !!owner) && (
        <Choice field="owner" value={owner} all={words.board.allOwners} choices={owners} />
      )}
      {isFiltered(filter) && <ClearButton />}
    </form>
  );
}

export function ClearButton() {
  const clear = () =>
    setParameters({ project: undefined, text: undefined, tag: undefined, owner: undefined });
  return (
    <button type="button" onClick={clear}>
      {words.board.clear}
    </button>
  );
}

interface ChoiceProps {
  field: "project" | "tag" | "owner";
  value: string | undefined;
  all: string;
  choices: readonly string[];
}

/** What the address asks for can be chosen even if no task has it. */
function Choice({ field, value = "", all, choices }: ChoiceProps) {
  const list = value === "" || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select
      class={value === "" ? "" : "board-chosen"}
      aria-label={words.board[field]}
      value={value}
      onChange={({ currentTarget }) => setParameters({ [field]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {list.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}
