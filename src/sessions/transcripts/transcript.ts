import { type Fields, parseFields } from "../../core/lib/fields.ts";
import type { Fact } from "./fact.ts";
import { clientOf, FORMATS, type TranscriptClient } from "./formats.ts";
import { type SessionDay, sessionDays } from "./session-days.ts";
import { recordTexts } from "./whole-document.ts";

export interface Transcript {
  /** Undefined if no record is one of a known client. */
  client: TranscriptClient | undefined;
  /** The client's name for the session; `""` if it says none. */
  id: string;
  /** Where the session began, absolute; `""` if unknown. */
  folder: string;
  /** What happened on each day, oldest first; none for a session in which no person asked anything. */
  days: readonly SessionDay[];
  lines: number;
  skipped: Skipped;
  /** Kinds of records that are new, with how many: a new version of a client may say more in them. */
  unknown: Record<string, number>;
}

export interface Skipped {
  /** Lines that are cut or no JSON. */
  broken: number;
  /** Lines that were not read because of their length. */
  long: number;
}

interface Options {
  /** The time of records that say none. */
  written: Date;
  /** Per day, the time up to which records are left out. */
  after?: ReadonlyMap<string, Date>;
  /** The transcripts of helpers of the agent: what they did counts, and what they were asked is left out. */
  helpers?: Iterable<Iterable<string | undefined>>;
}

/** Reads the lines of a transcript; undefined stands for one that is too long. Whatever they hold, it does not throw. */
export function readTranscript(
  lines: Iterable<string | undefined>,
  { written, after, helpers = [] }: Options,
): Transcript {
  const skipped = { broken: 0, long: 0 };
  const reading = newReading(after);
  const count = readLines(reading, lines, { written, skipped });
  const { client, id, folder, days, isHelper, unknown } = reading;
  if (client !== undefined)
    for (const own of helpers) {
      const start = FORMATS[client].start();
      const factsOf = (record: Fields) => start(record).filter(({ is }) => !OF_HELPERS_ALONE.has(is));
      readLines({ ...reading, factsOf }, own, { written, skipped });
    }
  return {
    client,
    id,
    folder,
    days: isHelper ? [] : days.list(),
    lines: count,
    skipped,
    unknown: Object.fromEntries(unknown),
  };
}

const OF_HELPERS_ALONE: ReadonlySet<Fact["is"]> = new Set(["asked", "said", "session", "helper", "folder"]);
const MAX_KINDS = 20;
const MAX_KIND = 80;

/** Returns how many lines there are. */
function readLines(
  reading: TranscriptState,
  lines: Iterable<string | undefined>,
  { written, skipped }: { written: Date; skipped: Skipped },
): number {
  let [count, time] = [0, written];
  for (const line of recordTexts(lines)) {
    count++;
    if (line?.trim() === "") continue;
    const record = parseFields(line ?? "");
    if (record === undefined) skipped[line === undefined ? "long" : "broken"]++;
    if (record === undefined) continue;
    if (reading.client === undefined) recognize(reading, record);
    time = dateOf(record["timestamp"]) ?? time;
    readRecord(reading, record, time);
  }
  return count;
}

type TranscriptState = ReturnType<typeof newReading>;

function newReading(after: Options["after"]) {
  return {
    client: undefined as TranscriptClient | undefined,
    factsOf: (_: Fields): Fact[] => [],
    id: "",
    folder: "",
    isHelper: false,
    unknown: new Map<string, number>(),
    days: sessionDays(after),
  };
}

/** The first record of a client that is known says whose transcript it is. */
function recognize(reading: TranscriptState, record: Fields): void {
  reading.client = clientOf(record);
  if (reading.client !== undefined) reading.factsOf = FORMATS[reading.client].start();
}

function readRecord(reading: TranscriptState, record: Fields, time: Date): void {
  for (const fact of reading.factsOf(record)) {
    if (fact.is === "session") reading.id ||= fact.id;
    else if (fact.is === "folder") reading.folder ||= fact.folder;
    else if (fact.is === "helper") reading.isHelper = true;
    else if (fact.is === "unknown") countKind(reading.unknown, fact.kind.slice(0, MAX_KIND));
    else reading.days.add(fact, time);
  }
}

function countKind(kinds: Map<string, number>, kind: string): void {
  const count = kinds.get(kind) ?? 0;
  if (count > 0 || kinds.size < MAX_KINDS) kinds.set(kind, count + 1);
}

function dateOf(said: unknown): Date | undefined {
  if (typeof said !== "string" && typeof said !== "number") return undefined;
  const time = new Date(said);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
