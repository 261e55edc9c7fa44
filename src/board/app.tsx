import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { redoLast, undoLast } from "./changes.ts";
import { login } from "./connection.ts";
import { CloseButton, Dialog, OpenDialog, openDialog } from "./dialog.tsx";
import { Jump } from "./jump.tsx";
import { JUMP_KEY } from "./jump-targets.ts";
import { type Key, keyName, keys, useKeys } from "./keys.ts";
import { say, words } from "./language.ts";
import { readIndexing } from "./mcp-client.ts";
import { dismiss, notices } from "./notices.ts";
import { Rail } from "./rail.tsx";
import { navigate, placeIn, type Route, route, type View } from "./route.ts";
import { Settings } from "./settings.tsx";
import { type State, state } from "./state.ts";
import { useStore } from "./store.ts";
import { nameAt } from "./task-list.ts";
import { focusView } from "./view-focus.ts";
import { BoardView } from "./views/board/board.tsx";
import { useCreateKey } from "./views/board/create.tsx";
import { DocumentView } from "./views/document/document.tsx";
import { InboxView } from "./views/inbox/inbox.tsx";
import { NewProject } from "./views/project/new-project.tsx";
import { ProjectView } from "./views/project/page.tsx";
import { SearchView } from "./views/search/search.tsx";
import { waitsForYou } from "./views/today/groups.ts";
import { TodayView } from "./views/today/today.tsx";

const SHOWN: Record<View, () => preact.JSX.Element> = {
  board: BoardView,
  inbox: InboxView,
  today: TodayView,
  project: ProjectView,
  search: SearchView,
  document: DocumentView,
};

const TABS = ["board", "today", "inbox", "search"] as const;

export function App() {
  const connection = useStore(state, (value) => value.connection);
  const view = useStore(route, (value) => value.view);
  const { size } = useStore(state, (value) => value.tools);
  useKeys(useMemo(viewKeys, []));
  useCreateKey();
  usePlace();
  if (connection === "login" || connection === "refused")
    return <Login isRefused={connection === "refused"} />;
  if (connection === "spent") return <Spent />;
  return (
    <>
      <Rail onOpen={openNamed} />
      <main id="content" tabIndex={-1}>
        {size > 0 ? <Apart of={SHOWN[view]} /> : <Waiting />}
      </main>
      <Notices />
      <OpenDialog />
    </>
  );
}

/** The props of `main` would keep the first tree of a view that renders itself again, and that all others. */
const Apart = ({ of: Shown }: { of: (typeof SHOWN)[View] }) => <Shown />;

/** Names the place in the window's title; in a new place, reading starts at its top, unless the view puts the focus elsewhere. */
function usePlace(): void {
  const place = useStore(route, placeIn);
  const here = useStore(route, (value) => value);
  const title = useStore(state, ({ tasks }) => titleOf(here, tasks));
  const waiting = useStore(state, (value) => [...value.tasks.values()].flat().filter(waitsForYou).length);
  const last = useRef(place);
  useEffect(() => {
    document.title = waiting === 0 ? title : `(${waiting}) ${title}`;
  }, [title, waiting]);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    if (document.getElementById("content")?.contains(document.activeElement)) return;
    scrollTo(0, 0);
    focusView();
  }, [place]);
}

function titleOf(
  { view, parameters: { name, path = "", project, query } }: Route,
  tasks: State["tasks"],
): string {
  const document = nameAt(tasks, path);
  const shown = { board: project, project: name, search: query, document }[view as string];
  return [shown, words.app[view], "vibe-mcp"].filter(Boolean).join(" · ");
}

/** What opens above any view. */
const DIALOGS = { keys: KeyList, jump: Jump, settings: Settings, project: NewProject };

function openNamed(name: keyof typeof DIALOGS): void {
  const Shown = DIALOGS[name];
  openDialog((close) => <Shown onClose={close} />);
}

function viewKeys(): Key[] {
  const views = TABS.map((view, at) => ({
    key: view === "search" ? "/" : String(at + 1),
    label: words.app[view],
    run: () => (view === route.get().view ? focusView() : navigate(view)),
  }));
  return [
    ...views,
    { key: JUMP_KEY, label: words.jump.title, also: "fields", run: () => openNamed("jump") },
    { key: "Ctrl+z", label: words.app.undoLast, also: "choices", run: () => void undoLast() },
    {
      key: "Ctrl+Shift+z",
      or: "Ctrl+y",
      label: words.app.redoLast,
      also: "choices",
      run: () => void redoLast(),
    },
    { key: ",", label: words.settings.title, run: () => openNamed("settings") },
    { key: "?", label: words.app.keys, run: () => openNamed("keys") },
  ];
}

/** A first build of many notes takes seconds. */
const LOOK_MS = 1000;

function Waiting() {
  const problem = useStore(state, (value) => value.problem);
  const isLost = useStore(state, (value) => value.connection === "lost");
  const [share, setShare] = useState<string>();
  const health = new URL("health", location.href).href;
  useEffect(() => {
    const timer = setInterval(() => void readIndexing(health).then(setShare), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const waits = share === undefined ? words.app.connecting : say(words.app.indexing, { share });
  return <p class="empty">{problem ?? (isLost ? words.app.unreachable : waits)}</p>;
}

/** What is shown before a person is logged in. */
function Outside({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="login">
      <p class="brand">vibe-mcp</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

function Login({ isRefused }: { isRefused: boolean }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    login(String(new FormData(event.currentTarget as HTMLFormElement).get("token")));
  };
  return (
    <Outside title={words.app.loginTitle}>
      <p id="login-hint" class="soft">
        {words.app.loginHint}
      </p>
      {isRefused && (
        <p class="problem-text" role="alert">
          {words.app.refused}
        </p>
      )}
      <form onSubmit={submit}>
        <label>
          {words.app.token}
          <input
            name="token"
            type="password"
            autoComplete="off"
            required
            ref={focus}
            aria-describedby="login-hint"
          />
        </label>
        <button type="submit" class="main">
          {words.app.login}
        </button>
      </form>
    </Outside>
  );
}

/** The terminal, which heard of it, shows the next address. */
function Spent() {
  return (
    <Outside title={words.app.spentTitle}>
      <p role="alert">{words.app.spentHint}</p>
    </Outside>
  );
}

function focus(field: HTMLElement | null): void {
  field?.focus();
}

/** Polite for news, so that screen readers read them after what they are reading. */
function Notices() {
  const shown = useStore(notices, (value) => value);
  return (
    <div class="notices" role="log" aria-live="polite">
      {shown.map(({ id, text, isProblem, isFolded, action }) => (
        <p key={id} class={`notice ${isProblem ? "problem" : ""} ${isFolded ? "folded" : ""}`}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              type="button"
              class="notice-action"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <CloseButton onClick={() => dismiss(id)} />
        </p>
      ))}
    </div>
  );
}

function KeyList({ onClose }: { onClose(): void }) {
  const list = useStore(keys, (value) => value);
  return (
    <Dialog title={words.app.keys} onClose={onClose}>
      <dl class="keys">
        {list.map(({ key, or, label }) => (
          <div key={key}>
            <dt>
              <kbd>{keyName(key)}</kbd> {or !== undefined && <kbd>{keyName(or)}</kbd>}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
