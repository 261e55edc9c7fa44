import { say, words } from "../../language.ts";
import "./document.css";
import { useEffect, useState } from "preact/hooks";
import { withoutMarkdownExtension } from "../../../core/lib/file-names.ts";
import { eachLink } from "../../../core/markdown/links.ts";
import { baseName, taskName } from "../../../core/notes/names.ts";
import { useLook } from "../../activity/store.ts";
import { MarkdownElements, type Parsed } from "../../markdown/markdown.tsx";
import { ToolError } from "../../mcp-client.ts";
import type { Task } from "../../model.ts";
import { announce, report } from "../../notices.ts";
import { Panel } from "../../panel.tsx";
import { ReviewPanel } from "../../review.tsx";
import { addressOf, route, setParameters } from "../../route.ts";
import { call } from "../../state.ts";
import { useStore } from "../../store.ts";
import { useKeptFocus } from "../../view-focus.ts";
import { useShownTask } from "../board/moves.ts";
import { Conflicts } from "./conflicts.tsx";
import { keepDraft, readDraft } from "./draft.ts";
import { Editor } from "./editor.tsx";
import { readRouteHeading, scrollAgain, useHeadingScroll } from "./headings.ts";
import { History } from "./history.tsx";
import type { Doc } from "./model.ts";
import { Fields } from "./panel.tsx";
import { useDocument } from "./read.ts";
import { Backlinks, BrokenLinks, Dependencies, Dependents, Outdated, Outline, PathList } from "./side.tsx";
import { useTicks } from "./ticks.ts";
import { type Mode, PathLine, Toolbar, useDocumentKeys } from "./toolbar.tsx";
import { canWrite } from "./write.ts";

/** `path` shows a document; `link` looks up what `[[link]]` means in the document `from`. */
export function DocumentView() {
  const { path = "", link, from = "", heading } = useStore(route, (value) => value.parameters);
  if (link !== undefined) return <Link key={`${from} ${link}`} name={link} from={from} heading={heading} />;
  if (path !== "") return <DocumentPage key={path} path={path} />;
  return (
    <>
      <h1>{words.app.document}</h1>
      <p class="empty">{words.document.none}</p>
    </>
  );
}

function Link({ name, from, heading }: { name: string; from: string; heading: string | undefined }) {
  const [problem, setProblem] = useState<ToolError>();
  const shown = eachLink(name).next().value?.path ?? name;
  const title =
    problem?.code === "FILE_NOT_FOUND"
      ? say(words.document.missingLink, { name: shown })
      : say(words.document.ambiguousLink, { name: shown });
  useEffect(() => {
    call<Doc>("read_doc", { path: name, ...(from !== "" && { from }) })
      .then(({ path }) => setParameters({ path, link: undefined, from: undefined, heading }))
      .catch((error) => (error instanceof ToolError ? setProblem(error) : report(error)));
  }, [name, from]);
  useEffect(() => {
    if (problem !== undefined) announce(title, true);
  }, [problem]);
  if (problem === undefined) return <h1 class="soft">{words.app.loading}</h1>;
  const { suggestions = [] } = problem.details as { suggestions?: string[] };
  return (
    <div class="document">
      <h1>{title}</h1>
      <PathList paths={suggestions} heading={heading} />
      <p>
        {words.document.linkedFrom} <a href={addressOf("document", { path: from })}>{from}</a>
      </p>
    </div>
  );
}

function DocumentPage({ path }: { path: string }) {
  const { doc, parsed, problem, reload } = useDocument(path);
  // The heading gets the focus of the one that said that the document is loading.
  useKeptFocus((before) => before?.tagName === "H1");
  useLook(path);
  if (problem !== undefined) return <Missing path={path} problem={problem} />;
  if (doc === undefined || parsed === undefined) return <h1 class="soft">{words.app.loading}</h1>;
  return <Document doc={doc} parsed={parsed} reload={reload} />;
}

