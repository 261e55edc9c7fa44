import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { redoLast, undoLast } from "./changes.ts";
import { login } from "./connection.ts";
import { CloseButton, Dialog } from "./dialog.tsx";
import { Jump } from "./jump.tsx";
import { JUMP_KEY } from "./jump-targets.ts";
import { type Key, keyName, keys, useKeys } from "./keys.ts";
import { words } from "./language.ts";
import { type Action, dismiss, notices } from "./notices.ts";
import { addressOf, navigate, type Route, route, type View } from "./route.ts";
import { Settings } from "./settings.tsx";
import { type State, state } from "./state.ts";
import { useStore } from "./store.ts";
import { SyncChip } from "./sync-chip.tsx";
import { focusView } from "./view-focus.ts";
import { BoardView } from "./views/board/board.tsx";
import { DocumentView } from "./views/document/document.tsx";
import { ProjectView } from "./views/project/project.tsx";
import { SearchView } from "./views/search/search.tsx";
import { waitsForYou } from "./views/today/groups.ts";
import { TodayView } from "./views/today/today.tsx";

const SHOWN: Record<View, () => preact.JSX.Element> = {
  board: BoardView,
  today: TodayView,
  project: ProjectView,
  search: SearchView,
  document: DocumentView,
};

const TABS = ["board", "today", "project", "search"] as const;

export function App() {
  const connection = useStore(state, (value) => value.connection);
  const view = useStore(route, (value) => value.view);
  const hasTools = useStore(state, (value) => value.tools.size > 0);
  const [opened, setOpened] = useState<keyof typeof DIALOGS>();
  useKeys(useMemo(() => viewKeys(setOpened), []));
  usePlace();
  if (connection === "login" || connection === "refused")
    return <Login isRefused={connection === "refused"} />;
  if (connection === "spent") return <Spent />;
  const Shown = SHOWN[view];
  const Opened = opened && DIALOGS[opened];
  return (
    <>
      <Header view={view} onOpen={setOpened} />
      <main id="content" tabIndex={-1}>
        {hasTools ? <Shown /> : <Waiting />}
      </main>
      <Notices />
      {Opened && <Opened onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Names the place in the window's title; in a new place, reading starts at its top, unless the view puts the focus elsewhere. */
function usePlace(): void {
  const place = useStore(route, placeOf);
  const title = useStore(route, titleOf);
  const waiting = useStore(state, countWaiting);
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

function countWaiting({ tasks }: State): number {
  let count = 0;
  for (const list of tasks.values()) count += list.filter(waitsForYou).length;
  return count;
}

/** Filters do not change the place. */
function placeOf({ view, parameters: { name, path } }: Route): string {
  return [view, name, path].join("\n");
}

function titleOf({ view, parameters: { name, path, project, query } }: Route): string {
  const shown = { board: project, today: undefined, project: name, search: query, document: path }[view];
  return [shown, words.app[view], "vibe-mcp"].filter(Boolean).join(" · ");
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** What opens above any view. */
const DIALOGS = { keys: KeyList, jump: Jump, settings: Settings };

type OnOpen = (dialog: keyof typeof DIALOGS) => void;

function viewKeys(open: OnOpen): Key[] {
  const views = TABS.map((view, at) => ({
    key: view === "search" ? "/" : String(at + 1),
    label: words.app[view],
    run: () => (view === route.get().view ? focusView() : navigate(view)),
  }));
  return [
    ...views,
    { key: JUMP_KEY, label: words.jump.title, also: "fields", run: () => open("jump") },
    { key: "Ctrl+z", label: words.app.undoLast, also: "choices", run: () => void undoLast() },
    {
      key: "Ctrl+Shift+z",
      or: "Ctrl+y",
      label: words.app.redoLast,
      also: "choices",
      run: () => void redoLast(),
    },
    { key: ",", label: words.settings.title, run: () => open("settings") },
    { key: "?", label: words.app.keys, run: () => open("keys") },
  ];
}

type Online = "connecting" | "live" | "lost";

function Header({ view, onOpen }: { view: View; onOpen: OnOpen }) {
  const connection = useStore(state, (value) => value.connection as Online);
  const readOnly = useStore(state, (value) => value.tools.size > 0 && !value.tools.has("update_task_status"));
  const isUnsaved = useStore(state, (value) => value.unsaved > 0);
  const isLost = connection === "lost";
  return (
    <header class="top">
      <a class="skip" href={location.hash} onClick={skip}>
        {words.app.skip}
      </a>
      <span class="brand">vibe-mcp</span>
      <nav aria-label={words.app.views}>
        {TABS.map((tab) => (
          <a key={tab} href={addressOf(tab)} aria-current={tab === view ? "page" : undefined}>
            {words.app[tab]}
          </a>
        ))}
      </nav>
      <SyncChip />
      <span class={isLost || isUnsaved ? "connection lost" : "connection"} role="status">
        {readOnly && <span class="chip">{words.app.readOnly}</span>}
        <span class="light" aria-hidden="true" />
        <span class={isLost ? "" : "unseen"}>{words.app[connection]}</span>
        {isUnsaved && <span>{words.app.unsaved}</span>}
      </span>
      <DialogButton
        name={words.jump.title}
        icon="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14"
        onClick={() => onOpen("jump")}
      />
      <DialogButton
        name={words.settings.title}
        icon="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 2v12M10.5 2.6v10.8M13 4.7v6.6"
        onClick={() => onOpen("settings")}
      />
      <DialogButton
        name={words.app.keys}
        icon="M1.5 4h13v8h-13zM4 6.5h.01M8 6.5h.01M12 6.5h.01M5 9.5h6"
        onClick={() => onOpen("keys")}
      />
    </header>
  );
}

function DialogButton({ name, icon, onClick }: { name: string; icon: string; onClick(): void }) {
  return (
    <button type="button" class="quiet" aria-label={name} title={name} onClick={onClick}>
      <svg class="mark icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );
}

function Waiting() {
  const problem = useStore(state, (value) => value.problem);
  const isLost = useStore(state, (value) => value.connection === "lost");
  return <p class="empty">{problem ?? (isLost ? words.app.unreachable : words.app.connecting)}</p>;
}

function Login({ isRefused }: { isRefused: boolean }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    login(String(new FormData(event.currentTarget as HTMLFormElement).get("token")));
  };
  return (
    <main class="login">
      <p class="brand">vibe-mcp</p>
      <h1>{words.app.loginTitle}</h1>
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
    </main>
  );
}

/** The terminal, which heard of it, shows the next address. */
function Spent() {
  return (
    <main class="login">
      <p class="brand">vibe-mcp</p>
      <h1>{words.app.spentTitle}</h1>
      <p role="alert">{words.app.spentHint}</p>
    </main>
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
          {action !== undefined && <ActionButton id={id} action={action} />}
          <CloseButton onClick={() => dismiss(id)} />
        </p>
      ))}
    </div>
  );
}

function ActionButton({ id, action: { label, run } }: { id: number; action: Action }) {
  const act = () => {
    dismiss(id);
    run();
  };
  return (
    <button type="button" class="notice-action" onClick={act}>
      {label}
    </button>
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
