import { attempt } from "./fs-errors.ts";
import { gateOf } from "./path-gate.ts";

/** The programs whose links follow rules of their own, by a file that only they make. */
const MARKERS = { Logseq: "logseq/config.edn", Dendron: "dendron.yml" };

/** The program whose graph a project is: its links are followed where ours lead, and not judged. Null for none. */
export function foreignGraph(root: string, project: string): string | null {
  const gate = gateOf(root);
  const has = (marker: string) =>
    [marker, `${project}/${marker}`].some((path) => attempt(() => gate.resolve(path)) !== undefined);
  return Object.entries(MARKERS).find(([, marker]) => has(marker))?.[0] ?? null;
}
