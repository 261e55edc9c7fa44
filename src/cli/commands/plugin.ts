import { join, relative, resolve } from "node:path";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { isEmptyFolder } from "../../core/storage/list.ts";
import { readSettings, replaceSettings } from "../../core/storage/settings.ts";
import { clientState } from "../../setup/clients/client-state.ts";
import { PLUGINS } from "../../setup/clients/plugin/trees.ts";
import { CLIENTS, type Client } from "../../setup/clients/table.ts";
import type { CommandContext } from "../command.ts";
import { PROGRAM, programBytes } from "../program.ts";
import { notify, oneLine, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { machine, version, words, launcher } = context;
  const [client = "", name = "vibe-plugin"] = words;
  const found = CLIENTS.find(({ name }) => name === client);
  const target = found?.plugin;
  const program = programBytes(machine);
  if (found === undefined || target === undefined || program === undefined)
    throw new UserError("INVALID_ARGUMENT", "A plugin contains the built file: npm run build makes it.");
  const folder = resolve(machine.folder, name);
  const isOurs = inspectPath(join(folder, "server", PROGRAM)).kind === "file";
  if (!isOurs && !isEmptyFolder(folder)) {
    const message = `${quoteName(name)} is not empty. Name a new folder: ${launcher} plugin ${client} my-plugin`;
    throw new UserError("FILE_EXISTS", message);
  }
  const files = Object.entries(PLUGINS[target.name]({ version, program }));
  let written = 0;
  for (const [path, bytes] of files) written += Number(await write(folder, path, bytes));
  const next = target.install(quoted(folder));
  const shown = oneLine(relative(machine.folder, folder) || ".");
  const done =
    written === 0
      ? `${shown} already holds this plugin.`
      : `Wrote ${written} of ${files.length} files to ${shown}.`;
  const text = [done, "", "Keep the folder, and install the plugin:", ...next.map((line) => `  ${line}`), ""];
  print(context, { folder, written, total: files.length, next }, text.join("\n"));
  warnOfEntry(context, found);
  return 0;
}

/** With the plugin and an entry in its settings, a client would start two servers, with every tool twice. */
function warnOfEntry(context: CommandContext, client: Client): void {
  const { config, machine, program } = context;
  const { entry, file, isHere } = clientState(client, machine, config);
  if (entry === undefined) return;
  const remove = `${program} connect ${client.name}${isHere ? " --here" : ""} --remove`;
  notify(
    context,
    `${client.title} starts this server by ${oneLine(file)}, too. Remove that first: ${remove}\n`,
  );
}

/** False if the file has these bytes already. */
async function write(folder: string, path: string, bytes: Uint8Array): Promise<boolean> {
  const before = readSettings({ file: join(folder, path), shown: path, within: [folder] });
  if (before.bytes?.equals(bytes) === true) return false;
  const changed = () => new UserError("CONFLICT", `${path} was changed at this moment. Try again.`);
  await replaceSettings(before, { after: Buffer.from(bytes), changed });
  return true;
}
