import { Choice } from "../../choice.tsx";
import { type Option, words } from "../../language.ts";
import { addressOf, route, setParameters } from "../../route.ts";
import { useStore } from "../../store.ts";
import { Drop } from "./drop.tsx";
import { LAYOUTS, type LayoutName } from "./layout.ts";
import { tableColumnName } from "./table.tsx";
import { TABLE_COLUMNS, type TableColumn } from "./table-order.ts";

/** Columns, a table or a graph, with the same filters. */
export function Layouts({ show }: { show: LayoutName | undefined }) {
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

/** In which order the tasks are shown, which is in the address. */
export function Display({ sort }: { sort: TableColumn | undefined }) {
  const { display, sort: label, urgency } = words.board;
  return (
    <div class="board-display">
      <Drop name={display.title} isChosen={sort !== undefined}>
        <Choice
          label={label}
          value={sort ?? ""}
          options={[["", urgency], ...TABLE_COLUMNS.map((one): Option => [one, tableColumnName(one)])]}
          onChoose={(chosen) => setParameters({ sort: chosen })}
        />
      </Drop>
    </div>
  );
}
