import type { z } from "zod";
import type { Workspace } from "../workspace/workspace.ts";

/** What a handler may use besides its arguments. */
export interface ToolContext {
  workspace: Workspace;
  signal: AbortSignal;
  /** Tells the client how far a long call is; nothing happens when it did not ask. */
  progress: (done: number, total: number) => void;
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
  /** Answers plain data of the shape of `output`; throws UserError. */
  handle(args: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
}
