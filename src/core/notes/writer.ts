/** Who changed a note, as the history keeps it. */
export interface Writer {
  /** What the program called itself; `vibe-mcp <command>` is this one. */
  client: string;
  /** The name that an agent gave for itself. */
  agent?: string | undefined;
  /** Whether the history proves that a person did it. */
  person?: boolean | undefined;
}

/** The command or the page where a person changed it, or the name of the agent. */
export function writerName({ client, agent, person }: Writer): string {
  return person === true ? client.replace(/vibe-mcp (?=\w+$)/, "") : (agent ?? client);
}

/** Whether somebody named a token: others are counted. */
export function isNamedToken(token: string): boolean {
  return !/^token \d+$/.test(token);
}
