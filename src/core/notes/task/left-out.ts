import { listedName } from "../../lib/escape.ts";
import { isAmongTasks, locateDocument } from "../document.ts";
import { baseName, isDated } from "../names.ts";
import { originalsOf } from "./copies.ts";
import { otherFile } from "./other-files.ts";

/** What is not read as its author may expect, and why. */
export interface LeftOut {
  path: string;
  reason: string;
}

interface Listed {
  path: string;
  title: string;
  task: object | null;
}

/** The documents among tasks that are none. */
export function notTasks(documents: readonly Listed[]): LeftOut[] {
  const among = documents.filter(({ path }) => {
    const location = locateDocument(path);
    return location !== null && isAmongTasks(location);
  });
  const originals = originalsOf(among);
  return among.flatMap(({ path, task }) => {
    const original = originals.get(path);
    const reason = original === undefined ? otherReason(path, task) : copyReason(original.path);
    return reason === null ? [] : [{ path, reason }];
  });
}

/** Of a copy that another program left. */
export function copyReason(original: string): string {
  return `a copy of ${listedName(baseName(original))} that another program left`;
}

function otherReason(path: string, task: object | null): string | null {
  const kind = otherFile(path.slice(path.indexOf("/") + 1));
  if (kind !== null) return kind === "template" ? "a template" : "a page about the tasks";
  if (!isDated(path)) return task === null ? "empty, or not read as text" : null;
  return task === null
    ? "named by a day, without a status"
    : "named by a day: no number, and claimed by name";
}
