/** Who changed a note, as the history keeps it. */
export interface Writer {
  /** What the program called itself; `vibe-mcp <command>` is this one. */
  client: string;
  /** The name that an agent gave for itself. */
  agent?: string | undefined;
}

const PROGRAM = "vibe-mcp ";

/** Whether a person changed it, at the page or the terminal. */
export function isPerson({ client, agent }: Writer): boolean {
  return agent === undefined && client.startsWith(PROGRAM);
}

/** The command or the page where a person changed it, or the name of the agent. */
export function writerName(writer: Writer): string {
  const { client, agent } = writer;
  return isPerson(writer) ? client.slice(PROGRAM.length) : (agent ?? client);
}
