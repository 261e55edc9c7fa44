import * as z from "zod";
import { lostIn, outdatedOf, type StaleDocument } from "../../workspace/outdated.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { count } from "./params.ts";

const MAX_SAID = 3;

export const outdated = () =>
  z
    .array(z.object({ line: count(), says: z.string() }))
    .optional()
    .describe("What no longer holds");

/** The field for what no longer holds of a document; none if all does. */
export async function outdatedReport(workspace: Workspace, document: StaleDocument) {
  const outdated = await outdatedOf(workspace, document);
  return outdated.length === 0 ? {} : { outdated };
}

/** What a text that was just written names and is gone, unless it did so before: who writes from memory learns it now. */
export function lostHint(
  workspace: Workspace,
  written: StaleDocument,
  before?: StaleDocument,
): string | null {
  const saidOf = (document: StaleDocument) => lostIn(workspace, document, true).map(({ says }) => says);
  const old = new Set(before && saidOf(before));
  const lost = [...new Set(saidOf(written))].filter((says) => !old.has(says));
  return lost.length === 0 ? null : `Is it right? ${lost.slice(0, MAX_SAID).join(". ")}.`;
}
