import { partsOf } from "../../../core/lib/marks.ts";
import { ARCHIVE, taskName } from "../../../core/notes/names.ts";
import type { Answer } from "../../answer.ts";
import { formatDay } from "../../dates.ts";
import { say, statusName, words } from "../../language.ts";
import { addressOf, route, setParameters } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { taskAt } from "../../task-list.ts";
import { type Found, headingOf, type SearchAnswer, titleOf } from "./text.ts";

const MOST = 100;

export function Results({
  query,
  value,
  problem,
  isLoading,
}: Answer<SearchAnswer | null> & { query: string }) {
  const found = problem === undefined ? value : undefined;
  const results = found?.results ?? [];
  const canGrow = results.length < Math.min(found?.total_matches ?? 0, MOST);
  return (
    <section aria-label={words.search.results} aria-busy={isLoading}>
      <div class="search-summary" role="status">
        {problem !== undefined && <p>{problem}</p>}
        {found && <Summary found={found} query={query} />}
      </div>
      <ol class="search-results">
        {results.map((result) => (
          <li key={`${result.path} ${result.heading}`}>
            <ResultLink result={result} />
          </li>
        ))}
      </ol>
      {canGrow && (
        <button type="button" onClick={() => setParameters({ limit: String(MOST) })}>
          {words.activity.more}
        </button>
      )}
    </section>
  );
}

function Summary({ found, query }: { found: SearchAnswer; query: string }) {
  const {
    corrected_query: corrected,
    missing_words: missing = [],
    weak,
    archived_matches: archived,
    total_matches: total,
    results,
  } = found;
  const isCorrected = corrected !== undefined && corrected !== query;
  return (
    <>
      <p>
        {isCorrected && `${say(words.search.corrected, { query: corrected })} `}
        {total === 0 && words.search.none}
        {total > results.length && say(words.search.part, { shown: results.length, total })}
        {total > 0 && total === results.length && say(words.search.total, { count: total })}
      </p>
      {missing.length > 0 && <p>{say(words.search.missing, { list: missing.join(", ") })}</p>}
      {weak && <p>{words.search.weak}</p>}
      {archived !== undefined && (
        <p>
          <a href={addressOf("search", { ...route.get().parameters, folder: ARCHIVE, limit: undefined })}>
            {say(words.search.archived, { count: archived })}
          </a>
        </p>
      )}
    </>
  );
}

function ResultLink({ result }: { result: Found }) {
  const { path, heading, snippet, more, metadata } = result;
  const { level, text } = headingOf(heading);
  const task = useStore(state, ({ tasks }) => taskAt(tasks, path));
  const name = task === undefined ? titleOf(result) : taskName(task);
  return (
    <a class="search-result" href={addressOf("document", { path, heading: text })}>
      <span class="search-title">{level > 1 ? `${name} › ${text}` : name}</span>
      <span class="search-where">
        <span>{path}</span>
        {metadata.status !== null && <span class="chip">{statusName(metadata.status)}</span>}
        {metadata.updated !== null && <span>{formatDay(metadata.updated)}</span>}
        {more > 0 && <span>{say(words.search.more, { count: more })}</span>}
      </span>
      <span class="search-snippet">
        {partsOf(snippet).map((part, at) =>
          part.isMatch ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
        )}
      </span>
    </a>
  );
}
