import { useState } from "preact/hooks";
import { Sentence, shortName, WhatItDid } from "../../activity/feed.tsx";
import { itemOf } from "../../activity/groups.ts";
import type { Page, Version } from "../../activity/model.ts";
import { readHistory } from "../../activity/read.ts";
import { activity } from "../../activity/store.ts";
import { useAnswer } from "../../answer.ts";
import { formatTime } from "../../dates.ts";
import { say, words } from "../../language.ts";
import { report } from "../../notices.ts";
import { route, setParameters } from "../../route.ts";
import { call, can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Diff } from "./diff.tsx";
import type { Doc } from "./model.ts";
import { saidLines } from "./text.ts";
import { restore } from "./write.ts";

interface HistoryProps {
  path: string;
  /** Undefined if it is gone. */
  doc?: Doc;
}

/** What this server changed in a document, and what going back would change. */
export function History({ path, doc }: HistoryProps) {
  const [count, setCount] = useState(PAGE);
  // Read again whenever the document changes, and when its last change is known: the file may be first.
  const last = useStore(activity, ({ latest }) => latest.get(path)?.change);
  const { value, problem } = useAnswer(`${path} ${doc?.hash} ${last} ${count}`, () =>
    readHistory({ path }, count),
  );
  // A link may lead to one of them.
  const chosen = useStore(route, ({ parameters }) => parameters["change"]);
  const setChosen = (change: string) => setParameters({ change });
  if (value === undefined) return <p class="soft">{problem ?? words.app.loading}</p>;
  const { versions, total } = value;
  if (versions.length === 0) return <p class="soft">{words.document.noVersions}</p>;
  const shown = versions.find(({ change }) => change === chosen) ?? versions[0];
  return (
    <>
      {doc === undefined && <p class="soft">{words.document.deletedHint}</p>}
      <ol class="versions" aria-label={words.document.versions}>
        {versions.map((version) => (
          <li key={version.change}>
            <button
              type="button"
              class="quiet"
              aria-expanded={version === shown}
              onClick={() => setChosen(version.change)}
            >
              <Sentence item={itemOf(version)}>{shortName(version.path)}</Sentence>{" "}
              <WhatItDid of={itemOf(version)} />
              <time class="soft" dateTime={version.time}>
                {formatTime(version.time)}
              </time>
            </button>
            {version === shown && <Change version={version} path={path} {...(doc && { doc })} />}
          </li>
        ))}
        {versions.length < total && (
          <li>
            <button type="button" class="quiet" onClick={() => setCount(count + PAGE)}>
              {say(words.document.moreLinks, { count: total - versions.length })}
            </button>
          </li>
        )}
      </ol>
    </>
  );
}

const PAGE = 20;

/** What a change did, old to new, and, before it goes back, what restoring the text before it would do now. */
function Change({ path, doc, version }: HistoryProps & { version: Version }) {
  // As the person saw it when they began.
  const [seen, setSeen] = useState<Doc>();
  const hasText = version.bytes !== undefined;
  const { value, problem } = useAnswer(`${version.change} ${doc?.hash} ${hasText}`, async () =>
    hasText ? call<Page>("history", { path: version.path, change: version.change }) : undefined,
  );
  if (!hasText) return <p class="soft">{words.document.noText}</p>;
  if (value === undefined) return <p class="soft">{problem ?? words.app.loading}</p>;
  const { changed, diff = "" } = value;
  const goBack = () => {
    setSeen(undefined);
    restore(path, value, seen ?? doc).catch(report);
  };
  const isPreview = seen !== undefined || changed === undefined || doc === undefined;
  const lines = saidLines(isPreview ? diff : changed, value.content);
  return (
    <div class="version">
      <div class="toolbar">
        <h3>{isPreview ? words.document.versionDiff : words.document.changeDiff}</h3>
        {can("restore_doc") && diff !== "" && (
          <button
            type="button"
            class={isPreview ? "main" : ""}
            onClick={isPreview ? goBack : () => setSeen(doc)}
          >
            {isPreview ? words.document.restore : words.document.restoreBefore}
          </button>
        )}
        {seen !== undefined && (
          <button type="button" onClick={() => setSeen(undefined)}>
            {words.app.cancel}
          </button>
        )}
      </div>
      {diff === "" && isPreview && <p class="soft">{words.document.sameText}</p>}
      {lines.length > 0 && <Diff label={words.document.differences} lines={lines} />}
    </div>
  );
}
