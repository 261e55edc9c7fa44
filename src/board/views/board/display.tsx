import { Choice } from "../../choice.tsx";
import { type Option, words } from "../../language.ts";
import { addressOf, route, setParameters } from "../../route.ts";
import { useStore } from "../../store.ts";
import { Drop } from "./drop.tsx";
import { LAYOUTS, type Layout } from "./layout.ts";
import { tableColumnName } from "./table.tsx";
import { type Sort, TABLE_COLUMNS } from "./table-order.ts";

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
  sort: Sort;
}

/** How the tasks are shown: all of it is in the address. */
export function Display({ layout: { isCompact }, sort }: DisplayProps) {
  const { display, sort: sortTitle, urgency } = words.board;
  return (
    <div class="board-display">
      <Drop name={display.title} isChosen={sort !== undefined || isCompact}>
        <Setting
          name="sort"
          label={sortTitle}
          value={sort?.by ?? ""}
          options={[["", urgency], ...TABLE_COLUMNS.map((one): Option => [one, tableColumnName(one)])]}
        />
        <Setting
          name="cards"
          label={display.cards.title}
          value={isCompact ? "compact" : ""}
          options={(["", "compact"] as const).map((one) => [one, display.cards[one]])}
        />
      </Drop>
    </div>
  );
}

interface SettingProps {
  name: "sort" | "cards";
  label: string;
  value: string;
  /** `""` is the usual one. */
  options: readonly Option[];
}

function Setting({ name, label, value, options }: SettingProps) {
  return (
    <Choice
      label={label}
      value={value}
      options={options}
      onChoose={(chosen) => setParameters({ [name]: chosen })}
    />
  );
}
