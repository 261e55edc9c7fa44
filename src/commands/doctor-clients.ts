import type { FoundClient } from "../clients/found.ts";
import type { Machine } from "../clients/machine.ts";
import type { Finding } from "../workspace/health/finding.ts";

/** The clients on this machine, and whether each starts this server. */
export async function checkClients(machine: Machine, program: string): Promise<Finding[]> {
  const { foundClients } = await import("../clients/found.ts");
  return foundClients(machine).map((found) => ({ check: "clients", ...describe(found, program) }));
}

function describe(found: FoundClient, program: string): Omit<Finding, "check"> {
  const { client, file, entry, missing, broken } = found;
  const connect = `${program} connect ${client.name}`;
  if (broken !== undefined)
    return {
      state: "problem",
      message: `${client.title} cannot be connected: ${file}: ${broken}.`,
      remedy: `Mend it, then: ${connect}`,
    };
  if (entry === undefined)
    return {
      state: "note",
      message: `${client.title} is here and does not know this server.`,
      remedy: connect,
    };
  if (missing !== undefined)
    return {
      state: "problem",
      message: `${client.title} starts ${missing}, which is not there.`,
      remedy: connect,
    };
  const verb = "command" in entry ? "starts" : "reaches";
  return { state: "ok", message: `${client.title} ${verb} this server (${file}).` };
}
