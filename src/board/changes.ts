import { projectOf } from "../core/notes/names.ts";
import { say, words } from "./language.ts";
import { type Called, ToolError } from "./mcp-client.ts";
import { announce, dismiss, report } from "./notices.ts";
import { navigate } from "./route.ts";
import { callTool, can, client, loggedIn, state } from "./state.ts";
import { nameAt } from "./task-list.ts";
import { refresh } from "./tasks.ts";

/** What a person did on this page in one go, and how to take it back. */
interface Done {
  text: string;
  /** In the history; the oldest first. */
  ids: readonly string[];
  /** Shows what is there again. */
  after: (() => void) | undefined;
  /** The notice that offers to take it back. */
  notice?: number;
}

/** The latest last. */
const done: Done[] = [];
/** What was taken back; a new change empties it. */
const undone: Done[] = [];
const MOST = 100;
/** Calls that write and have no answer yet. */
const running = new Set<Promise<unknown>>();
/** The ids of all that this page changed. */
const own = new Set<string>();

export function isOwn(id: string): boolean {
  return own.has(id);
}

/** Counts as one call until it ends: what takes back the last change waits for it. */
export function underWay<T>(work: Promise<T>): Promise<T> {
  running.add(work);
  const end = () => void running.delete(work);
  work.then(end, end);
  return work;
}

/** Resolves once no call of this page that writes is under way. */
export async function settled(): Promise<void> {
  await Promise.allSettled(running);
}

/** After this long, the page says that it is not saved yet. */
const LATE_MS = 1000;

function countLate(more: 1 | -1): void {
  state.update((value) => ({ ...value, unsaved: value.unsaved + more }));
}

/** Calls a tool that writes. */
function write<T>(tool: string, args: object): Promise<Called<T>> {
  return acknowledged(callTool<T>(tool, args));
}

async function acknowledged<T>(called: Promise<Called<T>>): Promise<Called<T>> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    countLate(1);
  }, LATE_MS);
  try {
    const answer = await underWay(called);
    for (const id of answer.changes) own.add(id);
    return answer;
  } finally {
    clearTimeout(timer);
    if (isLate) countLate(-1);
  }
}

/** For calls that write and belong together: `done` says what they did, and offers to take exactly that back. */
export function changing() {
  const ids: string[] = [];
  const made = async <T>(called: Promise<Called<T>>): Promise<T> => {
    const { answer, changes } = await called;
    ids.push(...changes);
    return answer;
  };
  return {
    call: <T>(tool: string, args: object): Promise<T> => made(write<T>(tool, args)),
    /** Its path in the project's assets. */
    addPicture: (project: string, picture: File) =>
      made(acknowledged(loggedIn(() => client.addPicture(project, picture)))),
    done: (text: string, after?: () => void) => {
      for (const one of [...undone]) take(undone, one);
      offer({ text, ids, after });
    },
  };
}

/** One call that writes to a project: says what it did, and reads the project's tasks again. */
export async function change(project: string, tool: string, args: object, said: string): Promise<void> {
  const { call, done } = changing();
  await call(tool, args);
  done(said);
  await refresh(project);
}

function offer(change: Done): void {
  const canUndo = change.ids.length > 0 && can("restore_doc");
  if (canUndo) done.push(change);
  if (done.length > MOST) done.shift();
  const run = () => void inQueue(() => takeBack(change));
  change.notice = announce(change.text, false, canUndo ? { label: words.app.undo, run } : undefined);
}

let queue = Promise.resolve();

/** Resolves once all is taken back, or done again, that the person has asked for by now. */
export function takenBack(): Promise<void> {
  return queue;
}

/** After what is under way now: a key that is pressed again before the server answered means the change before. */
function inQueue(run: () => Promise<void>): Promise<void> {
  const before = settled();
  queue = queue
    .then(() => before)
    .then(run)
    .catch(report);
  return queue;
}

