import { scanWorkspace } from "../../files/walk.ts";
import { checkDocuments } from "./documents.ts";
import type { Finding, Patient } from "./finding.ts";
import { checkIndex } from "./index-file.ts";
import { checkClock, checkFreshness, checkLocks, checkNode, checkTemporaries } from "./machine.ts";
import { checkRoot } from "./root.ts";

/** Looks at everything that keeps a workspace from working; changes nothing. `node` is the version of Node. */
export async function examine(given: Omit<Patient, "scan" | "walked">, node: string): Promise<Finding[]> {
  const start = performance.now();
  const scan = scanWorkspace(given.config.root);
  const patient: Patient = { ...given, scan, walked: performance.now() - start };
  const root = checkRoot(patient);
  if (root.length === 1) return [checkNode(node), ...root];
  return [
    checkNode(node),
    ...root,
    ...checkIndex(patient),
    ...checkDocuments(patient),
    ...checkLocks(patient),
    ...checkTemporaries(patient),
    ...checkClock(patient),
    checkFreshness(patient),
  ];
}
