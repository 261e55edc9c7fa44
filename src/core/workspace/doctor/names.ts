import { groupBy } from "../../lib/collections.ts";
import { pathKey } from "../../lib/file-names.ts";
import { baseName, isStandardFolder, standardFolder } from "../../notes/names.ts";
import { listFolder } from "../../storage/list.ts";
import { type DoctorContext, type Finding, note, problem, some } from "./finding.ts";

/** Entries that only their letter case or Unicode composition tells apart, and standard folders that are spelled otherwise. */
export function checkNames({ config, scan }: DoctorContext): Finding[] {
  const folders = scan.projects.flatMap((project) =>
    listFolder(config.root, project).folders.map((folder) => `${project}/${folder}`),
  );
  const paths = new Set([...scan.projects, ...folders]);
  for (const { path } of scan.files) for (const above of pathsTo(path)) paths.add(above);
  const twins = [...groupBy(paths, keyOf).values()].filter((alike) => alike.length > 1);
  const found = twins.map((alike) => {
    const message = `${some(alike, alike.length)} differ only in letter case or Unicode composition. Each is found only by its exact name, and other disks cannot hold both.`;
    return problem("names", message, "Rename all but one, or put their files together.");
  });
  const odd = folders.filter((path) => {
    const name = baseName(path);
    return isStandardFolder(name) && name !== standardFolder(name);
  });
  if (odd.length === 0) return found;
  const message = `${some(odd)}: read and written like the standard folder of that name in small letters.`;
  return [...found, note("names", message, "Nothing has to be done: their letter case makes no difference.")];
}

/** Below the same folder, as it is spelled. */
function keyOf(path: string): string {
  const start = path.lastIndexOf("/") + 1;
  return path.slice(0, start) + pathKey(path.slice(start));
}

/** The path itself, and the folders above it. */
function pathsTo(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
