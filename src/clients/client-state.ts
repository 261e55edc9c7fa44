import { dirname, isAbsolute } from "node:path";
import { UserError } from "../lib/errors.ts";
import { withoutMark } from "../lib/text.ts";
import { reasonOf } from "../storage/fs-errors.ts";
import { inspectPath } from "../storage/inspect.ts";
import { readSettings } from "../storage/settings.ts";
import { BrokenSettings, commandOf, type Entry, isEntry } from "./entry.ts";
import { folderPlace, type Machine, personalPlace } from "./machine.ts";
import { CLIENTS, type Client } from "./table.ts";
import { serverTarget } from "./target.ts";

/** An installed client, and whether it starts this server. */
export interface ClientState {
  client: Client;
  /** Absolute: where its settings are, or would be. */
  file: string;
  /** The entry that starts or reaches this server. */
  entry?: Entry;
  /** A missing file that the entry starts. */
  missing?: string;
  /** Why its settings cannot be read. */
  broken?: string;
}

/** The clients that are installed here. */
export function clientStates(machine: Machine): ClientState[] {
  return CLIENTS.filter((client) => isInstalled(client, machine)).map((client) => stateOf(client, machine));
}

function isInstalled({ userFile, installFolder }: Client, machine: Machine): boolean {
  const file = userFile(machine);
  return [file, installFolder?.(machine) ?? dirname(file)].some(
    (place) => inspectPath(place).kind !== "missing",
  );
}

function stateOf(client: Client, machine: Machine): ClientState {
  const own = personalPlace(machine, client.userFile(machine));
  const places = client.folderFile === undefined ? [own] : [folderPlace(machine, client.folderFile), own];
  for (const place of places) {
    const { file } = place;
    try {
      const entry = entryOf(client, withoutMark(readSettings(place).text));
      if (entry === undefined) continue;
      const missing = missingFile(entry);
      return { client, file, entry, ...(missing !== undefined && { missing }) };
    } catch (error) {
      return { client, file, broken: reasonFor(error) };
    }
  }
  return { client, file: own.file };
}

function reasonFor(error: unknown): string {
  if (error instanceof UserError) return error.message.replace(/\.$/, "");
  if (!(error instanceof BrokenSettings)) return reasonOf(error);
  return `${error.line === undefined ? "" : `line ${error.line}: `}${error.message}`;
}

/** The entry named `vibe`, or else another one that starts this program. */
function entryOf(client: Client, text: string): Entry | undefined {
  const named = serverTarget(client, "vibe");
  const servers = named.parse(text)[client.servers];
  const others = isEntry(servers) ? Object.values(servers).filter(isEntry) : [];
  return named.read(text) ?? others.find(startsThis);
}

function startsThis(entry: Entry): boolean {
  return commandOf(entry).some(
    (word) => typeof word === "string" && /(?:^|[\\/])vibe-mcp(?:\.cjs)?$/.test(word),
  );
}

function missingFile(entry: Entry): string | undefined {
  const [command, script] = commandOf(entry);
  const missing = [command, script].find(
    (word): word is string =>
      typeof word === "string" && isAbsolute(word) && inspectPath(word).kind === "missing",
  );
  // A command line in place of a path may hold a token.
  return missing?.replace(/\s(?=-|\S*=).*$/s, " …");
}
