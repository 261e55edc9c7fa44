import { TASK_ORDERS, type TaskOrder } from "../../../notes/task/fields.ts";
import { Choice } from "../../choice.tsx";
import { isTaskField } from "../../fields.ts";
import { words } from "../../language.ts";
import { addressOf, route, setParameters } from "../../route.ts";
import { useStore } from "../../store.ts";
import { Drop } from "./drop.tsx";
import { LANES, LAYOUTS, type Layout } from "./layout.ts";

/** Columns, a table or a graph, with the same filters. */
export function Layouts({ show }: Pick<Layout, "show">) {
  const parameters = useStore(route, (value) => value.parameters);
  const texts = words.board.display.show;
  return (
    <nav class="board-layouts" aria-label={texts.title}>
      {(["", ...LAYOUTS] as const).map((one) => (
        <a
          key={one}
          href={addressOf("board", { ...parameters, show: one })}
          aria-current={one === (show ?? "") ? "true" : undefined}
        >
          {texts[one]}
        </a>
      ))}
    </nav>
  );
}

interface DisplayProps {
  layout: Layout;
  order: TaskOrder | undefined;
}

/** How the tasks are shown: all of it is in the address. */
export function Display({ layout: { show, lanes, isCompact }, order }: DisplayProps) {
  const { display, project, sort, urgency } = words.board;
  const laneNames = LANES.map((by) => [
    by,
    words.field.by(by === "project" ? project : words.field.names[by]),
  ]);
  return (
    <div class="board-display">
      <Drop name={display.title} isChosen={order !== undefined || lanes !== undefined || isCompact}>
        <Choice
          label={sort}
          value={order ?? ""}
          options={[["", urgency], ...TASK_ORDERS.map((one) => [one, orderName(one)] as const)]}
          onChoose={(chosen) => setParameters({ sort: chosen })}
        />
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
    </div>
  );
}

function orderName(order: TaskOrder): string {
  const { orders } = words.board;
  return isTaskField(order) ? words.field.sorted(words.field.names[order]) : orders[order];
}

interface OptionsProps<T extends string> {
  name: "lanes" | "cards";
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
