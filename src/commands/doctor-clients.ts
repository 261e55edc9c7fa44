import type { FoundClient } from "../clients/found.ts";
import type { Machine } from "../clients/machine.ts";
import { type Finding, note, ok, problem } from "../workspace/health/finding.ts";

/** The clients on this machine, and whether each starts this server. */
export async function checkClients(machine: Machine, program: string): Promise<Finding[]> {
  const { foundClients } = await import("../clients/found.ts");
  return foundClients(machine).map((found) => describe(found, program));
}

function describe({ client, file, entry, missing, broken }: FoundClient, program: string): Finding {
  const { name, title } = client;
  const connect = `${program} connect ${name}`;
  if (broken !== undefined)
    return problem(
      "clients",
      `${title} cannot be connected: ${file}: ${broken}.`,
      `Mend it, then: ${connect}`,
    );
  if (entry === undefined) return note("clients", `${title} is here and does not know this server.`, connect);
  if (missing !== undefined)
    return problem("clients", `${title} starts ${missing}, which is not there.`, connect);
  const verb = "command" in entry ? "starts" : "reaches";
  return ok("clients", `${title} ${verb} this server (${file}).`);
}
