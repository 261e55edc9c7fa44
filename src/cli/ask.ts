import { createInterface } from "node:readline/promises";
import type { CommandContext } from "./command.ts";

/** Asks on a terminal; elsewhere, and with `--json`, the answer is no. */
export async function agrees({ terminal, options }: CommandContext, question: string): Promise<boolean> {
  const { stdin, stdout, stderr } = terminal;
  if (!stdin.isTTY || !stdout.isTTY || options.has("json")) return false;
  const prompt = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => prompt.once("close", () => resolve("")));
  const answer = await Promise.race([prompt.question(question), ended]);
  prompt.close();
  return /^(?:y|yes|s|sí|si|はい)$/i.test(answer.trim());
}
