import { locked } from "../history/interrupted.ts";
import type { ImportedTask, ImportedTasks, ImportKind } from "../imports/imported-task.ts";
import { groupBy } from "../lib/collections.ts";
import { withoutMarkdownExtension } from "../lib/file-names.ts";
import { codeSpan } from "../markdown/embed.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { mergeFrontmatter } from "../markdown/frontmatter-edit.ts";
import { ARCHIVE } from "../notes/names.ts";
import { renderTask, taskFilename } from "../notes/task/file.ts";
import { contentOf } from "../storage/read.ts";
import { change } from "./change/change.ts";
import type { Wanted } from "./change/rules.ts";
import { newPathOnDisk } from "./find/folder.ts";
import { readProjectFiles } from "./project-files.ts";
import { nextNumber } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

export interface ImportResult {
  /** The paths of the new tasks, in their order. */
  created: string[];
  /** How many were there already. */
  known: number;
  /** What could not be carried over, with how many tasks it concerns. */
  lost: { field: string; tasks: number }[];
  skipped: string[];
  /** The id of the change, to take it back. */
  change?: string;
}

/** Tells a task that came from elsewhere; `imported: beads bd-7h7` in its frontmatter. */
const ORIGIN = "imported";

/** Creates the tasks that the project does not have yet, as one change. */
export async function importTasks(
  workspace: Workspace,
  project: string,
  { kind, source, dryRun }: { kind: ImportKind; source: ImportedTasks; dryRun: boolean },
): Promise<ImportResult> {
  const least = await workspace.branches.nextNumber(project);
  return locked(workspace.history, [project], async (lockOf) => {
    const known = knownNames(workspace, project, kind);
    const fresh = source.tasks.filter(({ id }) => !known.has(id));
    let number = nextNumber(workspace, project, least);
    const names = new Map(known);
    for (const { id, title } of fresh) names.set(id, withoutMarkdownExtension(taskFilename(number++, title)));
    const wanted = fresh.map((task): Wanted => {
      const path = newPathOnDisk(workspace.root, `${project}/tasks/${names.get(task.id)}.md`);
      return { path, before: null, after: contentOf(Buffer.from(textOf(task, kind, names))) };
    });
    const result = {
      created: wanted.map(({ path }) => path),
      known: source.tasks.length - fresh.length,
      lost: lostOf(fresh, names),
      skipped: source.skipped,
    };
    const { id } = await change(workspace, { lockOf }, dryRun ? [] : wanted);
    return { ...result, ...(id !== undefined && { change: id }) };
  });
}

/** The names of the tasks that came from a program before, by their names there. */
function knownNames({ root }: Workspace, project: string, kind: ImportKind): Map<string, string> {
  const known = new Map<string, string>();
  for (const folder of ["tasks", ARCHIVE]) {
    for (const file of readProjectFiles(root, project, folder)) {
      const origin = parseFrontmatter(file.read()?.text.slice(0, 64 * 1024) ?? "").data[ORIGIN];
      const [from, ...id] = typeof origin === "string" ? origin.split(" ") : [];
      const name = file.filename.slice(file.filename.lastIndexOf("/") + 1);
      if (from === kind) known.set(id.join(" "), withoutMarkdownExtension(name));
    }
  }
  return known;
}

function textOf(task: ImportedTask, kind: ImportKind, names: ReadonlyMap<string, string>): string {
  const { title, objective, tags, criteria, files, dates } = task;
  const found = task.dependencies.flatMap((id) => names.get(id) ?? []);
  const text = renderTask({
    ...task,
    objective: objective || title,
    tags: [...new Set(tags)],
    acceptance_criteria: criteria,
    context: { related_files: files, dependencies: found },
    notes: notesOf(task, names),
  });
  return mergeFrontmatter(text, { [ORIGIN]: `${kind} ${task.id}`, ...dates });
}

/** Links to tasks that are not there stay as texts. */
function notesOf(
  { dependencies, related, sections }: ImportedTask,
  names: ReadonlyMap<string, string>,
): string {
  const needed = dependencies.filter((id) => !names.has(id)).map((id) => ({ id, how: "Needs" }));
  const links = [...needed, ...related].map(({ id, how }) => {
    const name = names.get(id);
    return `- ${how} ${name === undefined ? codeSpan(id) : `[[${name}]]`}`;
  });
  const parts = sections.map(({ title, text }) => `### ${title}\n${text}`);
  return [...(links.length > 0 ? [links.join("\n")] : []), ...parts].join("\n\n");
}

function lostOf(tasks: readonly ImportedTask[], names: ReadonlyMap<string, string>): ImportResult["lost"] {
  const fields = tasks.flatMap(({ lost, dependencies, related }) => {
    const isUnknown = [...dependencies, ...related.map(({ id }) => id)].some((id) => !names.has(id));
    return [...new Set(lost), ...(isUnknown ? ["links to tasks that are not there"] : [])];
  });
  return [...groupBy(fields, (field) => field)]
    .map(([field, all]) => ({ field, tasks: all.length }))
    .sort((a, b) => b.tasks - a.tasks);
}
