import { words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { Drop } from "./drop.tsx";
import { LANES, LAYOUTS, type Layout } from "./layout.ts";

/** How the tasks are shown: all of it is in the address. */
export function Display({ layout: { show, lanes, isCompact } }: { layout: Layout }) {
  const { display, project } = words.board;
  const laneNames = LANES.map((by) => [
    by,
    words.field.by(by === "project" ? project : words.field.names[by]),
  ]);
  const isChosen = show !== undefined || lanes !== undefined || isCompact;
  return (
    <Drop name={display.title} isChosen={isChosen}>
      <Options name="show" value={show ?? ""} values={["", ...LAYOUTS]} texts={display.show} />
      {show === undefined && (
        <Options
          name="lanes"
          value={lanes ?? ""}
          values={["", ...LANES]}
          texts={{ ...display.lanes, ...Object.fromEntries(laneNames) }}
        />
      )}
      <Options
        name="cards"
        value={isCompact ? "compact" : ""}
        values={["", "compact"]}
        texts={display.cards}
      />
    </Drop>
  );
}

interface OptionsProps<T extends string> {
  name: "show" | "lanes" | "cards";
  value: T;
  /** `""` is the usual one. */
  values: readonly T[];
  texts: Readonly<Record<T | "title", string>>;
}

function Options<T extends string>({ name, value, values, texts }: OptionsProps<T>) {
  return (
    <fieldset>
      <legend>{texts.title}</legend>
      {values.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            checked={one === value}
            onChange={() => setParameters({ [name]: one })}
          />
          {texts[one]}
        </label>
      ))}
    </fieldset>
  );
}
