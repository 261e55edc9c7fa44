import { groupBy } from "../lib/collections.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** More come with the next call. */
const MAX_NEWS = 5;

/** The news of its notes that one client has heard; older news is not for it. */
export function createHeard() {
  let served: Workspace | undefined;
  /** How often it heard each text: what happens twice is said twice. */
  let heard: ReadonlyMap<string, number> = new Map();
  /** Has to be called before anything of these notes is answered. */
  const begin = (workspace: Workspace) => {
    if (served !== workspace) [served, heard] = [workspace, countsOf(workspace.news())];
  };
  return {
    begin,
    /** What is new to it. */
    next: (workspace: Workspace): string[] => {
      begin(workspace);
      const news = workspace.news();
      const untold = new Map(heard);
      const fresh = news.filter((text) => {
        const times = untold.get(text) ?? 0;
        untold.set(text, times - 1);
        return times <= 0;
      });
      const later = countsOf(fresh.slice(MAX_NEWS));
      heard = new Map([...countsOf(news)].map(([text, times]) => [text, times - (later.get(text) ?? 0)]));
      return fresh.slice(0, MAX_NEWS);
    },
  };
}

function countsOf(texts: readonly string[]): Map<string, number> {
  return new Map([...groupBy(texts, (text) => text)].map(([text, { length }]) => [text, length]));
}
