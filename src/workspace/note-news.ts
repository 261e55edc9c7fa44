import { quoteName } from "../lib/escape.ts";
import { isTaskPath } from "../notes/document.ts";
import { quotePath } from "../notes/quote.ts";
import { isSameOwner } from "../notes/task/claim.ts";
import { type NoteLine, noteLines } from "../notes/task/note-line.ts";
import { attempt } from "../storage/fs-errors.ts";
import { readDocument } from "./read.ts";

/** More come with the next call. */
const MAX_NEWS = 5;
const MAX_NOTE_CHARS = 500;

interface Followed {
  path: string;
  agent: string;
  /** The lines that the agent knows. */
  heard: string[];
}

/** What others write under the notes of the tasks that agents work on. */
export function createNoteNews(root: string) {
  const followed: Followed[] = [];
  const isFollowed = (path: string, agent: string) =>
    followed.some((one) => one.path === path && one.agent === agent);
  return {
    /** A call of an agent answered this: if that is a task of the agent, what comes now is news. */
    follow: (agent: string, answer: object): void => {
      const path = pathIn(answer);
      if (path === undefined || !isTaskPath(path) || isFollowed(path, agent)) return;
      const lines = linesFor(root, path, agent);
      if (lines !== undefined) followed.push({ path, agent, heard: lines.map(key) });
    },
    /** What is new for an agent with these names, each once. */
    next: (names: ReadonlySet<string>): string[] =>
      followed
        .filter(({ agent }) => names.has(agent))
        .flatMap((one) => {
          const lines = linesFor(root, one.path, one.agent);
          if (lines === undefined) followed.splice(followed.indexOf(one), 1);
          return newLines(lines ?? [], one.heard).map((line) => said(one.path, line));
        }),
  };
}

/** `heard` has them from now on. */
function newLines(lines: readonly NoteLine[], heard: string[]): NoteLine[] {
  const known = [...heard];
  const fresh = lines.filter((line) => {
    const at = known.indexOf(key(line));
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
  const told = fresh.slice(0, MAX_NEWS);
  heard.push(...told.map(key));
  return told;
}

function pathIn(answer: object): string | undefined {
  const { path, task } = answer as { path?: unknown; task?: { path?: unknown } | null };
  const found = task?.path ?? path;
  return typeof found === "string" ? found : undefined;
}

/** Undefined if it is no open task of the agent. */
function linesFor(root: string, path: string, agent: string): NoteLine[] | undefined {
  const document = attempt(() => readDocument(root, path));
  const { task, status, owner } = document?.facts ?? {};
  if (!document || !task || status === "done" || !isSameOwner(agent, owner ?? null)) return undefined;
  return noteLines(document.text, agent);
}

function key({ day, writer, note }: NoteLine): string {
  return [day, writer, note].join("\n");
}

/** In quotes that the text cannot end. */
function said(path: string, { writer, note }: NoteLine): string {
  return `${quoteName(writer)} wrote under Notes of ${quotePath(path)}, quoted: ${quoteName(note, MAX_NOTE_CHARS)}`;
}
