import "./document.css";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys.ts";
import {
  type Checkbox,
  type Heading,
  idOf,
  MarkdownElements,
  type Parsed,
  parseMarkdown,
} from "../markdown.tsx";
import type { ToolError } from "../mcp-client.ts";
import { nameOf, type Task } from "../model.ts";
import { announce, report } from "../notices.ts";
import { addressOf, route, setParameters } from "../route.ts";
import { can, state } from "../state.ts";
import { useStore } from "../store.ts";
import { statusName } from "../task-words.ts";
import { refresh } from "../tasks.ts";
import { archive, DeleteDialog, isArchived, MoveDialog } from "./document-actions.tsx";
import { copy } from "./document-copy.ts";
import { keepDraft, readDraft } from "./document-draft.ts";
import { Editor } from "./document-editor.tsx";
import { History } from "./document-history.tsx";
import { lookUp } from "./document-link.ts";
import { type BrokenLink, type Doc, projectOf } from "./document-model.ts";
import { Fields } from "./document-panel.tsx";
import { useDocument } from "./document-read.ts";
import { words } from "./document-words.ts";
import { canWrite, writeTick } from "./document-write.ts";

/** `path` shows a document; `link` looks up what `[[link]]` means in the document `from`. */
export function DocumentView() {
  const { path = "", link, from = "", heading } = useStore(route, (value) => value.parameters);
  if (link !== undefined) return <Link key={`${from} ${link}`} {...{ name: link, from, heading }} />;
  if (path !== "") return <DocumentPage key={path} path={path} />;
  return (
    <>
      <h1>{words.none.split(".")[0]}</h1>
      <p class="empty">{words.none}</p>
    </>
  );
}

function Link({ name, from, heading }: { name: string; from: string; heading: string | undefined }) {
  const [found, setFound] = useState<readonly string[]>();
  useEffect(() => {
    lookUp(name, from)
      .then((paths) => {
        if (paths.length === 1) setParameters({ path: paths[0], link: undefined, from: undefined, heading });
        else {
          setFound(paths);
          announce(paths.length === 0 ? words.missingLink(name) : words.ambiguousLink(name), true);
        }
      })
      .catch(report);
  }, [name, from]);
  if (found === undefined) return <h1 class="soft">{words.loading}</h1>;
  return (
    <div class="document">
      <h1>{found.length === 0 ? words.missingLink(name) : words.ambiguousLink(name)}</h1>
      <PathList paths={found} heading={heading} />
      <p>
        {words.linkedFrom} <a href={addressOf("document", { path: from })}>{from}</a>
      </p>
    </div>
  );
}

