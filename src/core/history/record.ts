import { isFields } from "../lib/fields.ts";
import { attempt } from "../storage/fs-errors.ts";
import { isReadablePart } from "../storage/path-gate.ts";

/** What an operation did to one file; `path` is relative to the root. */
export interface Change {
  path: string;
  /** SHA-256 of the bytes before; null if the file was created. */
  before: string | null;
  /** SHA-256 of the bytes after; null if the file was removed. */
  after: string | null;
  /** How many bytes it had before. */
  bytes: number;
  /** Its permission bits before; older records have none. */
  mode?: number;
}

/** One call of a tool or one command. */
export interface Operation {
  id: string;
  /** ISO 8601, UTC. */
  time: string;
  tool: string;
  client: string;
  /** The name that an agent gave for itself. */
  agent?: string | undefined;
  pid: number;
  /** The proof that a person made it. */
  person?: string;
  changes: Change[];
  /** The operation that this one undid. */
  undoes?: string;
  /** The project that it made, with its folders. */
  made?: string;
  /** Whether other changes were purged, or undone: these alone would not bring back what was. */
  partial?: boolean;
}

/** Says of an operation that its files did not change after all. */
export interface VoidRecord {
  void: string;
  time: string;
}

export type LogRecord = Operation | VoidRecord;

/** The size of one record. */
export const MAX_RECORD_BYTES = 16 * 2 ** 20;
export const MAX_CHANGES = 50_000;
const MAX_NAME_CHARS = 300;
const MAX_PATH_CHARS = 4096;

/** Undefined for anything that this program would not write: the folder may come from someone else. */
export function parseRecord(line: string): LogRecord | undefined {
  const value: unknown = attempt(() => JSON.parse(line));
  if (!isFields(value) || !isTime(value["time"])) return undefined;
  const { time, void: voided } = value;
  if (voided !== undefined) return isId(voided) ? { void: voided, time } : undefined;
  return parseOperation(value, time);
}

function parseOperation(value: Record<string, unknown>, time: string): Operation | undefined {
  const { id, tool, client, agent, pid, person, undoes, made, partial } = value;
  const changes = parseChanges(value["changes"]);
  if (!isId(id) || !isName(tool) || !isName(client) || !Number.isSafeInteger(pid)) return undefined;
  if (agent !== undefined && !isName(agent)) return undefined;
  if (changes === undefined || (undoes !== undefined && !isId(undoes))) return undefined;
  if (made !== undefined && !isProjectOf(made, changes)) return undefined;
  return {
    id,
    time,
    tool,
    client,
    ...(agent !== undefined && { agent }),
    pid: Number(pid),
    ...(typeof person === "string" && isHashOrNull(person) && { person }),
    changes,
    ...(undoes !== undefined && { undoes }),
    ...(made !== undefined && { made }),
    ...(partial === true && { partial }),
  };
}

function parseChanges(value: unknown): Change[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CHANGES) return undefined;
  const changes = value.flatMap((one) => parseChange(one) ?? []);
  return changes.length === value.length ? changes : undefined;
}

function parseChange(value: unknown): Change | undefined {
  if (!isFields(value)) return undefined;
  const { path, before, after, bytes, mode } = value;
  if (!isPath(path) || !isHashOrNull(before) || !isHashOrNull(after)) return undefined;
  if (!isWithin(bytes, Number.MAX_SAFE_INTEGER) || !(mode === undefined || isWithin(mode, 0o777)))
    return undefined;
  return { path, before, after, bytes, ...(mode !== undefined && { mode }) };
}

/** The whole of what `toISOString` writes: its day becomes the name of a file. */
function isTime(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  return attempt(() => new Date(value).toISOString()) === value;
}

export function isId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{12}$/.test(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_NAME_CHARS && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
}

function isPath(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= MAX_PATH_CHARS && value.split("/").every(isReadablePart)
  );
}

function isHashOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && /^[0-9a-f]{64}$/.test(value));
}

function isWithin(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

function isProjectOf(value: unknown, changes: readonly Change[]): value is string {
  return (
    typeof value === "string" &&
    changes.some(({ path }) => path.startsWith(`${value}/`) && !value.includes("/"))
  );
}
