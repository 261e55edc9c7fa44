import { useRef } from "preact/hooks";
import { isSameOwner } from "../../../core/notes/task/claim.ts";
import { FILTERS, type TaskField } from "../../../core/notes/task/fields.ts";
import { Choice, sameNames, withChosen } from "../../choice.tsx";
import { isList, type Known } from "../../fields.ts";
import { IconButton } from "../../icon.tsx";
import { type Option, say, valuesOf, withoutName, words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Drop } from "./drop.tsx";
import { chosenIn, type Filter as FilterValues, filterOf, isFiltered, NONE, STATES } from "./tasks.ts";
import type { BoardProps } from "./use-board.ts";

type Field = keyof FilterValues;

interface Shown {
  field: Field;
  name: string;
  options: readonly Option[];
  /** What stands for no filter, where only one value may be chosen. */
  all?: string;
}

/** A chip for each filter that is set, and a menu of all. */
export function Filters({ board: { filter, names, known } }: BoardProps) {
  const form = useRef<HTMLFormElement>(null);
  const you = useStore(state, (value) => value.you);
  const fields = fieldsOf(names, known, you).filter(
    ({ field, options }) => options.length > 0 || filter[field],
  );
  const remove = (field: Field) => {
    setParameters({ [field]: undefined });
    form.current?.querySelector("summary")?.focus();
  };
  return (
    <form
      ref={form}
      class="board-filters"
      aria-label={words.board.filters}
      onSubmit={(event) => event.preventDefault()}
    >
      {filter.text && <Chip text={`“${filter.text}”`} onRemove={() => remove("text")} />}
      {fields.map((one) => {
        const chosen = namesOf(one, filter[one.field]);
        return (
          chosen && (
            <Chip key={one.field} text={`${one.name}: ${chosen}`} onRemove={() => remove(one.field)} />
          )
        );
      })}
      <Drop name={words.board.addFilter} isChosen={false}>
        <input
          type="search"
          aria-label={words.board.textHint}
          placeholder={words.board.textHint}
          value={filter.text ?? ""}
          onInput={({ currentTarget }) => setParameters({ text: currentTarget.value })}
        />
        {fields.map((one) => (
          <Filter key={one.field} {...one} value={filter[one.field]} />
        ))}
        {isFiltered(filter) && <ClearButton />}
      </Drop>
    </form>
  );
}

/** Opens the menu, for the key that leads to its text. */
export function focusText(): void {
  const text = document.querySelector<HTMLElement>(".board-filters [type=search]");
  text?.closest("details")?.setAttribute("open", "");
  text?.focus();
}

function Chip({ text, onRemove }: { text: string; onRemove(): void }) {
  return (
    <span class="filter-chip">
      <bdi>{text}</bdi>
      <IconButton
        name={say(words.board.removeFilter, { filter: text })}
        path="M4.5 4.5l7 7M11.5 4.5l-7 7"
        onClick={onRemove}
      />
    </span>
  );
}

export function ClearButton() {
  return (
    <button type="button" onClick={() => setParameters(filterOf({}))}>
      {words.board.clear}
    </button>
  );
}

function fieldsOf(projects: readonly string[], known: Known, you: string | undefined): Shown[] {
  const { board, field } = words;
  return [
    { field: "project", name: board.table.project, all: board.allProjects, options: sameNames(projects) },
    ...FILTERS.map(({ name, flag }): Shown => {
      const found = sameNames(known[name] ?? []);
      const isYours = ([value]: Option) => name === "owner" && isSameOwner(value, you ?? null);
      const values = [
        ...valuesOf(name),
        ...found.filter(isYours).map(([value]): Option => [value, board.mine]),
        ...found.filter((one) => !isYours(one)),
      ];
      if (isList(name)) return { field: flag, name: board.tag, all: board.allTags, options: values };
      return {
        field: flag,
        name: field.names[name],
        options: values.length > 0 ? [...values, noneOf(name)] : [],
      };
    }),
    { field: "state", name: board.state, options: STATES.map((one) => [one, board.states[one]]) },
  ];
}

function noneOf(name: TaskField): Option {
  return [NONE, withoutName(name)];
}

/** What is chosen, in words; empty if nothing is. */
function namesOf({ options, all }: Shown, value = ""): string {
  const chosen = all === undefined ? chosenIn(value) : [value].filter(Boolean);
  return chosen.map((one) => options.find(([option]) => option === one)?.[1] ?? one).join(", ");
}

function Filter({ field, name, options, all, value = "" }: Shown & { value: string | undefined }) {
  if (all !== undefined)
    return (
      <Choice
        label={name}
        value={value}
        options={[["", all], ...options]}
        onChoose={(chosen) => setParameters({ [field]: chosen })}
      />
    );
  const chosen = chosenIn(value);
  const change = (one: string, isOn: boolean) =>
    setParameters({
      [field]: [...chosen.filter((other) => other !== one), ...(isOn ? [one] : [])].join(","),
    });
  return (
    <fieldset>
      <legend>{name}</legend>
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
  );
}
