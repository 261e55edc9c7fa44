import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { quoteInline, quotePath } from "../../notes/quote.ts";
import { isTaskStatus } from "../../notes/task/statuses.ts";
import { relatedFiles } from "../../notes/task/task.ts";
import type { WorkspaceTask } from "../tasks.ts";
import { type Facts, referencedTasks } from "./facts.ts";
import type { Section } from "./fit.ts";
import { documentLabel, type Focus } from "./focus.ts";
import { withStatus } from "./task-sections.ts";

const MAX_FILES = 30;
const MAX_TASKS = 20;
const MAX_READ = 30;
const MAX_DOCUMENTS = 10;
// Other sections of the briefing show them.
const UNRELATED = ["", "tasks", "sessions"];
const MAX_TEXT_CHARS = 100_000;
/** Documents times characters, since the texts are searched for each document. */
const MAX_COMPARED = 500_000_000;

/** Files named by the current tasks and their dependencies, and documents related to the focus. */
export function relatedSection(facts: Facts, focus: Focus): Section {
  const tasks = tasksAtHand(facts, focus);
  const own = new Set(tasks.map(({ path }) => path));
  const files = filesOf(facts, [...tasks, ...tasks.flatMap((task) => tasksBefore(facts, task))]);
  const producers = filesOf(facts, withStatus(facts, "done").reverse());
  const documents = [...new Set([...focus.hits, ...mentionedIn(facts, tasks)])].filter(
    (path) => !own.has(path),
  );
  const lines = [
    ...[...files].slice(0, MAX_FILES).map(([file, task]) => fileLine(file, producers.get(file) ?? task)),
    ...documents.slice(0, MAX_DOCUMENTS).map((path) => `- ${documentLabel(facts, path)}`),
  ];
  const rest = `Read the tasks with read_doc: project ${quotePath(facts.project)}, folder tasks.`;
  return { title: "Related Files", body: lines.join("\n"), rank: 3, rest };
}

/** A file with the task that produced it or, if none is done, one that names it. */
function fileLine(file: string, { title, number, filename, status }: WorkspaceTask): string {
  const note = isTaskStatus(status) ? `, ${status}` : "";
  return `- ${quotePath(file)} — ${quoteInline(title)} (task ${number ?? quotePath(filename)}${note})`;
}

/** The other documents of the project whose paths the tasks mention. */
function mentionedIn(facts: Facts, tasks: WorkspaceTask[]): string[] {
  const texts = tasks.map(({ path }) => facts.read(path)?.text.slice(0, MAX_TEXT_CHARS) ?? "").join("\n");
  const others = [...facts.documents.values()].filter(({ folder }) => !UNRELATED.includes(folder));
  const compared = texts.slice(0, MAX_COMPARED / (others.length + 1));
  return others
    .filter(({ folder, filename }) => compared.includes(`${folder}/${withoutMarkdownExtension(filename)}`))
    .map(({ path }) => path);
}

/** The tasks of the focus, or those among its hits; without a focus, the active and blocked ones. */
function tasksAtHand(facts: Facts, focus: Focus): WorkspaceTask[] {
  if (focus.tasks.length > 0) return focus.tasks;
  if (focus.label === null) {
    return ["in-progress", "blocked"].flatMap((status) => withStatus(facts, status).slice(0, MAX_TASKS / 2));
  }
  const byPath = new Map(facts.tasks.map((task) => [task.path, task]));
  return focus.hits.flatMap((path) => byPath.get(path) ?? []);
}

function tasksBefore(facts: Facts, task: WorkspaceTask): WorkspaceTask[] {
  const before = task.dependencies.slice(0, MAX_TASKS).flatMap((name) => referencedTasks(facts, name));
  return before.filter((other) => other !== task);
}

/** Each file with the first task that names it. */
function filesOf(facts: Facts, tasks: WorkspaceTask[]): Map<string, WorkspaceTask> {
  const files = new Map<string, WorkspaceTask>();
  for (const task of [...new Set(tasks)].slice(0, MAX_READ)) {
    const document = facts.read(task.path);
    const named = document === null ? [] : relatedFiles(document.text, document.facts.bodyOffset);
    for (const file of named) if (!files.has(file)) files.set(file, task);
  }
  return files;
}
