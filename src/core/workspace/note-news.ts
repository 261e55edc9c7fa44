import { join } from "node:path";
import type { History } from "../history/history.ts";
import { quoteName } from "../lib/escape.ts";
import { isTaskPath } from "../notes/document.ts";
import { quotePath } from "../notes/quote.ts";
import { isSameOwner } from "../notes/task/claim.ts";
import { type NoteLine, noteLines } from "../notes/task/note-line.ts";
import { attempt } from "../storage/fs-errors.ts";
import { fileVersion } from "../storage/read.ts";
import { originOf } from "./line-origin.ts";
import { type Document, readDocument } from "./read.ts";

/** More come with the next call. */
const MAX_NEWS = 5;
const MAX_NOTE_CHARS = 500;

type Said = Pick<Document, "text" | "hash" | "facts">;

interface Followed {
  path: string;
  agent: string;
  /** The lines that the agent knows. */
  heard: string[];
  /** The document as the call that runs has read or written it. */
  now?: (() => Said) | undefined;
  /** The version of the file that has no other lines. */
  version?: string | undefined;
}

/** What others write under the notes of the tasks that agents work on. */
export function createNoteNews(history: Pick<History, "root" | "state" | "actor">) {
  const { root, actor } = history;
  const followed: Followed[] = [];
  return {
    /** A call reads or writes a document: if that is a task of its agent, what comes later is news. */
    follow: (path: string, read: () => Said): void => {
      const { client, agent = client, isPerson } = actor();
      if (isPerson || !isTaskPath(path)) return;
      const known = followed.find((one) => one.path === path && one.agent === agent);
      if (known !== undefined) known.now = read;
      const lines = known === undefined ? linesFor(read(), agent) : undefined;
      if (lines !== undefined) followed.push({ path, agent, heard: lines.map(key), now: read });
    },
    /** What is new for an agent with these names, each once. */
    next: async (names: ReadonlySet<string>): Promise<string[]> => {
      const news = followed
        .filter(({ agent }) => names.has(agent))
        .flatMap((one) => {
          const { path, agent, now = () => readDocument(root, path) } = one;
          const version = one.now === undefined ? fileVersion(join(root, path)) : undefined;
          if (version !== undefined && version === one.version) return [];
          Object.assign(one, { now: undefined, version });
          const document = attempt(now);
          const lines = document && linesFor(document, agent);
          if (document !== undefined && lines !== undefined)
            return newsOf(one, lines).map((line) => said(history, one, { document, line }));
          followed.splice(followed.indexOf(one), 1);
          return [];
        });
      return (await Promise.all(news)).filter((text) => text !== null);
    },
  };
}

/** The lines are heard from now on. */
function newsOf(one: Followed, lines: readonly NoteLine[]): NoteLine[] {
  const fresh = unheard(lines, one.heard);
  const news = fresh.slice(0, MAX_NEWS);
  one.heard.push(...news.map(key));
  if (news.length < fresh.length) one.version = undefined;
  return news;
}

function unheard(lines: readonly NoteLine[], heard: readonly string[]): NoteLine[] {
  const known = [...heard];
  return lines.filter((line) => {
    const at = known.indexOf(key(line));
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

/** Undefined if it is no open task of the agent. */
function linesFor({ text, facts }: Said, agent: string): NoteLine[] | undefined {
  const { task, status, owner } = facts;
  if (task === null || status === "done" || !isSameOwner(agent, owner)) return undefined;
  return noteLines(text, agent);
}

function key({ day, writer, note }: NoteLine): string {
  return [day, writer, note].join("\n");
}

/** In quotes that the text cannot end; null for what the agent wrote itself. */
async function said(
  history: Pick<History, "root" | "state">,
  { path, agent }: Followed,
  { document: { text, hash }, line }: { document: Said; line: NoteLine },
): Promise<string | null> {
  const count = (one: string) => noteLines(one, null).filter((other) => key(other) === key(line)).length;
  const origin = await originOf(history, { path, text, hash }, count);
  const [place, note] = [`under Notes of ${quotePath(path)}`, quoteName(line.note, MAX_NOTE_CHARS)];
  if (origin.kind === "unknown") return `A line ${place} says (origin unknown): ${note}`;
  if (origin.kind === "sync") return `${quoteName(origin.name)} brought a line ${place}, quoted: ${note}`;
  if (origin.kind === "person") return `${quoteName(line.writer)} wrote ${place}, quoted: ${note}`;
  if (isSameOwner(origin.name, agent)) return null;
  return `The agent ${quoteName(origin.name)} wrote ${place}, quoted: ${note}`;
}
