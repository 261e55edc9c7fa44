import { join, relative, resolve } from "node:path";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION } from "./options.ts";
import { asJson, quoted } from "./paint.ts";

const EXAMPLES = [
  "rate limiting",
  "politica devoluciones",
  "認証トークン",
  "getUserProfile",
  "what fails open?",
];

export const demoCommand: Command = {
  name: "demo",
  summary: "Write an example workspace of three projects and say what to try.",
  words: [{ name: "folder", help: "Where, a new or empty folder (vibe-demo).", values: "file" }],
  options: [JSON_OPTION],
  example: "demo vibe-demo",
  run: async ({ words, clock, options, terminal, program, folder: here }) => {
    const [{ demoFiles }, { isEmptyFolder }] = await Promise.all([
      import("./demo/files.ts"),
      import("../files/list.ts"),
    ]);
    const name = words[0] ?? "vibe-demo";
    const folder = resolve(here, name);
    const files = demoFiles(clock.now());
    const isDemo = !isEmptyFolder(join(folder, files[0]?.path.split("/")[0] ?? ""));
    if (!isDemo && !isEmptyFolder(folder)) {
      throw new UserError(
        "FILE_EXISTS",
        `${quoteName(name)} is not empty. Name a new folder: ${program} demo my-demo`,
      );
    }
    let written = 0;
    for (const { path, content } of files) {
      if (isDemo) break;
      written += Number(await write(join(folder, ...path.split("/")), { path, content }));
    }
    const counts = { written, total: files.length };
    const place = relative(here, folder) || ".";
    terminal.stdout.write(
      options.has("json") ? asJson({ folder, ...counts }) : report(program, place, counts),
    );
    return 0;
  },
};

async function write(file: string, { path, content }: { path: string; content: string }): Promise<boolean> {
  const [{ createFile }, { fileError }] = await Promise.all([
    import("../files/write.ts"),
    import("../files/errors.ts"),
  ]);
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
  const root = quoted(folder);
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
