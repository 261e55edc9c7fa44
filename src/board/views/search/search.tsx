import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../../answer.ts";
import { isComposing, type Key, useKeys } from "../../keys.ts";
import { words } from "../../language.ts";
import { addressOf, route, setParameters } from "../../route.ts";
import { useStore } from "../../store.ts";
import { focusView, useKeptFocus } from "../../view-focus.ts";
import { searchNotes } from "./read.ts";
import { Results } from "./results.tsx";
import type { SearchAnswer } from "./text.ts";
import "./search.css";

const PAUSE_MS = 150;

export function SearchView() {
  const [text, setText] = useQuery();
  const { query, answer } = useSearch();
  const page = useRef<HTMLDivElement>(null);
  const enter = useEnter(text.trim() === query && !answer.isLoading);
  // At once: the next key is for the field.
  useLayoutEffect(focusView, []);
  // The field gets the focus of a result that new results replace.
  useKeptFocus((before) => page.current?.contains(before) === true);
  useKeys(WALK);
  return (
    <div class="page search" ref={page}>
      <h1 class="unseen">{words.search.query}</h1>
      <search>
        <input
          class="search-field"
          type="search"
          data-start
          aria-label={words.search.query}
          placeholder={words.search.query}
          autoComplete="off"
          enterkeyhint="search"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={enter}
        />
      </search>
      {query === "" ? <Hint /> : <Results query={query} {...answer} />}
    </div>
  );
}

/** The text of the field. It moves into the address after a pause, and follows the address otherwise. */
function useQuery(): [string, (text: string) => void] {
  const query = useStore(route, ({ parameters }) => parameters["query"] ?? "");
  const [text, setText] = useState(query);
  const sent = useRef(query);
  useEffect(() => {
    if (query !== sent.current) setText(query);
    sent.current = query;
  }, [query]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      setParameters({ query: text, folder: undefined, limit: undefined });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** The answer to what the address asks for. */
function useSearch() {
  const parameters = useStore(route, (value) => value.parameters);
  const query = parameters["query"]?.trim() ?? "";
  const folder = parameters["folder"];
  const limit = parameters["limit"] === "100" ? 100 : 20;
  const args = { query, ...(folder && { folder }), limit };
  const answer = useAnswer<SearchAnswer | null>(JSON.stringify(args), async () =>
    query === "" ? null : searchNotes(args),
  );
  return { query, answer };
}

/** Enter in the field opens the best document, as soon as its results are there. */
function useEnter(isReady: boolean) {
  const isWanted = useRef(false);
  const open = () => document.querySelector<HTMLElement>(".search-result")?.click();
  useEffect(() => {
    if (!isReady || !isWanted.current) return;
    isWanted.current = false;
    open();
  }, [isReady]);
  return (event: KeyboardEvent) => {
    const isEnter = event.key === "Enter" && !isComposing(event);
    isWanted.current = isEnter && !isReady;
    if (!isEnter) return;
    event.preventDefault();
    if (isReady) open();
  };
}

/** Between the field and the results; elsewhere, these keys scroll. */
const WALK: Key[] = [
  {
    key: "ArrowDown",
    or: "ArrowUp",
    label: words.search.walk,
    also: "fields",
    when: (event) => nextStop(event) !== undefined,
    run: (event) => nextStop(event)?.focus(),
  },
];

function nextStop({ key }: KeyboardEvent): HTMLElement | undefined {
  const stops = [...document.querySelectorAll<HTMLElement>("[data-start], .search-result")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  return at === -1 ? undefined : stops[at + (key === "ArrowDown" ? 1 : -1)];
}

function Hint() {
  return (
    <div class="search-hint">
      <p>{words.search.hint}</p>
      <ul>
        {words.search.examples.map((query) => (
          <li key={query}>
            <a href={addressOf("search", { query })}>{query}</a>
          </li>
        ))}
      </ul>
      <p>{words.search.syntax}</p>
    </div>
  );
}