function Missing({ path, problem }: { path: string; problem: ToolError }) {
  const { suggestions = [] } = problem.details as { suggestions?: string[] };
  const draft = readDraft(path);
  return (
    <div class="document">
      <h1>{say(words.document.missing, { path })}</h1>
      {problem.code !== "FILE_NOT_FOUND" && <p>{problem.message}</p>}
      <ul class="plain-list">
        {suggestions.map((name) => (
          <li key={name}>
            <a
              href={addressOf("document", {
                link: `[[${withoutMarkdownExtension(baseName(name))}]]`,
                from: path,
              })}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
      {draft !== undefined && (
        <label class="kept-draft">
          {words.document.mine}
          <textarea class="editor-text" readOnly value={draft.text} />
        </label>
      )}
      <h2>{words.document.history}</h2>
      <History path={path} />
    </div>
  );
}

function Document({ doc, parsed, reload }: { doc: Doc; parsed: Parsed; reload(): Promise<void> }) {
  const show = useStore(route, (value) => value.parameters["show"]);
  const task = useShownTask(doc.path);
  const name = baseName(doc.filename);
  const title = task === undefined ? parsed.title?.trim() || name : taskName(task);
  useEffect(() => {
    if (readRouteHeading() === undefined) scrollTo(0, 0);
  }, []);
  const boxes = useTicks(doc, task, reload);
  const open = async (mode: Mode) => {
    await boxes.settled();
    // An editor on an older version would show a conflict with one's own last change.
    if (mode === "edit") await reload();
    // Meanwhile the person may have gone to another document.
    if (route.get().parameters["path"] === doc.path) setParameters({ show: mode });
  };
  const isEditing = show === "edit" && canWrite(doc.path);
  // The heading gets the focus of the editor that is gone.
  useKeptFocus((before) => before?.closest(".editor") != null);
  useDocumentKeys({ doc, show, isEditing, open });
  return (
    <article class={isEditing ? "document wide" : "document"} aria-label={title}>
      <header class="document-head">
        <PathLine path={doc.path} />
        <h1>{title}</h1>
        {!isEditing && <Toolbar doc={doc} show={show} open={open} />}
      </header>
      {isEditing ? (
        <Editor doc={doc} reload={reload} onClose={() => open(undefined)} />
      ) : (
        <Reading doc={doc} parsed={parsed} task={task} show={show} boxes={boxes} reload={reload} />
      )}
    </article>
  );
}

interface ReadingProps {
  doc: Doc;
  parsed: Parsed;
  task: Task | undefined;
  show: string | undefined;
  boxes: ReturnType<typeof useTicks>;
  reload(): Promise<void>;
}

function Reading({ doc, parsed, task, show, boxes, reload }: ReadingProps) {
  const { path } = doc;
  const { ticks, tick } = boxes;
  useHeadingScroll(parsed);
  return (
    <div class="document-columns">
      <Fields doc={doc} task={task} />
      <div class="document-body">
        <DraftNotice path={path} />
        <Conflicts doc={doc} reload={reload} />
        {task !== undefined && <ReviewPanel task={task} />}
        {show === "history" && (
          <Panel title={words.document.history}>
            <History path={path} doc={doc} />
          </Panel>
        )}
        {/* biome-ignore lint/a11y: the keyboard clicks links too */}
        <div class="panel document-text" onClick={scrollAgain}>
          <MarkdownElements parsed={parsed} path={path} ticks={ticks} onTick={tick} />
        </div>
      </div>
      <div class="document-side">
        {task !== undefined && <Dependencies task={task} />}
        {task !== undefined && <Dependents task={task} />}
        <Outline path={path} headings={parsed.headings} />
        <Outdated evidence={doc.outdated ?? []} />
        <Backlinks {...doc.backlinks} />
        <BrokenLinks links={doc.broken_links} />
      </div>
    </div>
  );
}

function DraftNotice({ path }: { path: string }) {
  const [draft, setDraft] = useState(() => readDraft(path));
  if (draft === undefined || !canWrite(path)) return null;
  const discard = () => {
    keepDraft(path, undefined);
    setDraft(undefined);
  };
  return (
    <p class="draft-notice">
      <span>{words.document.draftHint}</span>
      <button type="button" onClick={() => setParameters({ show: "edit" })}>
        {words.document.continueDraft}
      </button>
      <button type="button" class="quiet" onClick={discard}>
        {words.document.discard}
      </button>
    </p>
  );
}
