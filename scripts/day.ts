import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "../src/core/lib/text.ts";
import { type CallTool, EXAMPLE_PROJECT, toolsText, workOneDay } from "./day/calls.ts";
import { MANY_PROJECT, MANY_WORK, manyFiles } from "./day/many.ts";
import { PROGRAM, say, startClient, withFolder } from "./shared.ts";

const HELP = `Usage: npm run day -- [options]

Replays a day of an agent on the built server, and prints what each answer costs in tokens, and what the tools and instructions do.

  --root <folder>   A workspace, of which a copy is changed (default: the example notes)
  --many            Eight generated projects with fifty tasks each, in three languages, whose questions have known answers
  --project <name>  The project to work on (default: ${EXAMPLE_PROJECT}, or ${MANY_PROJECT})
`;

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    many: { type: "boolean", default: false },
    project: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function measure(home: string): Promise<number> {
  const root = join(home, "notes");
  if (values.many) writeMany(root);
  else if (values.root === undefined) spawnSync(process.execPath, [PROGRAM, "demo", root]);
  else cpSync(values.root, root, { recursive: true });
  const project = values.project ?? (values.many ? MANY_PROJECT : EXAMPLE_PROJECT);
  const { client } = await startClient([PROGRAM, "--root", root, "--project", project], home);
  let tokens = 0;
  const count = (text: string, name: string) => {
    tokens += countTokens(text);
    say(`${row(countTokens(text))}  ${name}\n`);
  };
  count(toolsText((await client.listTools()).tools), "(tools)");
  count(client.getInstructions() ?? "", "(instructions)");
  const call: CallTool = async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    const [{ text }] = content as [{ text: string }];
    if (isError) throw new Error(`${name}: ${text}`);
    count(text, name);
    return JSON.parse(text);
  };
  await workOneDay(project, call, values.many ? MANY_WORK : undefined);
  await client.close();
  return say(`${row(tokens)}  all\n`);
}

function writeMany(root: string): void {
  for (const [path, content] of manyFiles()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

function row(tokens: number): string {
  return `${Math.round(tokens)}`.padStart(7);
}

process.exitCode = values.help ? say(HELP) : await withFolder("day", measure);
