import { useState } from "preact/hooks";
import { browserStorage } from "../../browser-storage.ts";
import { words } from "../../language.ts";
import { announce } from "../../notices.ts";
import { addressOf, route } from "../../route.ts";
import { createStore, useStore } from "../../store.ts";
import { Drop } from "./drop.tsx";
import { readViews, type SavedView, viewQuery, withView } from "./saved-views.ts";

const KEY = "vibe-mcp-views";

const views = createStore<readonly SavedView[]>(readViews(browserStorage.getItem(KEY)));

/** Another tab saved or removed one. */
addEventListener("storage", ({ key, newValue }) => {
  if (key === KEY) views.update(() => readViews(newValue));
});

function change(next: readonly SavedView[]): boolean {
  views.update(() => next);
  return browserStorage.setItem(KEY, JSON.stringify(next));
}

/** Views that this browser keeps by their names; each is an address. */
export function SavedViews() {
  const all = useStore(views, (value) => value);
  const query = useStore(route, ({ parameters }) => viewQuery(parameters));
  const now = all.find((view) => view.query === query);
  return (
    <Drop name={now?.name ?? words.board.views.title} isChosen={now !== undefined}>
      {all.length > 0 && (
        <ul class="board-views">
          {all.map((view) => (
            <li key={view.name}>
              <a
                href={addressOf("board", Object.fromEntries(new URLSearchParams(view.query)))}
                aria-current={view === now ? "true" : undefined}
                dir="auto"
              >
                {view.name}
              </a>
              <button
                type="button"
                class="quiet"
                aria-label={words.board.views.remove(view.name)}
                onClick={() => change(all.filter((one) => one !== view))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <SaveForm query={query} all={all} />
    </Drop>
  );
}

function SaveForm({ query, all }: { query: string; all: readonly SavedView[] }) {
  const [name, setName] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    const isKept = change(withView(all, { name: name.trim(), query }));
    announce(isKept ? words.board.views.saved(name.trim()) : words.board.views.notSaved);
    setName("");
  };
  return (
    <form class="board-save" onSubmit={submit}>
      <input
        aria-label={words.board.views.name}
        placeholder={words.board.views.name}
        autoComplete="off"
        maxLength={100}
        required
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit">{words.board.views.save}</button>
    </form>
  );
}
