import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { taskName } from "../../../core/notes/names.ts";
import { say, statusName, words } from "../../language.ts";
import type { Heading } from "../../markdown/markdown.tsx";
import type { Task } from "../../model.ts";
import { Panel } from "../../panel.tsx";
import { addressOf, route } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { taskFinder } from "../../task-list.ts";
import { scrollAgain } from "./headings.ts";
import type { BrokenLink, Doc } from "./model.ts";

export function Outline({ path, headings }: { path: string; headings: readonly Heading[] }) {
  if (headings.length < 2) return null;
  return (
    <Panel class="outline" title={words.document.outline} isNavigation>
      {/* biome-ignore lint/a11y: the keyboard clicks links too */}
      <ul onClick={scrollAgain}>
        {headings.map(({ id, text, level }) => (
          <li key={id} class={`level-${level}`}>
            <a href={addressOf("document", { path, heading: id.replace(/^md-/, "") })}>{text}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A dependency is named by its number or its file. */
export function Dependencies({ task }: { task: Task }) {
  const { find } = useProjectTasks(task);
  return (
    <Links title={words.document.dependencies}>
      {task.dependencies.map((name) => {
        const found = find(name);
        return <li key={name}>{found === undefined ? name : <TaskLink task={found} />}</li>;
      })}
    </Links>
  );
}

/** What waits for a task; for one in review, what starts with its approval. */
export function Dependents({ task }: { task: Task }) {
  const { all, find } = useProjectTasks(task);
  const isReview = task.status === "review";
  const waiting = useMemo(() => {
    const isThis = (name: string) => find(name)?.path === task.path;
    return all.filter(({ dependencies, open_dependencies: open }) =>
      isReview ? open.length > 0 && open.every(isThis) : dependencies.some(isThis),
    );
  }, [all, task.path, isReview]);
  return (
    <Links title={isReview ? words.review.starts : words.document.blocks}>
      {waiting.map((one) => (
        <li key={one.path}>
          <TaskLink task={one} />
        </li>
      ))}
    </Links>
  );
}

function useProjectTasks({ project }: Task) {
  const all = useStore(state, ({ tasks }) => tasks.get(project)) ?? NO_TASKS;
  return { all, find: useMemo(() => taskFinder(all), [all]) };
}

const NO_TASKS: readonly Task[] = [];

function Links({ title, children }: { title: string; children: JSX.Element[] }) {
  if (children.length === 0) return null;
  return (
    <Panel title={title} isNavigation>
      <ul class="plain-list">{children}</ul>
    </Panel>
  );
}

/** On the board, it shows the task beside it. */
function TaskLink({ task: { path, ...task } }: { task: Task }) {
  const { view, parameters } = route.get();
  const href =
    view === "board" ? addressOf(view, { ...parameters, task: path }) : addressOf("document", { path });
  return (
    <>
      <a href={href}>{taskName(task)}</a> <span class="soft">{statusName(task.status)}</span>
    </>
  );
}

export function Backlinks({ total, paths }: Doc["backlinks"]) {
  if (total === 0) return null;
  return (
    <Panel title={words.document.backlinks} isNavigation>
      <PathList paths={paths} />
      {total > paths.length && (
        <p class="soft">{say(words.document.moreLinks, { count: total - paths.length })}</p>
      )}
    </Panel>
  );
}

export function Outdated({ evidence }: { evidence: NonNullable<Doc["outdated"]> }) {
  if (evidence.length === 0) return null;
  return (
    <Panel title={words.document.outdated}>
      <ul class="plain-list">
        {evidence.map(({ line, says }) => (
          <li key={`${line} ${says}`}>
            {says} <span class="soft">{say(words.document.line, { line })}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function BrokenLinks({ links }: { links: readonly BrokenLink[] }) {
  if (links.length === 0) return null;
  return (
    <Panel title={words.document.brokenLinks}>
      <ul class="plain-list">
        {links.map(({ link, line, reason, candidates = [] }) => (
          <li key={`${line} ${link}`}>
            <code>{link}</code>{" "}
            <span class="soft">
              {say(words.document.line, { line })}: {words.document.reasons[reason]}
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
    </Panel>
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
