import { isAbsolute } from "node:path";
import { reasonOf } from "../files/errors.ts";
import { inspectPlace } from "../files/inspect.ts";
import { readSettings } from "../files/settings.ts";
import { UserError } from "../lib/errors.ts";
import { withoutMark } from "../lib/text.ts";
import { BrokenSettings } from "./broken.ts";
import { type Entry, isEntry } from "./entry.ts";
import type { Machine } from "./machine.ts";
import { placeIn, placeOf } from "./place.ts";
import { CLIENTS, type Client } from "./table.ts";
import { serverTarget } from "./target.ts";

/** What a client that is installed here knows of this server. */
export interface FoundClient {
  client: Client;
  /** Absolute: where its settings are, or would be. */
  file: string;
  /** The entry that starts it, or reaches it. */
  entry?: Entry;
  /** A file that the entry starts and that is not there. */
  missing?: string;
  /** Why its settings cannot be read. */
  broken?: string;
}

/** The clients that are installed here. */
export function foundClients(machine: Machine): FoundClient[] {
  return CLIENTS.filter((client) => isInstalled(client, machine)).map((client) => look(client, machine));
}

function isInstalled(client: Client, machine: Machine): boolean {
  const places = [client.userFile(machine), ...client.traces(machine)];
  return places.some((place) => inspectPlace(place).kind !== "missing");
}

function look(client: Client, machine: Machine): FoundClient {
  const own = placeOf(machine, client.userFile(machine));
  const places = client.folderFile === undefined ? [own] : [placeIn(machine, client.folderFile), own];
  for (const place of places) {
    const { file } = place;
    try {
      const entry = entryOf(client, withoutMark(readSettings(place).text));
      if (entry === undefined) continue;
      const missing = missingFile(entry);
      return { client, file, entry, ...(missing !== undefined && { missing }) };
    } catch (error) {
      return { client, file, broken: why(error) };
    }
  }
  return { client, file: own.file };
}

function why(error: unknown): string {
  if (error instanceof UserError) return error.message.replace(/\.$/, "");
  if (!(error instanceof BrokenSettings)) return reasonOf(error);
  return `${error.line === undefined ? "" : `line ${error.line}: `}${error.message}`;
}

/** The entry called `vibe`, or another one that starts this program. */
function entryOf(client: Client, text: string): Entry | undefined {
  const named = serverTarget(client, "vibe");
  const servers = named.parse(text)[client.servers];
  const others = isEntry(servers) ? Object.values(servers).filter(isEntry) : [];
  return named.read(text) ?? others.find(startsThis);
}

function startsThis({ command, args }: Entry): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])];
  return words.some((word) => typeof word === "string" && /(?:^|[\\/])vibe-mcp(?:\.cjs)?$/.test(word));
}

function missingFile({ command, args }: Entry): string | undefined {
  const [script] = Array.isArray(args) ? args : [];
  const missing = [command, script].find(
    (word): word is string =>
      typeof word === "string" && isAbsolute(word) && inspectPlace(word).kind === "missing",
  );
  // A whole command line in place of a path may hold a token.
  return missing?.replace(/\s(?=-|\S*=).*$/s, " …");
}
