import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CallTool, EXAMPLE_PROJECT, workOneDay } from "./day/calls.ts";
import { PROGRAM, say, startClient, withFolder } from "./shared.ts";

const HELP = `Usage: npm run day -- [options]

Replays a day of an agent on the built server, and prints what each answer costs in tokens of four characters.

  --root <folder>   A workspace, of which a copy is changed (default: the example notes)
  --project <name>  The project to work on (default: ${EXAMPLE_PROJECT})
`;

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    project: { type: "string", default: EXAMPLE_PROJECT },
    help: { type: "boolean", default: false },
  },
});

async function measure(home: string): Promise<number> {
  const root = join(home, "notes");
  if (values.root === undefined) spawnSync(process.execPath, [PROGRAM, "demo", root]);
  else cpSync(values.root, root, { recursive: true });
  const { client } = await startClient([PROGRAM, "--root", root, "--project", values.project], home);
  let chars = 0;
  const call: CallTool = async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    const [{ text }] = content as [{ text: string }];
    if (isError) throw new Error(`${name}: ${text}`);
    chars += text.length;
    say(`${row(text.length)}  ${name}\n`);
    return JSON.parse(text);
  };
  await workOneDay(values.project, call);
  await client.close();
  return say(`${row(chars)}  all\n`);
}

function row(chars: number): string {
  return `${Math.round(chars / 4)}`.padStart(7);
}

process.exitCode = values.help ? say(HELP) : await withFolder("day", measure);
