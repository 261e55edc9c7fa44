import type { RefObject } from "preact";
import { PRIORITIES, TASK_ORDERS, type TaskOrder } from "../../../notes/task/fields.ts";
import { words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { Display } from "./display.tsx";
import { Drop } from "./drop.tsx";
import type { Layout } from "./layout.ts";
import { type Filter, filterOf, isFiltered, NONE, STATES, valuesOf } from "./tasks.ts";

interface FiltersProps {
  filter: Filter;
  order: TaskOrder | undefined;
  layout: Layout;
  projects: readonly string[];
  tags: readonly string[];
  owners: readonly string[];
  text: RefObject<HTMLInputElement | null>;
}

type Option = readonly [value: string, name: string];

export function Filters({ filter, order, layout, projects, tags, owners, text }: FiltersProps) {
  const { project, tag, owner, priority, state } = filter;
  const { board, task } = words;
  const same = (list: readonly string[]): Option[] => list.map((one) => [one, one]);
  return (
    <form class="board-filters" aria-label={board.filters} onSubmit={(event) => event.preventDefault()}>
      <input
        ref={text}
        type="search"
        aria-label={board.textHint}
        placeholder={board.textHint}
        value={filter.text ?? ""}
        onInput={({ currentTarget }) => setParameters({ text: currentTarget.value })}
      />
      <Choice field="project" value={project} all={board.allProjects} choices={same(projects)} />
      {(tags.length > 0 || !!tag) && (
        <Choice field="tag" value={tag} all={board.allTags} choices={same(tags)} />
      )}
      {(owners.length > 0 || !!owner) && (
        <Several field="owner" value={owner} choices={[...same(owners), [NONE, board.noOwner]]} />
      )}
      <Several
        field="priority"
        value={priority}
        choices={[...PRIORITIES.map((one): Option => [one, task.priority[one]]), [NONE, board.noPriority]]}
      />
      <Several field="state" value={state} choices={STATES.map((one) => [one, board.states[one]])} />
      <Choice
        field="sort"
        value={order}
        all={board.urgency}
        choices={TASK_ORDERS.map((one) => [one, board.orders[one]])}
      />
      <Display layout={layout} />
      {isFiltered(filter) && <ClearButton />}
    </form>
  );
}

export function ClearButton() {
  return (
    <button type="button" onClick={() => setParameters(filterOf({}))}>
      {words.board.clear}
    </button>
  );
}

interface ChoiceProps {
  field: "project" | "tag" | "sort";
  value: string | undefined;
  all: string;
  choices: readonly Option[];
}

/** What the address asks for can be chosen even if no task has it. */
function withChosen(choices: readonly Option[], chosen: readonly string[]): readonly Option[] {
  const missing = chosen.filter((value) => !choices.some(([one]) => one === value));
  return [...missing.map((value): Option => [value, value]), ...choices];
}

function Choice({ field, value = "", all, choices }: ChoiceProps) {
  return (
    <select
      class={value === "" ? "" : "board-chosen"}
      aria-label={words.board[field]}
      value={value}
      onChange={({ currentTarget }) => setParameters({ [field]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {withChosen(choices, value === "" ? [] : [value]).map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface SeveralProps {
  field: "owner" | "priority" | "state";
  value: string | undefined;
  choices: readonly Option[];
}

function Several({ field, value, choices }: SeveralProps) {
  const chosen = valuesOf(value);
  const change = (one: string, isOn: boolean) =>
    setParameters({
      [field]: [...chosen.filter((other) => other !== one), ...(isOn ? [one] : [])].join(","),
    });
  const name = words.board[field];
  return (
    <Drop name={chosen.length === 0 ? name : `${name} (${chosen.length})`} isChosen={chosen.length > 0}>
      <fieldset>
        <legend class="unseen">{name}</legend>
        {withChosen(choices, chosen).map(([one, text]) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ currentTarget }) => change(one, currentTarget.checked)}
            />
            <bdi>{text}</bdi>
          </label>
        ))}
      </fieldset>
    </Drop>
  );
}
