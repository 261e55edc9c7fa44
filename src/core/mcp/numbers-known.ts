import { setMostRecent } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { taskKey } from "../notes/document.ts";
import { isEnough, type Lines, linesOf, scoreOf } from "../notes/merge/likeness.ts";
import { baseName, behindNumber, projectOf } from "../notes/names.ts";
import { attempt } from "../storage/fs-errors.ts";
import { gateOf } from "../storage/path-gate.ts";
import { readFile } from "../storage/read.ts";
import { type DocumentName, findIfThere } from "../workspace/find/document.ts";
import { isTaskNumber } from "../workspace/find/names.ts";
import { listTaskFiles } from "../workspace/find/task-files.ts";
import type { CurrentProject } from "../workspace/place/current-project.ts";
import { namedHere } from "./here.ts";

/** The arguments of tools that may hold numbers of tasks. */
const ARGUMENTS = ["task", "tasks", "task_file", "path", "filename", "dependencies", "parent"] as const;
/** How answers name a task: by its path in quotes or backticks, or in a briefing by its number and title. */
const PATH = /(?<=["`])[^"`\\]+\.md(?=["`])/gi;
const LABEL = /\b\d{1,9}(?= - “)/g;
const MAX_NUMBERS = 1000;

interface Meaning {
  path: string;
  lines: Lines;
}

/** Which file each number of a task meant to one client: what it was shown, and what its calls used. */
export function createNumbersKnown() {
  const known = new Map<string, Meaning>();
  const learn = (root: string, path: string): void => {
    const key = taskKey(path);
    const lines = key && linesAt(root, path);
    if (key && lines) setMostRecent(known, MAX_NUMBERS, [key, { path, lines }]);
  };
  const meaningOf = (path: string) => known.get(taskKey(path) ?? "");
  /** An answer or a prompt; `project` is that of numbers without a path. */
  const shown = (root: string, answer: unknown, project?: string): void => {
    const text = JSON.stringify(answer);
    const numbers = project === undefined ? [] : (text.match(LABEL) ?? []);
    const labeled = numbers.map((filename) => attempt(() => findIfThere(root, { project, filename })));
    for (const path of [...(text.match(PATH) ?? []), ...labeled])
      if (path !== undefined && meaningOf(path)?.path !== path) learn(root, path);
  };
  const check = async (root: string, given: string, name: DocumentName): Promise<void> => {
    const path = attempt(() => findIfThere(root, name));
    const was = path === undefined ? undefined : meaningOf(path);
    if (path === undefined || was?.path === path) return;
    learn(root, path);
    if (was !== undefined && !isStill(root, was, path)) throw numberChanged(root, given, was, path);
  };
  return {
    shown,
    /** What a client moves or removes itself is no surprise to it. */
    changed: (changes: readonly { path: string; after: unknown }[]): void => {
      for (const { path, after } of changes)
        if (after === null && meaningOf(path)?.path === path) known.delete(taskKey(path) ?? "");
    },
    /** Runs a call, unless a number in its arguments meant another task before: throws CONFLICT then, once. */
    during: async <T>(current: CurrentProject, args: unknown, handle: () => T): Promise<Awaited<T>> => {
      const { root } = current.workspace();
      // Without a project, the tool says so.
      for (const { given, parts } of numbersIn(args as object))
        await check(root, given, await namedHere(parts, current).catch(() => parts));
      const answer = await handle();
      shown(root, answer, (answer as { project?: string }).project);
      return answer;
    },
  };
}

function linesAt(root: string, path: string): Lines | undefined {
  const text = attempt(() => readFile(gateOf(root), path)?.text);
  return text === undefined ? undefined : linesOf(text);
}

function numbersIn(args: object): { given: string; parts: DocumentName }[] {
  const { project, folder, context, ...named } = args as DocumentName & { context?: object };
  const values = { ...named, ...context } as Record<string, string | string[] | undefined>;
  return ARGUMENTS.flatMap((argument) =>
    [values[argument] ?? []]
      .flat()
      .filter(isTaskNumber)
      .map((given) => ({
        given,
        parts: argument === "path" ? { project, path: given } : { project, folder, filename: given },
      })),
  );
}

/** Whether a task is the one that was at another path, in the archive, a folder or with another title, or both have the number. */
function isStill(root: string, was: Meaning, path: string): boolean {
  if (baseName(was.path) === baseName(path) || linesAt(root, was.path) !== undefined) return true;
  const lines = linesAt(root, path);
  return (
    newPlace(root, was, path) === undefined &&
    lines !== undefined &&
    isEnough(scoreOf(was.lines, lines, true))
  );
}

/** Where a task is that has not its number any more. */
function newPlace(root: string, { path: before }: Meaning, now: string): string | undefined {
  const name = behindNumber(baseName(before));
  const files = attempt(() => listTaskFiles(root, projectOf(now))) ?? [];
  return files.find((one) => one !== now && behindNumber(baseName(one)) === name);
}

function numberChanged(root: string, number: string, was: Meaning, path: string): UserError {
  const now = newPlace(root, was, path);
  const since = now === undefined ? "which is gone" : `which has become ${quoteName(now)}`;
  const message = `${quoteName(number)} was ${quoteName(was.path)} in this session, ${since}, and is ${quoteName(path)} now. Give the path of the one that you mean.`;
  const suggestions = now === undefined ? [path] : [now, path];
  return new UserError("CONFLICT", message, { details: { path, suggestions } });
}
