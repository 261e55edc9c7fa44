import { useEffect, useMemo, useState } from "preact/hooks";
import { words } from "./app-words.ts";
import { Dialog } from "./dialog.tsx";
import { keyName, keys, useKeys } from "./keys.ts";
import { dismiss, notices } from "./notices.ts";
import { addressOf, navigate, route, type View } from "./route.ts";
import { login, state } from "./state.ts";
import { useStore } from "./store.ts";
import { BoardView } from "./views/board.tsx";
import { DocumentView } from "./views/document.tsx";
import { ProjectView } from "./views/project.tsx";
import { SearchView } from "./views/search.tsx";
import { TodayView } from "./views/today.tsx";

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
  const [isListing, setListing] = useState(false);
  useKeys(useMemo(() => viewKeys(() => setListing(true)), []));
  useEffect(() => {
    document.title = `${words[view]} · vibe-mcp`;
  }, [view]);
  if (connection === "login") return <Login />;
  const Shown = SHOWN[view];
  return (
    <>
      <Header view={view} onKeys={() => setListing(true)} />
      <main id="content" tabIndex={-1}>
        {hasTools ? <Shown /> : <Waiting />}
      </main>
      <Notices />
      {isListing && <KeyList onClose={() => setListing(false)} />}
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function viewKeys(listKeys: () => void) {
  const views = TABS.map((view, at) => ({
    key: view === "search" ? "/" : String(at + 1),
    label: words[view],
    run: () => navigate(view),
  }));
  return [...views, { key: "?", label: words.keys, run: listKeys }];
}

function Header({ view, onKeys }: { view: View; onKeys(): void }) {
  const connection = useStore(state, (value) => value.connection);
  const readOnly = useStore(state, (value) => value.tools.size > 0 && !value.tools.has("update_task_status"));
  const isLost = connection === "lost";
  return (
    <header class="top">
      <a class="skip" href={location.hash} onClick={skip}>
        {words.skip}
      </a>
      <span class="brand">vibe-mcp</span>
      <nav aria-label={words.views}>
        {TABS.map((tab) => (
          <a key={tab} href={addressOf(tab)} aria-current={tab === view ? "page" : undefined}>
            {words[tab]}
          </a>
        ))}
      </nav>
      <span class={isLost ? "connection lost" : "connection"} role="status">
        {readOnly && <span class="chip">{words.readOnly}</span>}
        <span class="light" aria-hidden="true" />
        <span class={isLost ? "" : "unseen"}>{connection === "login" ? "" : words[connection]}</span>
      </span>
      <button type="button" class="quiet" aria-label={words.keys} title={words.keys} onClick={onKeys}>
        ?
      </button>
    </header>
  );
}

function Waiting() {
  const problem = useStore(state, (value) => value.problem);
  const isLost = useStore(state, (value) => value.connection === "lost");
  return <p class="empty">{problem ?? (isLost ? words.unreachable : words.connecting)}</p>;
}

function Login() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    login(String(new FormData(event.currentTarget as HTMLFormElement).get("token")));
  };
  return (
    <main class="login">
      <h1>{words.loginTitle}</h1>
      <p>{words.loginHint}</p>
      <form onSubmit={submit}>
        <label>
          {words.token}
          <input name="token" type="password" autoComplete="off" required />
        </label>
        <button type="submit" class="main">
          {words.login}
        </button>
      </form>
    </main>
  );
}

/** Polite for news, so that screen readers read them after what they are reading. */
function Notices() {
  const shown = useStore(notices, (value) => value);
  return (
    <div class="notices" role="log" aria-live="polite">
      {shown.map(({ id, text, isProblem }) => (
        <p key={id} class={isProblem ? "notice problem" : "notice"}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label={words.close} onClick={() => dismiss(id)}>
            ✕
          </button>
        </p>
      ))}
    </div>
  );
}

function KeyList({ onClose }: { onClose(): void }) {
  const list = useStore(keys, (value) => value);
  return (
    <Dialog title={words.keysTitle} onClose={onClose}>
      <dl class="keys">
        {list.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <kbd>{keyName(key)}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
