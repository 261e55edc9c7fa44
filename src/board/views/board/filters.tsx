import type { RefObject } from "preact";
import { FILTERS, TASK_ORDERS, type TaskField, type TaskOrder } from "../../../notes/task/fields.ts";
import { Choice, sameNames, withChosen } from "../../choice.tsx";
import { isList, isTaskField, type Known } from "../../fields.ts";
import { type Option, valuesOf, words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { Display } from "./display.tsx";
import { Drop } from "./drop.tsx";
import type { Layout } from "./layout.ts";
import { chosenIn, type Filter as FilterValues, filterOf, isFiltered, NONE, STATES } from "./tasks.ts";

interface FiltersProps {
  filter: FilterValues;
  order: TaskOrder | undefined;
  layout: Layout;
  projects: readonly string[];
  known: Known;
  text: RefObject<HTMLInputElement | null>;
}

export function Filters({ filter, order, layout, projects, known, text }: FiltersProps) {
  const { board } = words;
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
      <Filter field="project" value={filter.project} all={board.allProjects} options={sameNames(projects)} />
      {FILTERS.map(({ name, flag }) => (
        <FieldFilter key={name} name={name} flag={flag} value={filter[flag]} known={known} />
      ))}
      <Several
        field="state"
        name={board.state}
        value={filter.state}
        options={STATES.map((one) => [one, board.states[one]])}
      />
      <Filter
        field="sort"
        value={order}
        all={board.urgency}
        options={TASK_ORDERS.map((one) => [one, orderName(one)])}
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

interface FieldFilterProps {
  name: TaskField;
  flag: string;
  value: string | undefined;
  known: Known;
}

/** None if there is nothing to choose from. */
function FieldFilter({ name, flag, value, known }: FieldFilterProps) {
  const values = [...valuesOf(name), ...sameNames(known[name] ?? [])];
  if (values.length === 0 && !value) return null;
  if (isList(name)) return <Filter field="tag" value={value} all={words.board.allTags} options={values} />;
  const label = words.field.names[name];
  const none: Option = [NONE, words.field.without(label)];
  return <Several field={flag} name={label} value={value} options={[...values, none]} />;
}

function orderName(order: TaskOrder): string {
  const { orders } = words.board;
  return isTaskField(order) ? words.field.sorted(words.field.names[order]) : orders[order];
}

interface FilterProps {
  field: "project" | "tag" | "sort";
  value: string | undefined;
  all: string;
  options: readonly Option[];
}

function Filter({ field, value = "", all, options }: FilterProps) {
  return (
    <Choice
      label={words.board[field]}
      value={value}
      options={[["", all], ...options]}
      isBare
      onChoose={(chosen) => setParameters({ [field]: chosen })}
    />
  );
}

interface SeveralProps {
  field: string;
  name: string;
  value: string | undefined;
  options: readonly Option[];
}

function Several({ field, name, value, options }: SeveralProps) {
  const chosen = chosenIn(value);
  const change = (one: string, isOn: boolean) =>
    setParameters({
      [field]: [...chosen.filter((other) => other !== one), ...(isOn ? [one] : [])].join(","),
    });
  return (
    <Drop name={chosen.length === 0 ? name : `${name} (${chosen.length})`} isChosen={chosen.length > 0}>
      <fieldset>
        <legend class="unseen">{name}</legend>
        {withChosen(options, chosen).map(([one, text]) => (
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
