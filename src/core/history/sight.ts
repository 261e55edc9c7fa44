import { AsyncLocalStorage } from "node:async_hooks";
import { remember } from "../lib/collections.ts";
import { pathKey } from "../lib/file-names.ts";

/** The names and globs of the projects that a caller sees: to it, no others exist. Undefined for one who sees all. */
export type Sight = readonly string[] | undefined;

const storage = new AsyncLocalStorage<Sight>();

/** Runs `work` for a caller who sees these projects. */
export function seeing<T>(projects: Sight, work: () => T): T {
  return storage.run(projects, work);
}

export function sightNow(): Sight {
  return storage.getStore();
}

/** Whether the caller sees a project. */
export function isSeen(project: string): boolean {
  return sees(storage.getStore(), project);
}

export function sees(projects: Sight, project: string): boolean {
  return projects?.some((glob) => patternOf(glob).test(pathKey(project))) ?? true;
}

const patternOf = remember((glob: string) => {
  const parts = pathKey(glob).split("*");
  return new RegExp(`^${parts.map((part) => part.replace(/\W/g, "\\$&")).join(".*")}$`, "s");
});
