import { useEffect, useRef, useState } from "preact/hooks";
import { compareText } from "../core/lib/text.ts";
import { taskName } from "../core/notes/names.ts";
import { inWorkOrder } from "../core/notes/task/order.ts";
import { lastLooks } from "./activity/store.ts";
import { useAnswer } from "./answer.ts";
import { type Key, keyName, keys } from "./keys.ts";
import { words } from "./language.ts";
import type { Project, Task } from "./model.ts";
import { navigate } from "./route.ts";
import { state } from "./state.ts";
import { useStore } from "./store.ts";
import { filterTasks, foldedWords, hasWords } from "./views/board/tasks.ts";
import { searchNotes } from "./views/search/read.ts";
import { type Found, titleOf } from "./views/search/text.ts";

/** What one can jump to. */
export interface Target {
  kind: keyof typeof words.jump.kinds;
  name: string;
  /** Its project, its path, or its key. */
  where: string;
  go(event: Event): void;
}

const MOST = 8;
const PAUSE_MS = 150;

/** Tasks, projects and commands whose words fit, a few of each, and a moment later documents. */
export function useTargets(text: string): Target[] {
  const tasks = useStore(state, (value) => value.tasks);
  const projects = useStore(state, (value) => value.projects);
  // Those of the place below the dialog.
  const commands = useRef(keys.get().filter(isCommand)).current;
  const documents = useDocuments(text);
  const asked = foldedWords(text);
  const fits = (name: string) => hasWords(name, asked);
  const shown = bestTasks([...tasks.values()].flat(), text, fits);
  const named = projects.filter(({ name }) => asked.length > 0 && fits(name));
  const others = documents.filter(({ path }) => shown.every((task) => task.path !== path));
  return [
    ...shown.map(taskTarget),
    ...named.slice(0, MOST).map(projectTarget),
    ...commands.filter(({ label }) => fits(label)).map(commandTarget),
    // Last: what comes late must not take the place of what someone is about to choose.
    ...others.map(documentTarget),
  ];
}

/** Those whose name fits before those that have the words elsewhere; first those that the person looked at last. */
function bestTasks(tasks: readonly Task[], text: string, fits: (name: string) => boolean): Task[] {
  const all = inWorkOrder(filterTasks(tasks, { text }));
  const looks = lastLooks();
  const found = all.sort((a, b) => compareText(looks.get(b.path) ?? "", looks.get(a.path) ?? ""));
  const isNamed = (task: Task) => fits(taskName(task));
  return [...found.filter(isNamed), ...found.filter((task) => !isNamed(task))].slice(0, MOST);
}

function taskTarget(task: Task): Target {
  const go = () => navigate("document", { path: task.path });
  return { kind: "task", name: taskName(task), where: task.project, go };
}

function projectTarget({ name }: Project): Target {
  return { kind: "project", name, where: words.app.project, go: () => navigate("project", { name }) };
}

function documentTarget(found: Found): Target {
  const { path } = found;
  return { kind: "document", name: titleOf(found), where: path, go: () => navigate("document", { path }) };
}

function commandTarget({ key, label, run }: Key): Target {
  return { kind: "command", name: label, where: keyName(key), go: (event) => run(event as KeyboardEvent) };
}

/** Works without something that has the focus. */
function isCommand({ key, when }: Key): boolean {
  return when === undefined && key !== JUMP_KEY;
}

export const JUMP_KEY = "Ctrl+k";

/** What the server finds, once typing stops for a moment. */
function useDocuments(text: string): readonly Found[] {
  const [query, setQuery] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { value } = useAnswer(query, async () =>
    query === "" ? [] : (await searchNotes({ query, limit: MOST })).results,
  );
  return value ?? [];
}
