import type { z } from "zod";
import { UsageError } from "./config.ts";
import type { ErrorCode } from "./lib/errors.ts";
import { once } from "./lib/once.ts";
import { nearest } from "./lib/text.ts";
import type { Vault } from "./workspace/vault.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** What a handler may use besides its arguments. */
export interface ToolContext {
  workspace: Workspace;
  vault: Vault;
  signal: AbortSignal;
  /** Tells the client how far a long call is; nothing happens when it did not ask. */
  progress: (done: number, total: number) => void;
  /** The project that is most likely meant: its documents come first among equals. */
  preferred?: string | undefined;
}

/** One tool as a value: everything the server, the documentation and the tests derive theirs from. */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  access: "read" | "write";
  /** Whether it can replace what was there before. */
  destructive?: boolean;
  input: Input;
  output: Output;
  /** The code of a wrong argument, where a family of tools has codes of its own. */
  argumentCode?: (argument: string) => ErrorCode;
  /** Answers plain data of the shape of `output`; throws UserError. */
  handle(args: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

/** A tool as it is written: its schemas are made when they are first asked for, since each takes its time at a start. */
export type ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> = Omit<
  Tool<Input, Output>,
  "input" | "output"
> & { input: () => Input; output: () => Output };

export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  tool: ToolDefinition<Input, Output>,
): Tool<Input, Output> {
  const [input, output] = [once(tool.input), once(tool.output)];
  return {
    ...tool,
    get input() {
      return input();
    },
    get output() {
      return output();
    },
  };
}

const CORE = ["search", "read_doc", "list_tasks", "create_task", "update_task_status", "log_session"];

const GROUPS: Record<string, (tool: Tool) => boolean> = {
  all: () => true,
  // Some interfaces put a prefix before the names of tools that write.
  core: ({ name }) => CORE.includes(name.replace(/^tool_/, "")),
  read: ({ access }) => access === "read",
  write: ({ access }) => access === "write",
  vault: ({ name }) => name.startsWith("vault_"),
};

/** The tools that a comma-separated list of names and groups picks. Throws UsageError for a name that is neither. */
export function selectTools(tools: readonly Tool[], choice: string): readonly Tool[] {
  const words = choice.split(",").map((word) => word.trim().toLowerCase());
  const wanted = words.map((word) => picker(tools, word));
  return tools.filter((tool) => wanted.some((picks) => picks(tool)));
}

function picker(tools: readonly Tool[], word: string): (tool: Tool) => boolean {
  const group = Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined;
  if (group !== undefined) return group;
  if (tools.some(({ name }) => name === word)) return ({ name }) => name === word;
  const known = [...Object.keys(GROUPS), ...tools.map(({ name }) => name)];
  const [suggestion] = nearest(word, known, 1);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  throw new UsageError(
    `--tools knows no "${word}".${hint} It takes ${Object.keys(GROUPS).join(", ")} and names of tools`,
  );
}
