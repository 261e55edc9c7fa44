import { useMemo } from "preact/hooks";
import { taskName } from "../../../notes/names.ts";
import { statusName, words } from "../../language.ts";
import type { Heading } from "../../markdown/markdown.tsx";
import type { Task } from "../../model.ts";
import { addressOf } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { taskFinder } from "../../task-list.ts";
import { scrollAgain } from "./headings.ts";
import type { BrokenLink, Doc } from "./model.ts";

export function Outline({ path, headings }: { path: string; headings: readonly Heading[] }) {
  if (headings.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard clicks links too
    <nav class="panel outline" aria-labelledby="outline-title" onClick={scrollAgain}>
      <h2 id="outline-title">{words.document.outline}</h2>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} class={`level-${level}`}>
            <a href={addressOf("document", { path, heading: id.replace(/^md-/, "") })}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A dependency is named by its number or its file. */
export function Dependencies({ task }: { task: Task }) {
  const all = useStore(state, ({ tasks }) => tasks.get(task.project));
  const find = useMemo(() => taskFinder(all ?? []), [all]);
  if (task.dependencies.length === 0) return null;
  return (
    <nav class="panel" aria-labelledby="dependencies-title">
      <h2 id="dependencies-title">{words.document.dependencies}</h2>
      <ul class="plain-list">
        {task.dependencies.map((name) => {
          const found = find(name);
          return <li key={name}>{found === undefined ? name : <TaskLink task={found} />}</li>;
        })}
      </ul>
    </nav>
  );
}

function TaskLink({ task }: { task: Task }) {
  return (
    <>
      <a href={addressOf("document", { path: task.path })}>{taskName(task)}</a>{" "}
      <span class="soft">{statusName(task.status)}</span>
    </>
  );
}

export function Backlinks({ total, paths }: Doc["backlinks"]) {
  if (total === 0) return null;
  return (
    <nav class="panel" aria-labelledby="backlinks-title">
      <h2 id="backlinks-title">{words.document.backlinks}</h2>
      <PathList paths={paths} />
      {total > paths.length && <p class="soft">{words.document.moreLinks(total - paths.length)}</p>}
    </nav>
  );
}

export function BrokenLinks({ links }: { links: readonly BrokenLink[] }) {
  if (links.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="broken-title">
      <h2 id="broken-title">{words.document.brokenLinks}</h2>
      <ul class="plain-list">
        {links.map(({ link, line, reason, candidates = [] }) => (
          <li key={`${line} ${link}`}>
            <code>{link}</code>{" "}
            <span class="soft">
              {words.document.line(line)}: {words.document.reasons[reason]}
            </span>
            {candidates.length > 0 && (
              <>
                <br />
                {words.document.maybe} <PathList paths={candidates} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function PathList({ paths, heading }: { paths: readonly string[]; heading?: string | undefined }) {
  return (
    <ul class="plain-list">
      {paths.map((path) => (
        <li key={path}>
          <a href={addressOf("document", { path, heading })}>{path}</a>
        </li>
      ))}
    </ul>
  );
}
