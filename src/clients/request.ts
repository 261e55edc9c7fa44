import { join } from "node:path";
import { type Config, UsageError } from "../config.ts";
import type { Place } from "../files/outside-place.ts";
import { diffLines } from "../lib/diff.ts";
import { quoted } from "../lib/shell.ts";
import { withoutMark } from "../lib/text.ts";
import type { Entry, Json } from "./entry.ts";
import { leavesOf } from "./hide.ts";
import { FOLDER_HOOK_FILE, hookFile, hookTarget } from "./hook.ts";
import { launchOf, settingsArguments } from "./launch.ts";
import type { Machine } from "./machine.ts";
import { placeIn, placeOf } from "./place.ts";
import { type Plan, planRemove, planWrite } from "./plan.ts";
import { remoteOf } from "./remote.ts";
import { type Client, clientNamed } from "./table.ts";
import { serverTarget, type Target } from "./target.ts";

/** What somebody asks for. */
export interface Asked {
  client: string;
  /** What the client calls the server. */
  name: string;
  url: string | undefined;
  /** The name of a variable, or `none`. */
  token: string | undefined;
  hook: boolean;
  project: string | undefined;
  /** Whether the settings of the folder are meant. */
  here: boolean;
  config: Config;
}

export interface Request {
  /** What belongs into the settings, as a text of their format. */
  printed: string;
  planWrite(): Promise<Plan>;
  planRemove(): Promise<Plan>;
  /** What changes, line by line, with the values of other servers hidden. */
  diff(plan: Plan): string[];
  /** What to do after it was written. */
  afterwards: string;
}

/** Throws UsageError for what the client cannot do. */
export function requestOf(asked: Asked, machine: Machine): Request {
  const client = clientNamed(asked.client);
  if (client === undefined) throw new UsageError(`there is no client "${asked.client}"`);
  if (!/^[A-Za-z][\w-]{0,39}$/.test(asked.name))
    throw new UsageError(`--name takes up to 40 letters, digits, - and _, not ${JSON.stringify(asked.name)}`);
  if (asked.hook) {
    const place = asked.here ? placeIn(machine, FOLDER_HOOK_FILE) : placeOf(machine, hookFile(machine));
    const afterwards =
      "It runs at the start of the next session; where a folder has no project it prints nothing.";
    return requestAt(place, hookTarget, { wanted: hookCommand(asked, machine), afterwards });
  }
  const place = settingsOf(client, asked.here, machine);
  const { entry, note } = wantedEntry(client, asked, machine);
  const afterwards = [note, client.afterwards].filter(Boolean).join("\n");
  return requestAt(place, serverTarget(client, asked.name), { wanted: entry, afterwards });
}

function requestAt<T extends Json>(
  place: Place,
  target: Target<T>,
  { wanted, afterwards }: { wanted: T; afterwards: string },
): Request {
  const own = new Set(leavesOf(wanted));
  const shown = (text = "") => target.hide(withoutMark(text), own);
  return {
    printed: target.write("", wanted),
    planWrite: () => planWrite(place, target, wanted),
    planRemove: () => planRemove(place, target),
    diff: ({ before, after }) => diffLines(shown(before.text), shown(after?.toString("utf8"))),
    afterwards,
  };
}

function settingsOf(client: Client, here: boolean, machine: Machine): Place {
  if (!here) return placeOf(machine, client.userFile(machine));
  if (client.folderFile !== undefined) return placeIn(machine, client.folderFile);
  throw new UsageError(`${client.title} has no settings of a folder: leave --here out`);
}

function wantedEntry(client: Client, asked: Asked, machine: Machine): { entry: Entry; note?: string } {
  if (asked.url === undefined)
    return { entry: client.stdio(launchOf(machine, settingsArguments(asked.config, machine.home))) };
  if (client.remote === undefined)
    throw new UsageError(
      `the settings of ${client.title} start programs only: add the address in its own dialogue for connectors`,
    );
  const remote = remoteOf(asked.url, asked.token);
  const entry = client.remote(remote);
  if (remote.token === undefined) return { entry };
  if (!JSON.stringify(entry).includes(remote.token))
    return {
      entry,
      note: `${client.title} reads no variables here: add "headers": { "Authorization": "Bearer …" } to it yourself.`,
    };
  return {
    entry,
    note: `${client.title} takes the token from the variable ${remote.token}: set it where ${client.title} starts.`,
  };
}

function hookCommand({ config, project }: Asked, machine: Machine): string {
  const { command, args } = launchOf({ ...machine, platform: "linux" }, ["brief"]);
  const root = settingsArguments(config, machine.home).slice(
    0,
    config.root === join(machine.home, ".vibe") ? 0 : 2,
  );
  const words = [command, ...args, ...(project === undefined ? [] : [project])];
  return [...words, "--quiet", "--max-tokens", "4000", ...root].map(quoted).join(" ");
}
