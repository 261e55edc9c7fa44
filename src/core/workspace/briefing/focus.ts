import { UserError } from "../../lib/errors.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { withoutMarks } from "../../lib/marks.ts";
import { fold } from "../../lib/text.ts";
import { baseName, behindNumber, parseTaskNumber } from "../../notes/names.ts";
import { quoteInline, quotePath } from "../../notes/quote.ts";
import { TASK_WORD } from "../../notes/words/languages.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { findTask } from "../find/task.ts";
import type { WorkspaceTask } from "../tasks.ts";
import type { Workspace } from "../workspace.ts";
import { type Facts, referencedTasks } from "./facts.ts";
import type { Section } from "./fit.ts";
import { fullTask } from "./task-sections.ts";
import { quoteText, readHint, taskLabel } from "./texts.ts";

const FOCUS_RANK = 15;
const MAX_HITS = 8;
const MAX_TASKS = 3;
const SNIPPET = { words: 64, chars: 500 };
const MAX_QUERY_CHARS = 500;

/** What a session is about. */
export interface Focus {
  /** The line under the title; null without a focus. */
  label: string | null;
  /** The tasks that the focus names. */
  tasks: WorkspaceTask[];
  /** Paths of the documents that contain its words, the best first. */
  hits: string[];
  /** With the texts of tasks of up to `most` characters. */
  sections: (most: number) => Section[];
}

interface Hit {
  path: string;
  heading: string | null;
  snippet: string;
}

export async function findFocus(
  workspace: Workspace,
  facts: Facts,
  focus: string | undefined,
): Promise<Focus> {
  if (focus === undefined) return { label: null, tasks: [], hits: [], sections: () => [] };
  const path = attempt(() => findTask(workspace.root, facts.project, focus));
  const named = facts.allTasks.filter((task) => task.path === path);
  const tasks = named.length > 0 ? named : namedTasks(facts, focus);
  if (tasks.length > 0) return focusOnTasks(facts, tasks);
  const hits = await findHits(workspace, facts, focus);
  const sections = () => [hitsSection(facts, focus, hits)];
  return { label: quoteInline(focus), tasks: [], hits: hits.map(({ path }) => path), sections };
}

const TASK_MARK = new RegExp(`^(?:tasks/|${TASK_WORD}\\s*(?=[#\\d]))`, "iu");

/** The task with that number, file name or title; several if the project itself is ambiguous. */
function namedTasks(facts: Facts, focus: string): WorkspaceTask[] {
  const name = focus.replace(TASK_MARK, "").trim();
  if (name === "") return [];
  if (/^#?\d{1,9}$/.test(name))
    return [...referencedTasks(facts, name.replace(/^#?/, "#").replace(/#0+(?=\d)/, "#"))];
  const key = fold(withoutMarkdownExtension(name));
  const named = facts.tasks.filter((task) => taskNames(task).some((name) => fold(name) === key));
  if (named.length > 0) return named;
  if (parseTaskNumber(name) !== null)
    return facts.tasks.filter(({ filename }) => fold(baseName(filename)).startsWith(key));
  const titled = facts.tasks.filter(({ title }) => fold(title).includes(key));
  // Words in several titles name a subject, not a task.
  return titled.length === 1 && key.length > 1 ? titled : [];
}

/** The names by which people call a task: its file, the file without number, its title, both. */
function taskNames({ filename, number, title }: WorkspaceTask): string[] {
  const name = withoutMarkdownExtension(baseName(filename));
  const names = [withoutMarkdownExtension(filename), name, title];
  if (number !== null) names.push(behindNumber(name), `${number} ${title}`, `${number} - ${title}`);
  return names.filter((candidate) => candidate !== "");
}

function focusOnTasks(facts: Facts, tasks: WorkspaceTask[]): Focus {
  const shown = tasks.slice(0, MAX_TASKS);
  const [first] = shown;
  const label = shown.map((task) => `Task ${taskLabel(task)}`).join("; ");
  const several = tasks.length > 1 ? [`${tasks.length} tasks go by that name.`] : [];
  const rest = first === undefined ? "" : readHint(first);
  const sections = (most: number) => {
    const body = [...several, ...shown.map((task) => taskDetails(facts, task, most))].join("\n\n");
    return [{ title: "Task Details", body, rank: FOCUS_RANK, rest }];
  };
  return { label, tasks: shown, hits: [], sections };
}

function taskDetails(facts: Facts, task: WorkspaceTask, most: number): string {
  const status = task.status === null ? "none" : quoteStatus(task.status);
  return fullTask(facts, task, most).replace("\n\n", `\n\n**Status:** ${status}\n`);
}

function quoteStatus(status: string): string {
  return /^[a-z-]{1,20}$/.test(status) ? status : quoteInline(status);
}

function hitsSection(facts: Facts, focus: string, hits: Hit[]): Section {
  const title = "Focus";
  const rest = `Find more with search: query ${quoteInline(focus)}, project ${quotePath(facts.project)}.`;
  const none = `No task goes by that name, and nothing in the project matches ${quoteInline(focus)}.`;
  if (hits.length === 0) return { title, body: none, rank: FOCUS_RANK, rest };
  const items = hits.map(({ path, heading, snippet }) => {
    const under = heading === null ? "" : `Under ${quoteInline(heading.replace(/^#+\s*/, ""))}:\n`;
    return `### ${documentLabel(facts, path)}\n\n${under}${quoteText(snippet, SNIPPET.chars * 2)}`;
  });
  const intro = "No task goes by that name. What matches best in the project:";
  return { title, body: [intro, ...items].join("\n\n"), rank: FOCUS_RANK, rest };
}

/** A document by path and title, a task with its status. */
export function documentLabel({ documents }: Facts, path: string): string {
  const row = documents.get(path);
  if (row === undefined) return quotePath(path);
  const status = row.task === null || row.status === null ? "" : ` (${quoteStatus(row.status)})`;
  return `${quotePath(path)} - ${quoteInline(row.title)}${status}`;
}

/** The best hits in the project; none if the text has no words. */
async function findHits(workspace: Workspace, facts: Facts, text: string): Promise<Hit[]> {
  const query = text.slice(0, MAX_QUERY_CHARS);
  try {
    const { results } = await workspace.search({
      query,
      limit: MAX_HITS,
      filter: { project: facts.project },
    });
    return results.map(({ path, passage }) => {
      const { text, heading } = passage(SNIPPET);
      return { path, heading, snippet: withoutMarks(text) };
    });
  } catch (error) {
    if (error instanceof UserError && error.code === "INVALID_QUERY") return [];
    throw error;
  }
}
