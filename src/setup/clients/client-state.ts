import { dirname, isAbsolute } from "node:path";
import { type Config, OPTIONS, parsePath } from "../../core/config/options.ts";
import { UserError } from "../../core/lib/errors.ts";
import { withoutMark } from "../../core/lib/text.ts";
import { realPath } from "../../core/storage/folders.ts";
import { attempt, reasonOf } from "../../core/storage/fs-errors.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { readSmall } from "../../core/storage/read.ts";
import { readSettings } from "../../core/storage/settings.ts";
import { BrokenSettings, commandOf, type Entry, isEntry, isProgram } from "./entry.ts";
import { parseJson } from "./jsonc.ts";
import { folderPlace, hasProgram, type Machine, personalPlace } from "./machine.ts";
import { pluginFile } from "./plugin/installed.ts";
import { CLIENTS, type Client } from "./table.ts";
import { serverTarget } from "./target.ts";

/** An installed client, and whether it starts this server. */
export interface ClientState {
  client: Client;
  /** Absolute: where its settings are, or would be. */
  file: string;
  /** Whether these are the settings of the working folder. */
  isHere: boolean;
  /** The entry that starts or reaches this server. */
  entry?: Entry;
  /** The root that the entry serves, absolute; none for a server over HTTP. */
  root?: string | undefined;
  /** A missing file that the entry starts. */
  missing?: string;
  /** Why its settings cannot be read. */
  broken?: string;
  /** Where it says that the plugin is switched on, which starts this server, too. */
  plugin?: string | undefined;
}

/** What is said of the root of these notes. */
type Root = Pick<Config, "root" | "rootFrom">;

/** The clients that are installed here. */
export function clientStates(machine: Machine, config: Root): ClientState[] {
  const installed = CLIENTS.filter((client) => isInstalled(client, machine));
  return installed.map((client) => ({
    ...clientState(client, machine, config),
    plugin: pluginFile(client, machine),
  }));
}

/** Whether a client that can be connected to this root is not. */
export function isLeft(state: ClientState, root: string): boolean {
  const { broken, plugin, isHere, entry } = state;
  if (broken !== undefined || plugin !== undefined) return false;
  return entry === undefined || (!isHere && servesOtherRoot(state, root));
}

/** The files of a repository that the clients here read, by client. */
export function guidesHere(machine: Machine): (readonly string[])[] {
  const read = (file: string) => attempt(() => parseJson(readSmall(file) ?? "", false));
  const installed = CLIENTS.filter((client) => isInstalled(client, machine));
  return installed
    .map(({ guides }) => guides?.(machine, read) ?? ["AGENTS.md"])
    .filter(({ length }) => length > 0);
}

function isInstalled({ userFile, installFolder, program }: Client, machine: Machine): boolean {
  if (program !== undefined && hasProgram(machine, program)) return true;
  const file = userFile(machine);
  return [file, installFolder?.(machine) ?? dirname(file)].some(
    (place) => inspectPath(place).kind !== "missing",
  );
}

/** Whether a client, installed or not, has an entry for this server. */
export function clientState(client: Client, machine: Machine, config: Root): ClientState {
  const own = personalPlace(machine, client.userFile(machine));
  const places = client.folderFile === undefined ? [own] : [folderPlace(machine, client.folderFile), own];
  for (const place of places) {
    const { file } = place;
    try {
      const entry = entryOf(client, withoutMark(readSettings(place).text));
      if (entry === undefined) continue;
      const missing = missingFile(entry);
      const root = rootOf(entry, { client, machine, config });
      return { client, file, isHere: place !== own, entry, root, ...(missing !== undefined && { missing }) };
    } catch (error) {
      return { client, file, isHere: place !== own, broken: reasonFor(error) };
    }
  }
  return { client, file: own.file, isHere: false };
}

/** Whether a client that starts this server serves another root. */
export function servesOtherRoot({ root }: ClientState, own: string): boolean {
  return root !== undefined && realPath(root) !== realPath(own);
}

/** The root that an entry's options or variables name, or the one that a server finds by itself; undefined for a server over HTTP. */
function rootOf(
  entry: Entry,
  { client, machine, config }: { client: Client; machine: Machine; config: Root },
): string | undefined {
  if (entry.command === undefined) return undefined;
  const words = commandOf(entry).map(String);
  const typed = words.findLast((word, at) => word.startsWith("--root=") || words[at - 1] === "--root");
  const variables = entry.env ?? entry.environment;
  const variable = isEntry(variables) ? variables["VIBE_ROOT"] : undefined;
  const text = [typed?.replace(/^--root=/, ""), variable].find(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  );
  const here = text?.replace(client.folderVariable ?? /^\.(?=\/)/, () => machine.folder);
  const found = config.rootFrom === "repository" ? config.root : OPTIONS.root.fallback;
  return parsePath({ text: here, source: OPTIONS.root.flag, fallback: found }, machine.home);
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
  return commandOf(entry).some(isProgram);
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