/** Takes the last change of this page back that is not taken back yet. */
export function undoLast(): Promise<void> {
  return inQueue(async () => {
    const last = done.at(-1);
    if (last === undefined) announce(words.app.nothingToUndo);
    else await takeBack(last);
  });
}

/** Takes changes back that someone made, the newest first; `text` names them. */
export function undoChanges(text: string, ids: readonly string[]): Promise<void> {
  return inQueue(() => {
    const change = { text, ids, after: undefined };
    done.push(change);
    return takeBack(change);
  });
}

/** Does again what was taken back last, unless this page changed something since. */
export function redoLast(): Promise<void> {
  return inQueue(async () => {
    const last = undone.at(-1);
    if (last === undefined) announce(words.app.nothingToRedo);
    else await redo(last);
  });
}

/** False if it is gone already: two clicks act once. */
function take(list: Done[], change: Done): boolean {
  const at = list.indexOf(change);
  if (at !== -1) list.splice(at, 1);
  if (change.notice !== undefined) dismiss(change.notice);
  return at !== -1;
}

async function takeBack(change: Done): Promise<void> {
  if (!take(done, change)) return;
  const { text, ids, after } = change;
  const { back, left, problem, changed } = await restoreAll(ids);
  if (left.length > 0) {
    // Without a connection, nothing says that the rest cannot be taken back.
    if (!(problem instanceof ToolError)) done.push({ text, ids: left, after });
    const what =
      back.length === 0
        ? say(words.app.notUndone, { what: text })
        : say(words.app.partlyUndone, { what: text, left: left.length });
    return void reportUndo(problem, what, changed);
  }
  after?.();
  const again: Done = { text, ids: back, after: undefined };
  undone.push(again);
  const run = () => void inQueue(() => redo(again));
  again.notice = announce(say(words.app.undone, { what: text }), false, { label: words.app.redo, run });
}

async function redo(change: Done): Promise<void> {
  if (!take(undone, change)) return;
  const { text, ids, after } = change;
  const { back, left, problem, changed } = await restoreAll(ids);
  if (left.length > 0) reportUndo(problem, say(words.app.notUndone, { what: text }), changed);
  if (back.length > 0) offer({ text, ids: back, after });
}

interface Restored {
  path: string;
  restored?: { list: string[] };
}

/** The newest first. `back` are the ids that take this back, `left` what could not be restored, as others changed these paths. */
async function restoreAll(ids: readonly string[]) {
  const back: string[] = [];
  const changed = new Set<string>();
  const projects = new Set<string>();
  const { left, problem } = await inTurn([...ids].reverse(), async (id) => {
    const { answer, changes } = await write<Restored>("restore_doc", { change: id }).catch((error) => {
      if (error instanceof ToolError && error.code === "CONFLICT") changed.add(String(error.details["path"]));
      throw error;
    });
    const { path, restored } = answer;
    back.push(...changes);
    for (const one of restored?.list ?? [path]) projects.add(projectOf(one));
  });
  await Promise.allSettled([...projects].map(refresh));
  return { back, left: left.reverse(), problem, changed };
}

/** Does one after the other. What the server refuses is left and does not hold up the others; without a connection, they are left too. */
export async function inTurn<T>(items: readonly T[], run: (item: T) => Promise<unknown>) {
  const left: T[] = [];
  let problem: unknown;
  for (const item of items)
    try {
      if (problem !== undefined && !(problem instanceof ToolError)) throw problem;
      await run(item);
    } catch (error) {
      problem = error;
      left.push(item);
    }
  return { left, problem };
}

/** What another one changed since stays; its history shows who. */
function reportUndo(error: unknown, what: string, changed: ReadonlySet<string>): void {
  const [path] = changed;
  if (path === undefined) return void report(error, what);
  const names = [...changed].map((one) => nameAt(state.get().tasks, one)).join(", ");
  announce(`${what} ${say(words.app.changedSince, { path: names })}`, true, {
    label: words.app.showHistory,
    run: () => navigate("document", { path, show: "history" }),
  });
}
