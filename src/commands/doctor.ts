import { counted } from "../lib/text.ts";
import type { Finding } from "../workspace/health/finding.ts";
import { readOnly } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { JSON_OPTION } from "./options.ts";
import { asJson, oneLine, painter } from "./paint.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Look for what keeps the workspace, or a client here, from working, and say how to mend it.",
  words: [],
  options: [
    {
      flag: "fix",
      help: "Mend what can be mended safely: left-over locks and temporary files, a broken index.",
    },
    JSON_OPTION,
  ],
  example: "doctor --fix",
  anyRoot: true,
  run: async (context) => {
    const { config, clock, log, program, options, terminal } = context;
    if (config.readOnly && options.has("fix")) throw readOnly();
    const { examine } = await import("../workspace/health/examine.ts");
    const { checkClients } = await import("./doctor-clients.ts");
    const found = [
      ...(await examine({ config, clock, log, program }, process.version)),
      ...(await checkClients(context.machine(), program)),
    ];
    const fixed = options.has("fix") ? await fix(found) : new Set<Finding>();
    const open = found.filter((finding) => finding.state === "problem" && !fixed.has(finding));
    terminal.stdout.write(options.has("json") ? json(found, fixed) : report(context, { found, fixed, open }));
    return open.length === 0 ? 0 : 1;
  },
};

/** Does what can be done; one that fails does not keep the others from it. */
async function fix(found: readonly Finding[]): Promise<Set<Finding>> {
  const fixed = new Set<Finding>();
  for (const finding of found) {
    if (finding.fix === undefined) continue;
    try {
      await finding.fix();
      fixed.add(finding);
    } catch {
      // It is reported as it was found, with its remedy.
    }
  }
  return fixed;
}

function json(found: readonly Finding[], fixed: ReadonlySet<Finding>): string {
  const findings = found.map((finding) => {
    const { fix: run, ...rest } = finding;
    return { ...rest, fixable: run !== undefined, fixed: fixed.has(finding) };
  });
  return asJson({ findings });
}

interface Result {
  found: readonly Finding[];
  fixed: ReadonlySet<Finding>;
  open: readonly Finding[];
}

const FORMATS = { ok: "green", note: "yellow", problem: "red", fixed: "green" } as const;

function report({ terminal, program }: CommandContext, { found, fixed, open }: Result): string {
  const paint = painter(terminal);
  const lines = found.flatMap((finding) => {
    const state = fixed.has(finding) ? "fixed" : finding.state;
    const first = `${paint(FORMATS[state], state.padEnd(8))} ${finding.check.padEnd(12)} ${oneLine(finding.message)}`;
    if (finding.remedy === undefined || state === "fixed") return [first];
    return [first, `${" ".repeat(22)}${paint("dim", oneLine(finding.remedy))}`];
  });
  const canFix = open.some((finding) => finding.fix !== undefined);
  const hint = canFix ? ` Mend what can be mended safely: ${program} doctor --fix` : "";
  const end = open.length === 0 ? "Nothing is wrong." : `${counted(open.length, "problem")}.${hint}`;
  return `${[...lines, "", end].join("\n")}\n`;
}
