import { join } from "node:path";
import { isLoopback } from "../config/http.ts";
import { type Config, UsageError } from "../config/options.ts";
import { diffLines } from "../lib/diff.ts";
import { quoteForShell } from "../lib/escape.ts";
import { withoutMark } from "../lib/text.ts";
import type { Place } from "../storage/outside-place.ts";
import type { Entry, Json, Remote } from "./entry.ts";
import { scalarsOf } from "./hide.ts";
import { FOLDER_HOOK_FILE, hookFile, hookTarget } from "./hook.ts";
import { folderPlace, launchOf, type Machine, personalPlace } from "./machine.ts";
import { type Plan, planRemove, planWrite } from "./plan.ts";
import { CLIENTS, type Client } from "./table.ts";
import { serverTarget, type Target } from "./target.ts";

/** What to connect, and to which client. */
export interface Connection {
  client: string;
  /** The server's name in the client. */
  name: string;
  url: string | undefined;
  /** The name of a variable, or `none`. */
  token: string | undefined;
  hook: boolean;
  project: string | undefined;
  /** Whether to use the settings of the folder. */
  here: boolean;
  config: Config;
}

export interface Request {
  /** What belongs in the settings, in their format. */
  printed: string;
  planWrite(): Promise<Plan>;
  planRemove(): Promise<Plan>;
  /** The changed lines, with the values of other servers hidden. */
  diff(plan: Plan): string[];
  /** What to do after writing. */
  afterwards: string;
}

const TOKEN = "VIBE_AUTH_TOKEN";

/** Throws UsageError for what the client cannot do. */
export function requestOf(connection: Connection, machine: Machine): Request {
  const { name, here, hook } = connection;
  const client = CLIENTS.find((candidate) => candidate.name === connection.client);
  if (client === undefined) throw new UsageError(`there is no client "${connection.client}"`);
  if (!/^[A-Za-z][\w-]{0,39}$/.test(name))
    throw new UsageError(
      `--name must be up to 40 letters, digits, - and _, starting with a letter, not ${JSON.stringify(name)}`,
    );
  if (hook) {
    const place = here ? folderPlace(machine, FOLDER_HOOK_FILE) : personalPlace(machine, hookFile(machine));
    const afterwards =
      "It runs when the next session starts; in a folder without a project it prints nothing.";
    return requestAt(place, hookTarget, { value: hookCommand(connection, machine), afterwards });
  }
  const place = settingsPlace(client, here, machine);
  const { entry, note } = entryFor(client, connection, machine);
  const afterwards = [note, client.afterwards].filter(Boolean).join("\n");
  return requestAt(place, serverTarget(client, name), { value: entry, afterwards });
}

function requestAt<T extends Json>(
  place: Place,
  target: Target<T>,
  { value, afterwards }: { value: T; afterwards: string },
): Request {
  const own = new Set(scalarsOf(value));
  const shown = (text = "") => target.hide(withoutMark(text), own);
  return {
    printed: target.write("", value),
    planWrite: () => planWrite(place, target, value),
    planRemove: () => planRemove(place, target),
    diff: ({ before, after }) => diffLines(shown(before.text), shown(after?.toString("utf8"))),
    afterwards,
  };
}

function settingsPlace({ title, folderFile, userFile }: Client, here: boolean, machine: Machine): Place {
  if (!here) return personalPlace(machine, userFile(machine));
  if (folderFile !== undefined) return folderPlace(machine, folderFile);
  throw new UsageError(`${title} has no settings per folder: leave out --here`);
}

function entryFor(client: Client, connection: Connection, machine: Machine): { entry: Entry; note?: string } {
  const { title } = client;
  if (connection.url === undefined)
    return { entry: client.stdio(launchOf(machine, serverArguments(connection, machine.home))) };
  if (client.remote === undefined)
    throw new UsageError(
      `the settings of ${title} only start programs: add the address in its own dialogue for connectors`,
    );
  const remote = remoteOf(connection.url, connection.token);
  const entry = client.remote(remote);
  if (remote.token === undefined) return { entry };
  const note = JSON.stringify(entry).includes(remote.token)
    ? `${title} takes the token from the variable ${remote.token}: set it where ${title} starts.`
    : `${title} reads no variables here: add "headers": { "Authorization": "Bearer …" } yourself.`;
  return { entry, note };
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

function hookCommand({ config, project }: Connection, machine: Machine): string {
  const { command, args } = launchOf({ ...machine, platform: "linux" }, ["brief"]);
  const words = [command, ...args, ...(project === undefined ? [] : [project])];
  const root = rootArguments(config, machine.home);
  return [...words, "--quiet", "--max-tokens", "4000", ...root].map(quoteForShell).join(" ");
}

/** The settings of a server that differ from the defaults, as options. A project must be typed: VIBE_PROJECT is for a shell. */
function serverArguments({ config, project }: Connection, home: string): string[] {
  const { root, db, dbNamed, readOnly, api, tools, vault, boost } = config;
  const isBoosted = boost !== undefined && !(api === "v1" && boost === 1);
  return [
    ...rootArguments(config, home),
    ...(dbNamed ? ["--db", db] : []),
    ...(project === undefined ? [] : ["--project", project]),
    ...(readOnly ? ["--read-only"] : []),
    ...(api === "v2" ? [] : ["--api", api]),
    ...(tools === "all" ? [] : ["--tools", tools]),
    ...(vault === root ? [] : ["--vault", vault ?? "off"]),
    ...(isBoosted ? ["--boost", String(boost)] : []),
  ];
}

function rootArguments({ root }: Config, home: string): string[] {
  return root === join(home, ".vibe") ? [] : ["--root", root];
}
