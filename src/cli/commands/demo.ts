import { join, relative, resolve } from "node:path";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { projectOf } from "../../core/notes/names.ts";
import { createFile } from "../../core/storage/atomic-write.ts";
import { guarded } from "../../core/storage/fs-errors.ts";
import { isEmptyFolder } from "../../core/storage/list.ts";
import type { CommandContext } from "../command.ts";
import { oneLine, print, quoted } from "../terminal.ts";
import { demoFiles } from "./demo/files.ts";

const EXAMPLES = [
  "rate limiting",
  "politica devoluciones",
  "認証トークン",
  "getUserProfile",
  "what fails open?",
];

export async function run(context: CommandContext): Promise<number> {
  const { config, words, clock, launcher, machine, settings } = context;
  const name = words[0] ?? (settings.root === undefined ? "vibe-demo" : config.root);
  const folder = resolve(machine.folder, name);
  const files = demoFiles(clock.now());
  const isDemo = !isEmptyFolder(join(folder, projectOf(files[0]?.path ?? "")));
  if (!isDemo && !isEmptyFolder(folder)) {
    const message = `${quoteName(name)} is not empty. Name a new folder: ${launcher} demo my-demo`;
    throw new UserError("FILE_EXISTS", message);
  }
  const written = isDemo ? 0 : await writeDemo(folder, files);
  const counts = { written, total: files.length };
  const shown = relative(machine.folder, folder) || ".";
  print(context, { folder, ...counts }, report(`${launcher} --root ${quoted(folder)}`, shown, counts));
  return 0;
}

/** Writes the example notes, without what is there already; returns how many files were written. Throws FILESYSTEM_ERROR. */
export async function writeDemo(folder: string, files: ReturnType<typeof demoFiles>): Promise<number> {
  let written = 0;
  for (const { path, content } of files) {
    const write = () => createFile(join(folder, ...path.split("/")), Buffer.from(content));
    written += Number(await guarded("write", path, write));
  }
  return written;
}

function report(
  program: string,
  folder: string,
  { written, total }: { written: number; total: number },
): string {
  const done =
    written === 0
      ? `${oneLine(folder)} already holds the example workspace`
      : `Wrote ${written} of ${total} files to ${oneLine(folder)}`;
  return [
    `${done}: one project, with notes in English, Spanish and Japanese.`,
    "",
    "Try:",
    ...EXAMPLES.map((words) => `  ${program} search "${words}"`),
    "",
    'Connect an agent, and ask it "What is in progress in payments-api?":',
    `  ${program} connect claude-code`,
    `Other clients: ${program} connect --help`,
    "",
  ].join("\n");
}
