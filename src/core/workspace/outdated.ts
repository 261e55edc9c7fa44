import { type Evidence, evidenceOf, type StaleDocument } from "../stale/evidence.ts";
import type { Workspace } from "./workspace.ts";

/** What in a document of the workspace, or of a project's repository, no longer holds, as far as it is known now: nothing waits for git. */
export async function outdatedOf(_workspace: Workspace, document: StaleDocument): Promise<Evidence[]> {
  return evidenceOf(document, { code: undefined });
}
