import { createHash, randomBytes } from "node:crypto";
import { namedTokenFile, ownTokenFile } from "../../core/config/http.ts";
import { UsageError } from "../../core/config/options.ts";
import { kindOf, parseTokenFile, withoutToken, withToken } from "../../core/config/tokens.ts";
import { localDate } from "../../core/lib/clock.ts";
import { definedOf } from "../../core/lib/collections.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { guarded } from "../../core/storage/fs-errors.ts";
import { writeOwnFile } from "../../core/storage/own-file.ts";
import { readIfPresent } from "../../core/storage/read.ts";
import type { CommandContext } from "../command.ts";
import { notify, oneLine, print } from "../terminal.ts";

/** `token`: who may use `serve`. */
export async function run(context: CommandContext): Promise<number> {
  const { settings, machine, config, words } = context;
  const file = namedTokenFile(settings, machine.env, machine.home) ?? ownTokenFile(config);
  const text = await guarded("read", file, () => readIfPresent(file, MAX_BYTES)?.toString("utf8") ?? "");
  const [action, name] = words;
  if (action === "list") return list(context, text, file);
  if (name === undefined) throw new UsageError(`${action} needs a name, for example: vibe-mcp token new ana`);
  return action === "new" ? make(context, { text, file, name }) : revoke(context, { text, file, name });
}

const MAX_BYTES = 1024 * 1024;
const TOKEN_BYTES = 32;

interface Named {
  text: string;
  file: string;
  name: string;
}

async function make(context: CommandContext, { text, file, name }: Named): Promise<number> {
  const { options, program } = context;
  const [readOnly, isPerson] = [options.has("read"), options.has("person")];
  if (readOnly && isPerson) throw new UsageError("a token is of one kind: --read or --person");
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const secret = `sha256:${createHash("sha256").update(token).digest("hex")}`;
  const made = { name, secret, readOnly, isPerson, projects: options.text("projects"), made: today(context) };
  await writeOwnFile(file, withToken(text, made, file));
  print(context, { success: true, name, token, file }, `${token}\n`);
  notify(context, `The token of ${name} is shown only now: ${file} has its hash.\n`);
  if (text === "") notify(context, `From its next start on, ${program} serve asks for it.\n`);
  return 0;
}

function list(context: CommandContext, text: string, file: string): number {
  const tokens = (text === "" ? [] : parseTokenFile(text, file)).map((token, at) => ({
    name: token.name ?? `token ${at + 1}`,
    kind: kindOf(token) ?? "agent",
    created: token.made ?? null,
    ...definedOf({ projects: token.projects }),
  }));
  const rows = tokens.map(({ name, kind, created, projects }) => {
    const seen = projects === undefined ? "" : `  ${oneLine(projects.join(", "))}`;
    return `${name.padEnd(12)}  ${kind.padEnd(6)}  ${created ?? "-"}${seen}\n`;
  });
  print(context, { success: true, tokens, file }, rows.join(""));
  if (tokens.length === 0)
    notify(context, `No token yet. To make one: ${context.program} token new <name>\n`);
  return 0;
}

async function revoke(context: CommandContext, { text, file, name }: Named): Promise<number> {
  const tokens = text === "" ? [] : parseTokenFile(text, file);
  if (!tokens.some((token) => token.name === name))
    throw new UsageError(`${file} has no token named ${quoteName(name)}. See: vibe-mcp token list`);
  await writeOwnFile(file, withoutToken(text, name, { file, day: today(context) }));
  print(context, { success: true, name }, `Revoked ${name}: what it opened ends within 15 seconds.\n`);
  return 0;
}

function today({ clock }: CommandContext): string {
  return localDate(clock.now());
}
