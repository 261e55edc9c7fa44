import { groupBy } from "../lib/collections.ts";
import { pauses } from "../lib/pauses.ts";
import { counted, plural } from "../lib/text.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import type { Evidence } from "../stale/lost.ts";
import { scanWorkspace } from "../storage/walk.ts";
import { lostIn } from "./outdated.ts";
import { textReader } from "./read.ts";
import type { Workspace } from "./workspace.ts";

/** A document with what it names and is gone. */
export interface StaleEntry {
  path: string;
  evidence: Evidence[];
}

/** The notes and documents of a project that name what is gone, worst first, as far as it is known now. */
export async function listStale(workspace: Workspace, project: string): Promise<StaleEntry[]> {
  if (workspace.code === undefined || workspace.repositories?.folderOf(project) === undefined) return [];
  const documents = workspace.documentsOf(project);
  const files = [
    ...scanWorkspace(workspace.root, project).files,
    ...((await documents?.scan())?.files ?? []),
  ];
  const [ofNotes, ofDocuments] = [textReader(workspace.root), documents?.textReader()];
  const found: StaleEntry[] = [];
  const pause = pauses();
  for (const { path } of files) {
    await pause();
    const text = (repositoryFile(path) === undefined ? ofNotes : ofDocuments)?.(path) ?? "";
    const evidence = lostIn(workspace, { path, text });
    if (evidence.length > 0) found.push({ path, evidence });
  }
  return found.sort((a, b) => b.evidence.length - a.evidence.length);
}

/** The same, once all is known. */
export async function listStaleSettled(workspace: Workspace, project: string): Promise<StaleEntry[]> {
  // Git is asked about the repository, then about the documents that may name what is gone.
  for (let asked = 0; asked < 2; asked++) {
    await listStale(workspace, project);
    await workspace.code?.settled();
  }
  return listStale(workspace, project);
}

/** Of a document, for a person or an agent: each sentence once. */
export function staleLines({ evidence }: StaleEntry): string[] {
  return [...groupBy(evidence, ({ says }) => says)].map(([says, same]) => {
    const lines = [...new Set(same.map(({ line }) => line))];
    return `${plural(lines.length, "line", "lines")} ${lines.join(", ")}: ${says}`;
  });
}

/** `2 documents name 3 paths that are gone` */
export function staleCount(entries: readonly StaleEntry[]): string {
  const paths = entries.flatMap(staleLines).length;
  const name = plural(entries.length, "names", "name");
  return `${counted(entries.length, "document")} ${name} ${counted(paths, "path")} that ${plural(paths, "is", "are")} gone`;
}
