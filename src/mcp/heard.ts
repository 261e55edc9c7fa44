import type { Workspace } from "../workspace/workspace.ts";

/** More come with the next call. */
const MAX_NEWS = 5;

/** What one client was told of the notes it is served: nothing that happened before it came. */
export function createHeard() {
  let served: Workspace | undefined;
  let told = new Set<string>();
  /** Has to be called before anything of these notes is answered. */
  const begin = (workspace: Workspace) => {
    if (served !== workspace) [served, told] = [workspace, new Set(workspace.news())];
  };
  return {
    begin,
    /** What it has not been told yet. */
    next: (workspace: Workspace): string[] => {
      begin(workspace);
      const texts = workspace.news().filter((text) => !told.has(text));
      const next = texts.slice(0, MAX_NEWS);
      for (const text of next) told.add(text);
      return next;
    },
  };
}
