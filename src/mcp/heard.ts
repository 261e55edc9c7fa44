import type { Workspace } from "../workspace/workspace.ts";

/** More come with the next call. */
const MAX_NEWS = 5;

/** The news of its notes that one client has heard; older news is not for it. */
export function createHeard() {
  let served: Workspace | undefined;
  let heard = new Set<string>();
  /** Has to be called before anything of these notes is answered. */
  const begin = (workspace: Workspace) => {
    if (served !== workspace) [served, heard] = [workspace, new Set(workspace.news())];
  };
  return {
    begin,
    /** What is new to it. */
    next: (workspace: Workspace): string[] => {
      begin(workspace);
      const texts = workspace.news().filter((text) => !heard.has(text));
      const next = texts.slice(0, MAX_NEWS);
      for (const text of next) heard.add(text);
      return next;
    },
  };
}
