import { remember } from "../../lib/collections.ts";
import { pathKey, withMarkdownExtension, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { taskKey } from "../../notes/document.ts";
import { ARCHIVE, pathIn, TASK_FOLDERS } from "../../notes/names.ts";
import { idKeys, idsOf, isId } from "../../notes/task/ids.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { readFile } from "../../storage/read.ts";
import { documents, matchNames, only, pathOnDisk } from "./entries.ts";
import { refuseRepositoryFile } from "./repository-file.ts";
import { listTaskFiles, type TaskFolder } from "./task-files.ts";

/** `3`, `003`, `#3`, `tasks/3`, `3.md`. */
const NUMBER = /^(?:(.+)\/)?#?(\d{1,9})(?:\.md)?$/is;

export function isTaskNumber(name: string): boolean {
  return NUMBER.test(name);
}

interface NameRules {
  /** Whether it may stand without its folder: `add-login` for a task, or a document in any folder. */
  isShort: boolean;
  /** Whether only a document at such a path can be meant. */
  isMeant?: ((path: string) => boolean) | undefined;
}

/** Finds the documents that names in a project mean; each folder is listed once. */
export function finderIn(root: string, project: string) {
  const names = documents(root);
  const tasksIn = remember((place: TaskFolder) => listTaskFiles(root, project, [place], names));
  const at = (path: string): string[] => {
    const full = pathIn(project, withMarkdownExtension(path));
    const [, folder = "", number] = NUMBER.exec(path) ?? [];
    const start = pathKey(`${project}/${folder}/`);
    const place = TASK_FOLDERS.find((one) => start.startsWith(pathKey(`${project}/${one}/`)));
    if (number === undefined || place === undefined)
      return [pathOnDisk(root, full, names)].filter((one) => one !== undefined);
    const alike = matchNames(tasksIn(place), full);
    const key = `${project}/${Number(number)}`;
    const isNumbered = (file: string) => taskKey(file) === key && pathKey(file).startsWith(start);
    return alike.length > 0 ? alike : tasksIn(place).filter(isNumbered);
  };
  const idsAt = remember((path: string) => {
    const text = attempt(() => readFile(gateOf(root), path)?.text);
    return text === undefined ? [] : idsOf(parseFrontmatter(text).data);
  });
  /** The tasks that are called so elsewhere. */
  const withId = (name: string, { isShort }: NameRules): string[] => {
    const [, folder, id = ""] = /^(?:(.+)\/)?([^/]+)$/.exec(withoutMarkdownExtension(name)) ?? [];
    if (!isId(id) || isTaskNumber(id)) return [];
    const isHere = (place: string) => (folder === undefined ? isShort : pathKey(place) === pathKey(folder));
    const tasks = TASK_FOLDERS.filter(isHere).map(tasksIn);
    const called = (idsOfFile: (path: string) => string[]) =>
      tasks.map((paths) => paths.filter((path) => idKeys(path, idsOfFile(path)).includes(pathKey(id))));
    return [...called(() => []), ...called(idsAt)].find((paths) => paths.length > 0) ?? [];
  };
  return (name: string, reading: NameRules): string | undefined => {
    refuseRepositoryFile(name);
    for (const paths of placesOf(name, reading, () => names(project, "folders"))) {
      const found = only(paths.flatMap(at).filter(reading.isMeant ?? Boolean), name);
      if (found !== undefined) return found;
    }
    return only(withId(name, reading), name);
  };
}

/** Where a document of this name may be below its project, the most likely first. */
function* placesOf(
  name: string,
  { isShort, isMeant }: NameRules,
  folders: () => readonly string[],
): Generator<string[]> {
  const isBare = !name.includes("/");
  const inTasks = isShort ? TASK_FOLDERS.map((folder) => [`${folder}/${name}`]) : [];
  const isTaskFirst = isBare && (isMeant !== undefined || isTaskNumber(name));
  yield* isTaskFirst ? [...inTasks, [name]] : [[name], ...inTasks];
  // An archived task keeps its number.
  if (!isBare && isTaskNumber(name)) yield [`${ARCHIVE}/${name}`];
  if (isBare && isShort) yield folders().map((folder) => `${folder}/${name}`);
}
