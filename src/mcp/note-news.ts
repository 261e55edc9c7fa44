import { quoteName } from "../lib/escape.ts";
import { quotePath } from "../notes/quote.ts";
import { isSameOwner } from "../notes/task/claim.ts";
import { type NoteLine, noteLines } from "../notes/task/note-line.ts";
import { attempt } from "../storage/fs-errors.ts";
import { readDocument } from "../workspace/read.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** More come with the next call. */
const MAX_NEWS = 5;
const MAX_NOTE_CHARS = 500;

interface Followed {
  agent: string;
  /** The lines that this client knows. */
  heard: string[];
}

/** What others write under the notes of the tasks that one client works on. */
export function createNoteNews() {
  const followed = new Map<string, Followed>();
  return {
    /** A call of an agent answered this: if that is a task of the agent, what comes now is news. */
    follow: (workspace: Workspace, agent: string, answer: object): void => {
      const path = pathIn(answer);
      if (path === undefined || followed.has(path)) return;
      const lines = linesFor(workspace, path, agent);
      if (lines !== undefined) followed.set(path, { agent, heard: lines.map(key) });
    },
    /** What is new, each once. */
    next: (workspace: Workspace): string[] =>
      [...followed].flatMap(([path, { agent, heard }]) => {
        const lines = linesFor(workspace, path, agent);
        if (lines === undefined) followed.delete(path);
        const known = [...heard];
        const fresh = (lines ?? []).filter((line) => {
          const at = known.indexOf(key(line));
          if (at !== -1) known.splice(at, 1);
          return at === -1;
        });
        const told = fresh.slice(0, MAX_NEWS);
        heard.push(...told.map(key));
        return told.map((line) => said(path, line));
      }),
  };
}

function pathIn(answer: object): string | undefined {
  const { path, task } = answer as { path?: unknown; task?: { path?: unknown } | null };
  const found = task?.path ?? path;
  return typeof found === "string" ? found : undefined;
}

/** Undefined if it is no open task of the agent. */
function linesFor(workspace: Workspace, path: string, agent: string): NoteLine[] | undefined {
  const document = attempt(() => readDocument(workspace.root, path));
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
