import type { Workspace } from "../workspace/workspace.ts";

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** All values it can take, the likeliest first, given what is filled in already. */
  values: (workspace: Workspace, known: Record<string, string>) => string[] | Promise<string[]>;
}

/** One prompt as a value: the server and the documentation derive theirs from it. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
  /** The text; `project` is a name that exists. */
  render: (workspace: Workspace, args: { project: string; focus?: string | undefined }) => Promise<string>;
}