function PathList({ paths, heading }: { paths: readonly string[]; heading?: string | undefined }) {
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

function DocumentPage({ path }: { path: string }) {
  const { doc, problem, reload } = useDocument(path);
  if (problem !== undefined) return <Missing {...{ path, problem }} />;
  if (doc === undefined) return <h1 class="soft">{words.loading}</h1>;
  return <Document doc={doc} reload={reload} />;
}

function Missing({ path, problem }: { path: string; problem: ToolError }) {
  const { suggestions = [] } = problem.details as { suggestions?: string[] };
  const draft = readDraft(path);
  return (
    <div class="document">
      <h1>{words.missing(path)}</h1>
      {problem.code !== "FILE_NOT_FOUND" && <p>{problem.message}</p>}
      <ul class="plain-list">
        {suggestions.map((name) => (
          <li key={name}>
            <a href={addressOf("document", { link: name.replace(/^.*\//, ""), from: path })}>{name}</a>
          </li>
        ))}
      </ul>
      {draft !== undefined && (
        <label class="kept-draft">
          {words.mine}
          <textarea class="editor-text" readOnly value={draft.text} />
        </label>
      )}
      <h2>{words.history}</h2>
      <History path={path} hash={undefined} />
    </div>
  );
}

function Document({ doc, reload }: { doc: Doc; reload(): Promise<void> }) {
  const show = useStore(route, (value) => value.parameters["show"]);
  const parsed = useMemo(() => parseMarkdown(doc.content, true), [doc.content]);
  const task = useStore(state, ({ tasks }) => tasks.get(doc.project)?.find((one) => one.path === doc.path));
  const name = doc.filename.slice(doc.filename.lastIndexOf("/") + 1);
  const title = task === undefined ? parsed.title?.trim() || name : nameOf(task);
  useEffect(() => {
    document.title = `${title} · vibe-mcp`;
  }, [title]);
  useEffect(() => {
    if (readRouteHeading() === undefined) scrollTo(0, 0);
  }, []);
  const boxes = useTicks(doc, task, reload);
  const open = async (mode: Mode) => {
    await boxes.settled();
    // An editor on an older version would show a conflict with one's own last change.
    if (mode === "edit") await reload();
    setParameters({ show: mode });
  };
  const isEditing = show === "edit" && canWrite();
  const heading = useFocusAfter(isEditing);
  useDocumentKeys({ doc, show, isEditing, open });
  return (
    <article class={isEditing ? "document wide" : "document"} aria-label={title}>
      <header class="document-head">
        <PathLine path={doc.path} />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {!isEditing && <Toolbar {...{ doc, show, open }} />}
      </header>
      {isEditing ? (
        <Editor {...{ doc, reload }} onClose={() => open(undefined)} />
      ) : (
        <Reading {...{ doc, parsed, task, show, boxes }} />
      )}
    </article>
  );
}

/** For an element that gets the focus when `isBusy` ends. */
function useFocusAfter(isBusy: boolean) {
  const element = useRef<HTMLHeadingElement>(null);
  const before = useRef(isBusy);
  useEffect(() => {
    if (before.current && !isBusy) element.current?.focus();
    before.current = isBusy;
  }, [isBusy]);
  return element;
}

type Mode = "edit" | "history" | undefined;

function useDocumentKeys({ doc, show, isEditing, open }: ToolbarProps & { isEditing: boolean }): void {
  useKeys([
    ...(canWrite() && !isEditing ? [{ key: "e", label: words.edit, run: () => open("edit") }] : []),
    ...(isEditing
      ? []
      : [{ key: "h", label: words.history, run: () => open(show === "history" ? undefined : "history") }]),
    { key: "y", label: words.copyPath, run: () => void copy(doc.path) },
  ]);
}

function PathLine({ path }: { path: string }) {
  return (
    <p class="path-line">
      <code>{path}</code>
      <button
        type="button"
        class="quiet"
        aria-label={words.copyPath}
        title={words.copyPath}
        onClick={() => void copy(path)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5.5 5.5v-4h9v9h-4m-9-5h9v9h-9z" />
        </svg>
      </button>
    </p>
  );
}

interface ToolbarProps {
  doc: Doc;
  show: string | undefined;
  open(mode: Mode): unknown;
}

function Toolbar({ doc, show, open }: ToolbarProps) {
  const [dialog, setDialog] = useState<"move" | "delete">();
  const close = () => setDialog(undefined);
  const isHistory = show === "history";
  return (
    <div class="toolbar">
      {canWrite() && (
        <button type="button" class="main" onClick={() => open("edit")}>
          {words.edit}
        </button>
      )}
      <button type="button" aria-pressed={isHistory} onClick={() => open(isHistory ? undefined : "history")}>
        {words.history}
      </button>
      <EditorLinks path={doc.path} />
      {can("move_doc") && (
        <>
          <button type="button" onClick={() => setDialog("move")}>
            {words.move}
          </button>
          <button type="button" onClick={() => archive(doc)}>
            {isArchived(doc) ? words.unarchive : words.archive}
          </button>
        </>
      )}
      {can("delete_doc") && (
        <button type="button" class="danger" onClick={() => setDialog("delete")}>
          {words.remove}
        </button>
      )}
      {dialog === "move" && <MoveDialog doc={doc} onClose={close} />}
      {dialog === "delete" && <DeleteDialog doc={doc} onClose={close} />}
    </div>
  );
}

/** A link into an editor works only where the files are: on the server's own machine. */
function EditorLinks({ path }: { path: string }) {
  const folder = useStore(
    state,
    ({ projects }) => projects.find(({ name }) => name === projectOf(path))?.path,
  );
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  if (!isLocal || folder === undefined)
    return (
      <button type="button" onClick={() => void copy(`vibe-mcp edit ${quoted(path)}`)}>
        {words.copyCommand}
      </button>
    );
  const file = `${folder.replaceAll("\\", "/")}${path.slice(projectOf(path).length)}`;
  return (
    <a
      class="button"
      href={`vscode://file/${file.replace(/^\//, "").split("/").map(encodeURIComponent).join("/")}`}
    >
      {words.openEditor}
    </a>
  );
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

interface ReadingProps {
  doc: Doc;
  parsed: Parsed;
  task: Task | undefined;
  show: string | undefined;
  boxes: ReturnType<typeof useTicks>;
}

function Reading({ doc, parsed, task, show, boxes }: ReadingProps) {
  const { path } = doc;
  const { ticks, tick } = boxes;
  useHeadingScroll(parsed);
  return (
    <div class="document-columns">
      <div class="document-body">
        <DraftNotice path={path} />
        {show === "history" && (
          <section class="panel" aria-labelledby="history-title">
            <h2 id="history-title">{words.history}</h2>
            <History path={path} hash={doc.hash} />
          </section>
        )}
        {/* biome-ignore lint/a11y: the keyboard clicks links too */}
        <div class="panel document-text" onClick={scrollAgain}>
          <MarkdownElements {...{ parsed, path, ticks }} onTick={canWrite() ? tick : undefined} />
        </div>
      </div>
      <div class="document-side">
        <Fields doc={doc} task={task} />
        {task !== undefined && <Dependencies task={task} />}
        <Outline path={path} headings={parsed.headings} />
        <Backlinks {...doc.backlinks} />
        <BrokenLinks links={doc.broken_links} />
      </div>
    </div>
  );
}

/** `ticks` are shown until they are saved, which happens one after the other: each needs the version that the last one made. */
function useTicks({ path, project, content }: Doc, task: Task | undefined, reload: () => Promise<void>) {
  const [ticks, setTicks] = useState<ReadonlyMap<number, boolean>>(new Map());
  const last = useRef(Promise.resolve());
  const write = async (box: Checkbox) => {
    try {
      await writeTick({ path, content }, box, task);
      await reload();
    } catch (error) {
      report(error);
      await refresh(project).catch(report);
    }
    setTicks((all) => new Map([...all].filter(([at, isDone]) => at !== box.at || isDone !== box.isDone)));
  };
  const tick = (box: Checkbox) => {
    setTicks((all) => new Map(all).set(box.at, box.isDone));
    last.current = last.current.then(() => write(box));
  };
  return { ticks, tick, settled: () => last.current };
}

function DraftNotice({ path }: { path: string }) {
  const [draft, setDraft] = useState(() => readDraft(path));
  if (draft === undefined || !canWrite()) return null;
  const discard = () => {
    keepDraft(path, undefined);
    setDraft(undefined);
  };
  return (
    <p class="draft-notice">
      <span>{words.draftHint}</span>
      <button type="button" onClick={() => setParameters({ show: "edit" })}>
        {words.continueDraft}
      </button>
      <button type="button" class="quiet" onClick={discard}>
        {words.discard}
      </button>
    </p>
  );
}

function readRouteHeading(): string | undefined {
  return route.get().parameters["heading"];
}

/** To the heading of the address, when it changes. */
function useHeadingScroll(parsed: Parsed): void {
  const heading = useStore(route, (value) => value.parameters["heading"]);
  const isRead = parsed !== undefined;
  useEffect(() => {
    if (heading !== undefined) scrollToHeading(heading);
  }, [heading, isRead]);
}

function scrollToHeading(heading: string): void {
  const element = document.getElementById(idOf(heading));
  element?.scrollIntoView();
  element?.focus({ preventScroll: true });
}

/** A link to the present address changes nothing, so the browser says nothing. */
function scrollAgain({ target }: Event): void {
  const link = target instanceof Element ? target.closest("a") : null;
  const heading = readRouteHeading();
  if (link?.href === location.href && heading !== undefined) scrollToHeading(heading);
}

function Outline({ path, headings }: { path: string; headings: readonly Heading[] }) {
  if (headings.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard clicks links too
    <nav class="panel outline" aria-labelledby="outline-title" onClick={scrollAgain}>
      <h2 id="outline-title">{words.outline}</h2>
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
function Dependencies({ task }: { task: Task }) {
  const all = useStore(state, ({ tasks }) => tasks.get(task.project)) ?? [];
  if (task.dependencies.length === 0) return null;
  return (
    <nav class="panel" aria-labelledby="dependencies-title">
      <h2 id="dependencies-title">{words.dependencies}</h2>
      <ul class="plain-list">
        {task.dependencies.map((name) => {
          const found = all.find((one) => one.number === name || one.filename.replace(/\.md$/i, "") === name);
          return <li key={name}>{found === undefined ? name : <TaskLink task={found} />}</li>;
        })}
      </ul>
    </nav>
  );
}

function TaskLink({ task }: { task: Task }) {
  return (
    <>
      <a href={addressOf("document", { path: task.path })}>{nameOf(task)}</a>{" "}
      <span class="soft">{statusName(task.status)}</span>
    </>
  );
}

function Backlinks({ total, paths }: Doc["backlinks"]) {
  if (total === 0) return null;
  return (
    <nav class="panel" aria-labelledby="backlinks-title">
      <h2 id="backlinks-title">{words.backlinks}</h2>
      <PathList paths={paths} />
      {total > paths.length && <p class="soft">{words.moreLinks(total - paths.length)}</p>}
    </nav>
  );
}

function BrokenLinks({ links }: { links: readonly BrokenLink[] }) {
  if (links.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="broken-title">
      <h2 id="broken-title">{words.brokenLinks}</h2>
      <ul class="plain-list">
        {links.map(({ link, line, reason, candidates = [] }) => (
          <li key={`${line} ${link}`}>
            <code>{link}</code>{" "}
            <span class="soft">
              {words.line(line)}: {words.reasons[reason]}
            </span>
            {candidates.length > 0 && (
              <>
                <br />
                {words.maybe} <PathList paths={candidates} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
