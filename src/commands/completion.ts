import type { Command } from "./command.ts";
import { SHELLS, script } from "./completion/scripts.ts";

export const completionCommand: Command = {
  name: "completion",
  summary: "Print the completion of this program for a shell; the script says where it goes.",
  words: [{ name: "shell", help: "a shell", required: true, values: SHELLS }],
  options: [],
  example: "completion bash",
  run: async ({ terminal, words }) => {
    terminal.stdout.write(script(words[0] ?? ""));
    return 0;
  },
};
