import { join, relative, resolve } from "node:path";
import { fileError } from "../files/errors.ts";
import { isEmptyFolder } from "../files/list.ts";
import { createFile } from "../files/write.ts";
import { UserError } from "../lib/errors.ts";
import type { Command } from "./command.ts";
import { demoFiles } from "./demo/files.ts";

const EXAMPLES = [
  "rate limiting",
  "politica devoluciones",
  "認証トークン",
  "getUserProfile",
  "what fails open?",
];

export const demoCommand: Command = {
  name: "demo",
  usage: "[folder]",
  summary: "Write an example workspace of three projects (default: vibe-demo) and say what to try.",
  run: async ({ words, clock, terminal, program }) => {
    const name = words[0] ?? "vibe-demo";
    const folder = resolve(name);
    const files = demoFiles(clock.now());
    const isDemo = !isEmptyFolder(join(folder, files[0]?.path.split("/")[0] ?? ""));
    if (!isDemo && !isEmptyFolder(folder)) {
      throw new UserError("FILE_EXISTS", `'${name}' is not empty. Name a new folder: vibe-mcp demo my-demo`);
    }
    let written = 0;
    for (const { path, content } of files) {
      if (isDemo) break;
      written += Number(await write(join(folder, ...path.split("/")), { path, content }));
    }
    const place = relative(process.cwd(), folder) || ".";
    terminal.stdout.write(report(program, place, { written, total: files.length }));
    return 0;
  },
};

async function write(file: string, { path, content }: { path: string; content: string }): Promise<boolean> {
  try {
    return await createFile(file, Buffer.from(content));
  } catch (error) {
    throw fileError("write", path, error);
  }
}

function report(
  program: string,
  folder: string,
  { written, total }: { written: number; total: number },
): string {
  const root = /\s/.test(folder) ? `"${folder}"` : folder;
  const done =
    written === 0
      ? `${folder} already holds the example workspace`
      : `Wrote ${written} of ${total} files to ${folder}`;
  return [
    `${done}: three projects, in English, Spanish and Japanese.`,
    "",
    "Try:",
    ...EXAMPLES.map((words) => `  ${program} search --root ${root} "${words}"`),
    "",
    "Serve it to an agent:",
    `  ${program} --root ${root}`,
    "",
  ].join("\n");
}
