import { isAbsolute, join } from "node:path";
import { isLoopback } from "../../core/config/http.ts";
import { type Config, UsageError } from "../../core/config/options.ts";
import { diffLines } from "../../core/lib/diff.ts";
import { withoutMark } from "../../core/lib/text.ts";
import type { UserFile } from "../../core/storage/user-file.ts";
import { commandOf, type Entry, type Launch, type Remote, shownEntry, type Target } from "./entry.ts";
import {
  folderPlace,
  isInCache,
  launchOf,
  type Machine,
  personalPlace,
  sharedLaunch,
  sharedPath,
} from "./machine.ts";
import { planRemove, planWrite, type SettingsPlan } from "./plan.ts";
import { CLIENTS, type Client } from "./table.ts";
import { serverTarget } from "./target.ts";

/** What to connect, and to which client. */
export interface Connection {
  client: string;
  config: Config;
  /** The server's name in the client (default: vibe). */
  name?: string | undefined;
  url?: string | undefined;
  /** The name of a variable, or `none`. */
  token?: string | undefined;
  project?: string | undefined;
  /** Whether to use the settings of the folder. */
  here?: boolean;
  /** Whether to remove it. */
  remove?: boolean;
}

export interface Request {
  title: string;
  /** The file of settings. */
  shown: string;
  /** What belongs in it, in its format. */
  printed: string;
  plan(): Promise<Change>;
  /** What to do by hand. */
  notes: string[];
  /** How to make the client read the new settings. */
  afterwards: string;
}

export interface Change {
  plan: SettingsPlan;
  /** What changes in the entry of this server, as lines. */
  diff: string[];
}

const TOKEN = "VIBE_AUTH_TOKEN";
const SERVER = "vibe";

/** Throws UsageError for what the client cannot do. */
export function requestOf(connection: Connection, machine: Machine): Request {
  const { name = SERVER, here = false, remove = false } = connection;
  const client = CLIENTS.find((candidate) => candidate.name === connection.client);
  if (client === undefined) throw new UsageError(`there is no client "${connection.client}"`);
  if (!/^[A-Za-z][\w-]{0,39}$/.test(name))
    throw new UsageError(
      `--name must be up to 40 letters, digits, - and _, starting with a letter, not ${JSON.stringify(name)}`,
    );
  const { title, afterwards } = client;
  const place = settingsPlace(client, here, machine);
  const { entry, notes } = entryFor(client, connection, machine);
  const target = serverTarget(client, name);
  return {
    ...{ title, notes, afterwards },
    shown: place.shown,
    printed: target.write("", entry),
    plan: async () => {
      const plan = await (remove ? planRemove(place, target) : planWrite(place, target, entry));
      return { plan, diff: diffOf(plan, target, entry) };
    },
  };
}

function diffOf({ before, after }: SettingsPlan, target: Target, value: Entry): string[] {
  const visible = (text = "") => {
    const entry = target.read(withoutMark(text));
    return entry === undefined ? "" : target.write("", shownEntry(entry, value));
  };
  const rows = diffLines(visible(before.text), visible(after?.toString("utf8")));
  return rows.filter((row) => !row.startsWith("@@"));
}

function settingsPlace({ title, folderFile, userFile }: Client, here: boolean, machine: Machine): UserFile {
  if (!here) return personalPlace(machine, userFile(machine));
  if (folderFile !== undefined) return folderPlace(machine, folderFile);
  throw new UsageError(`${title} has no settings per folder: leave out --here`);
}

function entryFor(
  client: Client,
  connection: Connection,
  machine: Machine,
): { entry: Entry; notes: string[] } {
  if (connection.url === undefined) {
    const entry = client.stdio(launchFor(client, connection, machine));
    const isBound = connection.here && commandOf(entry).some((word) => isAbsolute(String(word)));
    const isFleeting = !machine.npx && isInCache(machine);
    return { entry, notes: [...(isBound ? [BOUND] : []), ...(isFleeting ? [CACHED] : [])] };
  }
  if (client.remote === undefined)
    throw new UsageError(
      `the settings of ${client.title} only start programs: add the address in its own dialogue for connectors`,
    );
  const remote = remoteOf(connection.url, connection.token);
  const notes = remote.token === undefined ? [] : [tokenNote(client, remote.token)];
  return { entry: client.remote(remote), notes };
}

const BOUND =
  "It names files of this machine: do not commit it. To share it, put vibe-mcp into PATH (npm install -g in its checkout) or its file into this folder, and run this again.";

const CACHED =
  "It names a file in the cache of npx, which npm may empty. Install the package (npm install -g with its file), and run this again.";

function tokenNote({ title, token }: Client, variable: string): string {
  if (token === "settings")
    return `${title} reads no variables here: add "headers": { "Authorization": "Bearer …" } yourself.`;
  return `${title} takes the token from the variable ${variable}: set it where ${title} starts.`;
}

function launchFor({ folderVariable = "." }: Client, connection: Connection, machine: Machine): Launch {
  const { here = false } = connection;
  const show = (file: string) => (here ? sharedPath(machine, file, folderVariable) : file);
  const args = serverArguments(connection, machine.home, show);
  return here ? sharedLaunch(machine, args, folderVariable) : launchOf(machine, args);
}

/** A server over HTTP; `token` names a variable, or is `none`. Throws UsageError. */
function remoteOf(text: string, token: string | undefined): Remote {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--url must be an address such as https://notes.example.com/mcp, not ${JSON.stringify(text)}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new UsageError(
      "--url takes no password: put the token in a variable, and name it with --token-env",
    );
  if (token !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(token))
    throw new UsageError(
      `--token-env takes the name of a variable, such as ${TOKEN}, or none, but never the token itself`,
    );
  const isLocal = isLoopback(url.hostname);
  const variable = token === "none" ? undefined : (token ?? (isLocal ? undefined : TOKEN));
  if (url.protocol === "http:" && !isLocal && variable !== undefined)
    throw new UsageError(`the token sent to ${url.origin} could be read on the way: serve it over https`);
  if (url.pathname === "/") url.pathname = "/mcp";
  return { url: url.href, token: variable };
}

type ShowPath = (file: string) => string;

/** The settings of a server that differ from the defaults, as options. A project must be typed: VIBE_PROJECT is for a shell. */
function serverArguments({ config, here, project }: Connection, home: string, show: ShowPath): string[] {
  const { root, rootFrom, db, dbNamed, readOnly, api, tools, vault, boost } = config;
  // Settings for all folders do not name the notes of one repository: a server finds these by its folder.
  const isFound = root === join(home, ".vibe") || (rootFrom === "repository" && !here);
  const isBoosted = boost !== undefined && !(api === "v1" && boost === 1);
  return [
    ...(isFound ? [] : ["--root", show(root)]),
    ...(dbNamed ? ["--db", show(db)] : []),
    ...(project === undefined ? [] : ["--project", project]),
    ...(readOnly ? ["--read-only"] : []),
    ...(api === "v2" ? [] : ["--api", api]),
    ...(tools === "all" ? [] : ["--tools", tools]),
    ...(vault === root ? [] : ["--vault", vault === undefined ? "off" : show(vault)]),
    ...(isBoosted ? ["--boost", String(boost)] : []),
  ];
}
