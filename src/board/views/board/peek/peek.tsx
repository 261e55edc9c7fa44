import "./peek.css";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { baseName, projectOf, taskName } from "../../../../core/notes/names.ts";
import { useLook } from "../../../activity/store.ts";
import { CloseButton } from "../../../dialog.tsx";
import { Icon } from "../../../icon.tsx";
import { say, words } from "../../../language.ts";
import { Line } from "../../../line.tsx";
import { MarkdownElements, type Parsed } from "../../../markdown/markdown.tsx";
import type { Task } from "../../../model.ts";
import { ReviewPanel, wordLabel } from "../../../review.tsx";
import { addressOf, route } from "../../../route.ts";
import { can } from "../../../state.ts";
import { useStore } from "../../../store.ts";
import { TitleText } from "../../../task-facts.tsx";
import { setStatus } from "../../../task-status.ts";
import { Conflicts } from "../../document/conflicts.tsx";
import { History } from "../../document/history.tsx";
import type { Doc } from "../../document/model.ts";
import { useDocument } from "../../document/read.ts";
import { Dependencies, Dependents } from "../../document/side.tsx";
import { useTicks } from "../../document/ticks.ts";
import { canWrite } from "../../document/write.ts";
import { focusCard } from "../focus.ts";
import { ask } from "../menu.tsx";
import { ensured, useShownTask } from "../moves.ts";
import { closePeek, pageOf } from "./address.ts";
import { FieldButtons } from "./field-buttons.tsx";

/** The task of the address, beside the board. */
export function Peek() {
  const path = useStore(route, ({ parameters }) => parameters["task"]);
  const last = useRef(path);
  useLayoutEffect(() => {
    if (path === undefined && last.current !== undefined && document.activeElement === document.body)
      focusCard(last.current);
    last.current = path;
  }, [path]);
  return path === undefined ? null : <Panel path={path} />;
}

interface PanelProps {
  path: string;
  /** In place of what ends a review there, and of the line for a word. */
  inbox?: { top: JSX.Element; bottom: JSX.Element };
}

export function Panel({ path, inbox }: PanelProps) {
  const task = useShownTask(path);
  const heading = useRef<HTMLHeadingElement>(null);
  // A hook keeps what its function names.
  const isBeside = inbox === undefined;
  useLayoutEffect(() => {
    if (isBeside) heading.current?.focus({ preventScroll: true });
    heading.current?.closest(".peek")?.scrollTo(0, 0);
    ensured.update(() => path);
  }, [path]);
  useLook(path, isBeside);
  const name = task === undefined ? baseName(path) : taskName(task);
  return (
    <aside class="peek" aria-label={name}>
      <Head path={path} task={task} />
      <h2 ref={heading} tabIndex={-1} dir="auto">
        <TitleText text={task?.title ?? name} />
      </h2>
      {task !== undefined && <FieldButtons task={task} />}
      {task !== undefined && (inbox?.top ?? <ReviewPanel task={task} />)}
      <Text key={path} path={path} task={task} />
      {task !== undefined && (inbox?.bottom ?? <Word task={task} />)}
    </aside>
  );
}

function Head({ path, task }: { path: string; task: Task | undefined }) {
  return (
    <header class="peek-head">
      <span class="soft">
        <bdi>{projectOf(path)}</bdi> {task?.number}
      </span>
      {canWrite(path) && (
        <a class="button" href={addressOf("document", { path, show: "edit" })}>
          {words.document.edit}
        </a>
      )}
      <a class="button quiet" href={pageOf(path)} title={words.board.keys.page}>
        <span class="unseen">{words.board.keys.page}</span>
        <Icon path="M9.5 2.5h4v4M13.5 2.5l-5 5M6.5 13.5h-4v-4M2.5 13.5l5-5" />
      </a>
      {task !== undefined && (
        <button
          type="button"
          class="quiet"
          aria-label={words.document.actions}
          title={words.document.actions}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => ask([path], currentTarget)}
        >
          <span aria-hidden="true">⋯</span>
        </button>
      )}
      {route.get().view !== "inbox" && <CloseButton onClick={closePeek} />}
    </header>
  );
}

function Text({ path, task }: { path: string; task: Task | undefined }) {
  const { doc, parsed, problem, reload } = useDocument(path);
  if (problem !== undefined) return <p>{say(words.document.missing, { path })}</p>;
  if (doc === undefined || parsed === undefined) return <p class="soft">{words.app.loading}</p>;
  return <Reading doc={doc} parsed={parsed} task={task} reload={reload} />;
}

interface ReadingProps {
  doc: Doc;
  parsed: Parsed;
  task: Task | undefined;
  reload(): Promise<void>;
}

function Reading({ doc, parsed, task, reload }: ReadingProps) {
  const { path } = doc;
  const { ticks, tick } = useTicks(doc, task, reload);
  return (
    <>
      <Conflicts doc={doc} reload={reload} />
      <div class="document-text">
        <MarkdownElements parsed={parsed} path={path} ticks={ticks} onTick={tick} />
      </div>
      {task !== undefined && <Dependencies task={task} />}
      {task !== undefined && <Dependents task={task} />}
      {can("history") && (
        <section class="panel" aria-labelledby="peek-activity">
          <h2 id="peek-activity">{words.document.history}</h2>
          <History path={path} doc={doc} />
        </section>
      )}
    </>
  );
}

/** Where a person writes a line to the agent that works on a task. */
function Word({ task }: { task: Task }) {
  if (!can("update_task_status")) return null;
  return (
    <Line
      key={task.path}
      of={task.path}
      label={wordLabel(task)}
      onEnter={(note) => setStatus(task, { note }, say(words.review.written, { name: taskName(task) }))}
      failed={() => words.review.notWritten}
    />
  );
}
