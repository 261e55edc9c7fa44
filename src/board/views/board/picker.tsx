import { useState } from "preact/hooks";
import { fold } from "../../../core/lib/text.ts";
import { projectOf } from "../../../core/notes/names.ts";
import { isSameOwner } from "../../../core/notes/task/claim.ts";
import type { TaskField } from "../../../core/notes/task/fields.ts";
import { activity } from "../../activity/store.ts";
import { useToday } from "../../clock.ts";
import { formatDay } from "../../dates.ts";
import { namedDays, typedDay } from "../../due.ts";
import { knownValues, listOf } from "../../fields.ts";
import { language, say, words } from "../../language.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { route } from "../../route.ts";
import { state } from "../../state.ts";
import { filterTasks } from "./tasks.ts";

/** More are found by typing. */
const MOST = 10;

interface Choice {
  /** Null takes what is there away. */
  value: string | null;
  names: readonly string[];
  hint?: string | undefined;
}

interface PickerProps {
  label: string;
  button: Element;
  onClose(): void;
  onChoose(value: string | null): void;
}

interface OfferProps extends PickerProps {
  /** All that can be chosen at first. */
  choices: readonly Choice[];
  /** What a text means that names none of them; a choice, or why it is none. */
  read(text: string): Choice | string;
  example?: string;
}

/** A field above a list: what is typed leaves what begins with it, and Enter takes the first. */
function Picker({ choices, read, example, onChoose, ...popup }: OfferProps) {
  const [text, setText] = useState("");
  const typed = text.trim();
  const named = choices.filter(({ names }) => names.some((name) => fold(name).startsWith(fold(typed))));
  const isNamed = named.some(({ names }) => names.some((name) => fold(name) === fold(typed)));
  const meant = typed === "" || isNamed ? undefined : read(typed);
  const shown = typeof meant === "object" ? [...named.slice(0, MOST), meant] : named.slice(0, MOST);
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const [first] = shown;
    if (typed === "" || first === undefined) return;
    (event.currentTarget as Element).closest("dialog")?.close();
    onChoose(first.value);
  };
  return (
    <Popup {...popup}>
      <form onSubmit={take}>
        <input
          aria-label={popup.label}
          placeholder={example ?? popup.label}
          autoComplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      {shown.map(({ value, names: [name], hint }, at) => (
        <PopupButton
          key={value}
          class={typed !== "" && at === 0 ? "popup-first" : ""}
          hint={hint}
          onChoose={() => onChoose(value)}
        >
          <bdi>{name}</bdi>
        </PopupButton>
      ))}
      {shown.length === 0 && <p role="alert">{meant}</p>}
    </Popup>
  );
}

/** Days by their names, and any that is typed. */
export function DayPicker(props: PickerProps) {
  const today = useToday();
  const days = namedDays(today, language);
  const choices = days.map(({ day, names }) => ({ value: day, names, hint: formatDay(day) }));
  const last = days.at(-1)?.day ?? today;
  const figures = new Intl.DateTimeFormat(language, { day: "numeric", month: "numeric" });
  const example = `${figures.format(new Date(`${last}T00:00`))}, ${formatDay(last)}`;
  const read = (text: string) => {
    const day = typedDay(text, today, language);
    if (day === undefined) return say(words.field.noDay, { text, example });
    return { value: day, names: [formatDay(day)] };
  };
  const none = { value: null, names: [words.field.noDate] };
  return <Picker {...props} choices={[...choices, none]} read={read} example={example} />;
}

/** The person, agents at work, known owners, and any name that is typed. */
export function PersonPicker(props: PickerProps) {
  const [choices] = useState(people);
  return <Picker {...props} choices={choices} read={asTyped} />;
}

interface ListProps extends Omit<PickerProps, "onChoose"> {
  lists: readonly (readonly string[])[];
  known: readonly string[];
  onChange(added: readonly string[], removed: readonly string[]): void;
}

/** What all lists have, to take it away, and all else, to add it; a text may name several. */
export function ListPicker({ lists, known, onChange, ...popup }: ListProps) {
  const [held] = useState(() => known.filter((one) => lists.every((list) => list.includes(one))));
  const others = known.filter((one) => !held.includes(one));
  const choices = [
    ...held.map((value) => ({ value, names: [say(words.field.take, { name: value }), value] })),
    ...others.map(asTyped),
  ];
  const choose = (value: string | null) => {
    const text = value ?? "";
    if (held.includes(text)) onChange([], [text]);
    else onChange(known.includes(text) ? [text] : listOf(text), []);
  };
  return <Picker {...popup} choices={choices} read={asTyped} onChoose={choose} />;
}

/** Any text is one. */
function asTyped(text: string): Choice {
  return { value: text, names: [text] };
}

function people(): Choice[] {
  const { you, tasks } = state.get();
  const held = [...tasks.values()].flat().filter(({ held_until: end }) => end !== undefined);
  const names = [...held.map(({ owner }) => owner ?? ""), ...activity.get().agents, ...knownFor("owner")];
  const others = [...new Set(names)].filter((name) => name !== "" && !isSameOwner(name, you ?? null));
  return [
    ...(you === undefined ? [] : [{ value: you, names: [words.field.me, you], hint: you }]),
    { value: null, names: [words.field.nobody] },
    ...others.map(asTyped),
  ];
}

/** The values of the project that is shown, or of all. */
export function knownFor(field: TaskField): readonly string[] {
  const { project, path = "" } = route.get().parameters;
  const all = [...state.get().tasks.values()].flat();
  return knownValues(filterTasks(all, { project: project || projectOf(path) }))[field] ?? [];
}
