import { join } from "node:path";
import type { History } from "../history/history.ts";
import { isSeen } from "../history/sight.ts";
import { quoteName } from "../lib/escape.ts";
import { isTaskPath } from "../notes/document.ts";
import { projectOf } from "../notes/names.ts";
import { quotePath } from "../notes/quote.ts";
import { isBack, isSameOwner } from "../notes/task/claim.ts";
import { type NoteLine, noteLines } from "../notes/task/note-line.ts";
import { endsClaim, isClosed } from "../notes/task/statuses.ts";
import { attempt } from "../storage/fs-errors.ts";
import { fileVersion } from "../storage/read.ts";
import { originOf } from "./line-origin.ts";
import { type Document, readDocument } from "./read.ts";

/** The newest: those that are handed in stay, too. */
const MAX_FOLLOWED = 1000;
/** More come with the next call. */
const MAX_NEWS = 5;
const MAX_NOTE_CHARS = 500;

type Said = Pick<Document, "text" | "hash" | "facts">;
type Origins = Pick<History, "root" | "state">;

interface Followed {
  path: string;
  agent: string;
  /** Agents of two tokens may have one name. */
  token: string | undefined;
  /** The lines that the agent knows. */
  heard: string[];
  /** Its owner when the agent handed it in: it may come back, also to an agent that never claimed it. */
  handedIn?: { owner: string | null; isBack: boolean } | undefined;
  /** The document as the call that runs has read or written it. */
  now?: (() => Said) | undefined;
  /** The version of the file that has no other lines. */
  version?: string | undefined;
}

/** What others write under the notes of the tasks that agents work on. */
export function createNoteNews(history: Origins & Pick<History, "actor">) {
  const { root, actor } = history;
  const followed: Followed[] = [];
  return {
    /** A call reads or writes a document: if that is a task of its agent, what comes later is news. */
    follow: (path: string, read: () => Said, isWritten = false): void => {
      const { client, agent = client, isPerson, token } = actor();
      if (isPerson || !isTaskPath(path)) return;
      const known = followed.find((one) => one.path === path && one.agent === agent && one.token === token);
      const one: Followed = known ?? { path, agent, token, heard: [] };
      const { text, facts } = read();
      one.now = read;
      if (isWritten && endsClaim(facts.status)) one.handedIn = { owner: facts.owner, isBack: false };
      if (known !== undefined || !isTheirs(facts, one)) return;
      one.heard = noteLines(text, agent).map(key);
      followed.push(one);
      if (followed.length > MAX_FOLLOWED) followed.shift();
    },
    /** What is new for an agent with these names behind a token, each once. */
    next: async (names: ReadonlySet<string>, behind: string | undefined): Promise<string[]> => {
      const news = followed
        .filter(({ agent, token, path }) => names.has(agent) && token === behind && isSeen(projectOf(path)))
        .flatMap((one) => {
          const { path, now = () => readDocument(root, path) } = one;
          const version = one.now === undefined ? fileVersion(join(root, path)) : undefined;
          if (version !== undefined && version === one.version) return [];
          Object.assign(one, { now: undefined, version });
          const document = attempt(now);
          if (document !== undefined && isTheirs(document.facts, one)) return newsOf(history, one, document);
          followed.splice(followed.indexOf(one), 1);
          return [];
        });
      return (await Promise.all(news)).filter((text) => text !== null);
    },
  };
}

/** A task of its agent that is open, or that the agent handed in and nobody took since. */
function isTheirs({ task, status, owner }: Said["facts"], { agent, handedIn }: Followed): boolean {
  if (task === null || (isClosed(status) && handedIn === undefined)) return false;
  return isSameOwner(agent, owner) || (handedIn !== undefined && handedIn.owner === owner);
}

/** Nothing of one that is closed. */
function newsOf(history: Origins, one: Followed, document: Said): (string | Promise<string | null>)[] {
  const { status, owner, task } = document.facts;
  if (isClosed(status)) return [];
  const words = newLines(one, document).map((line) => said(history, one, { document, line }));
  const { path, handedIn } = one;
  if (handedIn === undefined || handedIn.isBack || !isBack({ status, owner, ...task })) return words;
  handedIn.isBack = true;
  return [`${quotePath(path)} came back: its status is ${quoteName(status ?? "none")} now.`, ...words];
}

/** They are heard from now on. */
function newLines(one: Followed, { text }: Said): NoteLine[] {
  const fresh = unheard(noteLines(text, one.agent), one.heard);
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

function key({ day, writer, note }: NoteLine): string {
  return [day, writer, note].join("\n");
}

/** In quotes that the text cannot end; null for what the agent wrote itself. */
async function said(
  history: Origins,
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
