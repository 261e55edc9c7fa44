import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { compareText } from "../core/lib/text.ts";
import { taskName } from "../core/notes/names.ts";
import { isClosed } from "../core/notes/task/statuses.ts";
import { hueOf, Mark } from "./activity/who.tsx";
import { clock, timeLeft } from "./clock.ts";
import { formatTime } from "./dates.ts";
import { Icon, IconButton } from "./icon.tsx";
import { JUMP_KEY } from "./jump-targets.ts";
import { keyName } from "./keys.ts";
import { say, words } from "./language.ts";
import type { Task } from "./model.ts";
import { addressOf, placeOf, route } from "./route.ts";
import { state } from "./state.ts";
import { useStore } from "./store.ts";
import { SyncChip } from "./sync-chip.tsx";
import { byDay } from "./views/project/notes.ts";
import { waitsForYou } from "./views/today/groups.ts";

type OnOpen = (dialog: "jump" | "settings" | "keys" | "project") => void;

/** Where one can go and what goes on, beside every view; in a narrow window a bar below it, which opens. */
export function Rail({ onOpen }: { onOpen: OnOpen }) {
  const [isOpen, setOpen] = useState(false);
  const here = useStore(route, (value) => value);
  useEffect(() => setOpen(false), [here]);
  return (
    <header class={isOpen ? "rail open" : "rail"}>
      <a class="skip" href={location.hash} onClick={skip}>
        {words.app.skip}
      </a>
      <span class="brand">vibe-mcp</span>
      <Places onOpen={onOpen} />
      <AgentsNow />
      <div class="rail-foot">
        <Connection />
        <SyncChip />
        <IconButton name={words.settings.title} path={ICONS.settings} onClick={() => onOpen("settings")} />
        <IconButton name={words.app.keys} path={ICONS.keys} onClick={() => onOpen("keys")} />
      </div>
      <button
        type="button"
        class="quiet rail-place rail-more"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon path={ICONS.more} />
        <span class="rail-name">{words.rail.more}</span>
      </button>
    </header>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

const ICONS = {
  jump: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14",
  inbox: "M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 1.5h3l1-1.5H14",
  board: "M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z",
  today: "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3",
  ready: "M5 3l7.5 5L5 13z",
  search: "M3 2h7l3 3v4M3 2v12h5M5.5 6h4M5.5 9h2M11 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12.5 13l2 2",
  create: "M8 3v10M3 8h10",
  more: "M2.5 4h11M2.5 8h11M2.5 12h11",
  settings: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 2v12M10.5 2.6v10.8M13 4.7v6.6",
  keys: "M1.5 4h13v8h-13zM4 6.5h.01M8 6.5h.01M12 6.5h.01M5 9.5h6",
};

/** More would fill the rail. */
const MOST_PROJECTS = 12;

function Places({ onOpen }: { onOpen: OnOpen }) {
  const { rail, app } = words;
  const { open, ready, forYou, byProject } = useCounts();
  const projects = useStore(state, (value) => value.projects);
  const canCreate = useStore(state, (value) => value.tools.has("init_project"));
  const recent = useMemo(
    () =>
      byDay(projects)
        .slice(0, MOST_PROJECTS)
        .sort((a, b) => compareText(a.name, b.name)),
    [projects],
  );
  return (
    <nav aria-label={app.views}>
      <button type="button" class="quiet rail-place" onClick={() => onOpen("jump")}>
        <Icon path={ICONS.jump} />
        <span class="rail-name">{rail.jump}</span>
        <span class="rail-count">{keyName(JUMP_KEY)}</span>
      </button>
      <Place to={addressOf("inbox")} icon="inbox" name={app.inbox} count={forYou} />
      <Place to={addressOf("board")} icon="board" name={rail.all} count={open} />
      <Place to={addressOf("today")} icon="today" name={app.today} />
      <Place to={addressOf("board", { state: "ready" })} icon="ready" name={rail.ready} count={ready} />
      <Place to={addressOf("search")} icon="search" name={app.search} />
      <h2 class="rail-one rail-head">
        <span class="rail-name">{app.project}</span>
        {canCreate && (
          <IconButton name={words.project.create} path={ICONS.create} onClick={() => onOpen("project")} />
        )}
      </h2>
      {recent.map(({ name }) => (
        <Project key={name} name={name} count={byProject.get(name)} />
      ))}
    </nav>
  );
}

interface PlaceProps {
  to: string;
  icon?: "inbox" | "board" | "today" | "ready" | "search";
  name: string;
  count?: number | undefined;
  class?: string;
  children?: ComponentChildren;
}

function Place({ to, icon, name, count = 0, class: kind = `rail-${icon}`, children }: PlaceProps) {
  const isHere = useStore(route, (value) => placeOf(value) === to);
  return (
    <a class={`rail-place ${kind}`} href={to} aria-current={isHere ? "page" : undefined}>
      {icon !== undefined && <Icon path={ICONS[icon]} />}
      {children}
      <bdi class="rail-name">{name}</bdi>
      {count > 0 && <span class="rail-count">{count}</span>}
    </a>
  );
}

/** Leads to its tasks, and from there to its page. */
function Project({ name, count }: { name: string; count: number | undefined }) {
  const [board, page] = [addressOf("board", { project: name }), addressOf("project", { name })];
  const here = useStore(route, placeOf);
  return (
    <>
      <Place class="rail-one" to={board} name={name} count={count}>
        <span class="dot" style={{ "--hue": hueOf(name) }} />
      </Place>
      {(here === board || here === page) && (
        <Place class="rail-one rail-page" to={page} name={words.rail.overview} />
      )}
    </>
  );
}

function useCounts() {
  const tasks = useStore(state, (value) => value.tasks);
  return useMemo(() => {
    const counts = { open: 0, ready: 0, byProject: new Map<string, number>() };
    for (const [project, list] of tasks) {
      const open = list.filter(({ status }) => !isClosed(status)).length;
      counts.open += open;
      counts.ready += list.filter(({ ready }) => ready).length;
      counts.byProject.set(project, open);
    }
    return { ...counts, forYou: [...tasks.values()].flat().filter(waitsForYou).length };
  }, [tasks]);
}

/** Who works on which task, and for how long its claim lasts. */
function AgentsNow() {
  const tasks = useStore(state, (value) => value.tasks);
  const now = useStore(clock, (value) => value);
  const held = useMemo(
    () => [...tasks.values()].flatMap((list) => list.filter((task) => task.held_until !== undefined)),
    [tasks],
  );
  const working = held.filter(({ held_until: end = "" }) => timeLeft(end, now) !== undefined);
  if (working.length === 0) return null;
  return (
    <section class="rail-agents" aria-label={words.rail.agents}>
      <h2>{words.rail.agents}</h2>
      {working.map((task) => (
        <Working key={task.path} task={task} now={now} />
      ))}
    </section>
  );
}

function Working({ task, now }: { task: Task; now: number }) {
  const { path, owner, held_until: end = "", number } = task;
  const name = owner ?? words.activity.unnamed;
  const title = `${taskName(task)}: ${say(words.task.claim, { name, time: formatTime(end) })}`;
  return (
    <a class="rail-place" href={addressOf("board", { task: path })} title={title}>
      <Mark name={name} kind="agent" />
      <span class="rail-name">
        <bdi>{name}</bdi>
        <span class="rail-left">
          {number} · {say(words.activity.left, { time: timeLeft(end, now) ?? "" })}
        </span>
      </span>
    </a>
  );
}

type Online = "connecting" | "live" | "lost";

function Connection() {
  const connection = useStore(state, (value) => value.connection as Online);
  const readOnly = useStore(state, (value) => value.tools.size > 0 && !value.tools.has("update_task_status"));
  const isUnsaved = useStore(state, (value) => value.unsaved > 0);
  return (
    <span class={connection === "lost" || isUnsaved ? "connection lost" : "connection"} role="status">
      <span class="light" aria-hidden="true" />
      <span>{words.app[connection]}</span>
      {isUnsaved && <span>{words.app.unsaved}</span>}
      {readOnly && <span class="chip">{words.app.readOnly}</span>}
    </span>
  );
}
