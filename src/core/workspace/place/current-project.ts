import { fileURLToPath } from "node:url";
import { attempt } from "../../storage/fs-errors.ts";
import { chooseAt, chooseProject, type ProjectChoice, type ProjectSources } from "./choose-project.ts";
import type { ServedNotes } from "./served-notes.ts";

export type CurrentProject = ReturnType<typeof createCurrentProject>;

/** The project that one client most likely works on; a folder that it names may bring other notes than those served so far. */
export function createCurrentProject(
  notes: Pick<ServedNotes, "workspace" | "follow">,
  sources: ProjectSources,
) {
  let roots: readonly string[] = [];
  let pending: Promise<void> = Promise.resolve();
  let last: ProjectChoice | undefined;
  const choose = () => {
    last = chooseProject(notes.workspace.root, sources, roots);
    return last;
  };
  /** Chooses again among other notes if those served so far have none. */
  const chooseFor = (folders: readonly string[], chooseHere: () => ProjectChoice): ProjectChoice => {
    const choice = chooseHere();
    if (choice.project !== undefined) return choice;
    notes.follow(folders);
    return chooseHere();
  };
  return {
    /** The workspace whose notes are served now. */
    workspace: () => notes.workspace,
    /** Looks again: a project may have been created since. */
    choose,
    /** As last chosen, which costs nothing. */
    project: () => (last ?? choose()).project,
    /** Like `choose`, after the client has named its roots. */
    chooseWithRoots: async () => {
      await pending;
      return choose();
    },
    /** The project of a folder that the client names. Throws INVALID_ARGUMENT unless it is absolute. */
    at: (here: string) => {
      const isLocal = sources.folder !== undefined;
      return chooseFor(isLocal ? [here] : [], () => chooseAt(notes.workspace.root, here, sources));
    },
    /** Resolves once the client has named its roots, if it was asked. */
    rootsKnown: () => pending,
    /** Whether the client's roots matter. */
    followsRoots: sources.setting === undefined && sources.claudeFolder === undefined,
    /** Takes over the client's own folders, as URIs, once they are known; none of them local changes nothing. */
    follow: (uris: Promise<readonly string[]>) => {
      pending = uris.then((list) => {
        const folders = list.flatMap(folderOf);
        if (folders.length > 0) roots = folders;
        chooseFor(roots, choose);
        // What a client elsewhere names is no folder of this machine.
        if (sources.folder !== undefined) notes.workspace.repositories?.see(roots);
      });
      return pending;
    },
  };
}

/** Empty for a URI that names no local folder. */
function folderOf(uri: string): string[] {
  const folder = attempt(() => fileURLToPath(uri));
  return folder === undefined ? [] : [folder];
}
