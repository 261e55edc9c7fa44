import { useEffect, useState } from "preact/hooks";
import { writerOf } from "../../activity/groups.ts";
import type { Version } from "../../activity/model.ts";
import { readHistory } from "../../activity/read.ts";
import { Who } from "../../activity/who.tsx";
import { formatTime } from "../../dates.ts";
import { words } from "../../language.ts";
import { report } from "../../notices.ts";
import { route, setParameters } from "../../route.ts";
import { call, can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Diff } from "./diff.tsx";
import { readDiff } from "./text.ts";
import { restore } from "./write.ts";

interface HistoryProps {
  path: string;
  /** The hash of the present version; undefined if the document is gone. */
  hash: string | undefined;
}

/** What this server changed in a document, and what going back would change. */
export function History({ path, hash }: HistoryProps) {
  const { versions, total, more } = useVersions(path, hash);
  // A link may lead to one of them.
  const chosen = useStore(route, ({ parameters }) => parameters["change"]);
  const setChosen = (change: string) => setParameters({ change });
  if (versions === undefined) return <p class="soft">{words.document.loading}</p>;
  if (versions.length === 0) return <p class="soft">{words.document.noVersions}</p>;
  const shown = versions.find(({ change }) => change === chosen) ?? versions[0];
  return (
    <div class="history">
      {hash === undefined && <p class="soft history-hint">{words.document.deletedHint}</p>}
      <ol class="versions" aria-label={words.document.versions}>
        {versions.map((version) => (
          <li key={version.change}>
            <button type="button" aria-pressed={version === shown} onClick={() => setChosen(version.change)}>
              <strong>{words.document.changes[version.kind]}</strong> <time>{formatTime(version.time)}</time>
              <Who {...writerOf(version)} />
            </button>
          </li>
        ))}
        {versions.length < total && (
          <li>
            <button type="button" class="quiet" onClick={more}>
              {words.document.moreLinks(total - versions.length)}
            </button>
          </li>
        )}
      </ol>
      {shown !== undefined && <Change key={shown.change} version={shown} path={path} hash={hash} />}
    </div>
  );
}

const PAGE = 100;

/** Read again whenever the document changes. */
function useVersions(path: string, hash: string | undefined) {
  const [list, setList] = useState<{ versions?: readonly Version[]; total: number }>({ total: 0 });
  const [count, setCount] = useState(PAGE);
  useEffect(() => {
    let isStale = false;
    readHistory({ path }, count)
      .then((read) => isStale || setList(read))
      .catch(report);
    return () => {
      isStale = true;
    };
  }, [path, hash, count]);
  return { ...list, more: () => setCount(count + PAGE) };
}

function Change({ path, hash, version }: HistoryProps & { version: Version }) {
  const [diff, setDiff] = useState<string>();
  const hasText = version.bytes !== undefined;
  useEffect(() => {
    if (!hasText) return;
    call<{ diff: string }>("history", { path: version.path, change: version.change })
      .then((answer) => setDiff(answer.diff))
      .catch(report);
  }, [version.change, hash, hasText]);
  if (!hasText) return <p class="soft">{words.document.noText}</p>;
  if (diff === undefined) return <p class="soft">{words.document.loading}</p>;
  const goBack = () => {
    restore(path, version.change, hash).catch(report);
  };
  return (
    <div class="version">
      <div class="toolbar">
        <h3>{words.document.versionDiff}</h3>
        {can("restore_doc") && diff !== "" && (
          <button type="button" onClick={goBack}>
            {words.document.restore}
          </button>
        )}
      </div>
      {diff === "" ? (
        <p class="soft">{words.document.sameText}</p>
      ) : (
        <Diff label={words.document.differences} lines={readDiff(diff)} />
      )}
    </div>
  );
}
