import { basename, dirname, join } from "node:path";
import { hyphenate } from "../../core/notes/names.ts";
import { fileLines } from "../../core/storage/file-lines.ts";
import { writtenAt } from "../../core/storage/inspect.ts";
import { filesBelow } from "../../core/storage/list.ts";
import { readSmall } from "../../core/storage/read.ts";
import { withoutLongTexts } from "../transcripts/long-line.ts";
import { readTranscript, type Transcript } from "../transcripts/transcript.ts";

/** Longer lines hold pictures, or outputs of tools, which are left out. */
const LONG_LINE_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** The first records say which client and folder it was. */
const HEAD_LINES = 50;
const MAX_HELPERS = 500;

/** Reads a transcript of any size. Throws system errors. */
export function readTranscriptFile(file: string, after?: ReadonlyMap<string, Date>): Transcript {
  const transcript = readTranscript(recordLines(file), {
    written: writtenAt(file) ?? new Date(0),
    helpers: helperFiles(file).map(recordLines),
    ...(after && { after }),
  });
  return { ...transcript, folder: folderOf(transcript, file) };
}

/** Claude Code and Gemini CLI keep what helpers of the agent did in a folder that is called like the session. */
function helperFiles(file: string): string[] {
  const folder = dirname(file);
  const own = basename(file).replace(/\.jsonl?$/, "");
  const inside = [`${own}/subagents`, ...(/^session-/.test(own) ? [sessionOf(file)] : [])].filter(Boolean);
  return inside.flatMap((name) =>
    filesBelow(folder, name, MAX_HELPERS)
      .filter((path) => path.endsWith(".jsonl"))
      .sort()
      .map((path) => join(folder, path)),
  );
}

/** The name that a transcript gives its session; `""` for none that could be a folder's. */
function sessionOf(file: string): string {
  const { id } = readTranscript(firstOf(recordLines(file), HEAD_LINES), { written: new Date(0) });
  return /^[\w-]{1,100}$/.test(id) ? id : "";
}

/** What the beginning of a transcript says of its client and folder. Throws system errors. */
export function readTranscriptHead(file: string): Pick<Transcript, "client" | "folder"> {
  const head = readTranscript(firstOf(recordLines(file), HEAD_LINES), { written: new Date(0) });
  return { client: head.client, folder: folderOf(head, file) };
}

/** Gemini CLI also writes it beside its transcripts. */
function folderOf({ client, folder }: Pick<Transcript, "client" | "folder">, file: string): string {
  if (folder !== "" || client !== "gemini") return folder;
  return readSmall(join(dirname(file), "..", ".project_root"))?.trim() ?? "";
}

/** The session's own name, else that of its file. */
export function sessionName({ id }: Pick<Transcript, "id">, file: string): string {
  return /^[A-Za-z0-9-]{1,80}$/.test(id)
    ? id
    : hyphenate(basename(file)).replace(/[^a-z0-9-]/g, "") || "session";
}

function* recordLines(file: string): Generator<string | undefined, void> {
  for (const line of fileLines(file, MAX_LINE_BYTES, withoutLongTexts))
    yield (line && line.length > LONG_LINE_BYTES ? withoutLongTexts(line) : line)?.toString("utf8");
}

function* firstOf<T>(values: Iterable<T>, most: number): Generator<T, void> {
  let left = most;
  for (const value of values) {
    yield value;
    if (--left === 0) return;
  }
}
