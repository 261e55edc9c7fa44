import { UsageError } from "../../core/config/options.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { ALL_DONE, updateTaskTool } from "../../core/mcp/tools/update-task.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { taskHere } from "../locate.ts";
import { projectFlag } from "../next-commands.ts";
import { agentName } from "../person.ts";
import { notify, notifyHint, oneLine, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, program, words } = context;
  const [word = "", ...typed] = words;
  const numbers = typed.flatMap((word) => word.split(",")).map(stepNumber);
  const section = options.has("criteria") ? "criteria" : "steps";
  const mark = options.has("open") ? "open" : "done";
  const change = { [`${mark}_${section}` as const]: numbers };
  const args = { ...taskHere(context, word), agent: await agentName(context), ...change };
  const answer = await callTool(context, updateTaskTool, { args });
  const { progress } = answer;
  const now = progress ? `${progress.done}/${progress.total}` : `criteria ${numbers.join(", ")} ${mark}`;
  const lines = (answer.lines ?? []).map((line) => `  ${oneLine(line)}\n`);
  print(context, answer, `${oneLine(answer.task.path)}: ${now}\n${lines.join("")}`);
  const named = options.has("project") ? projectFlag(context, args.project) : "";
  const rest = answer.hint?.replace(ALL_DONE, "").trim();
  if (rest) notifyHint(context, rest);
  if (answer.hint?.includes(ALL_DONE))
    notify(
      context,
      `All steps are done. Check the criteria, then: ${program} status ${quoted(word)} done${named}\n`,
    );
  return 0;
}

function stepNumber(typed: string): number {
  if (/^[1-9]\d{0,5}$/.test(typed)) return Number(typed);
  throw new UsageError(`${quoteName(typed)} is not the number of a step, for example: vibe-mcp tick 004 1 2`);
}
