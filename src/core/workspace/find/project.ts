import { isSeen } from "../../history/sight.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { nearest } from "../../lib/text.ts";
import { projectNames } from "../../storage/list.ts";
import { checkDisks } from "../../storage/mounts.ts";
import { matchNames, only } from "./entries.ts";

/** The projects that the caller sees, sorted. */
export function seenProjects(root: string): string[] {
  return projectNames(root).filter(isSeen);
}

/** The project of that name, exactly or but for letter case and Unicode composition. Throws PROJECT_NOT_FOUND, also if several are alike. */
export function findProject(root: string, name: string, hint = ""): string {
  const names = seenProjects(root);
  const match = only(matchNames(names, name), name, "PROJECT_NOT_FOUND");
  if (match !== undefined) {
    checkDisks(root, [match]);
    return match;
  }
  const isEmpty = names.length === 0;
  const known = isEmpty ? "The workspace has no project yet." : `Known projects: ${listNames(names)}.${hint}`;
  throw new UserError("PROJECT_NOT_FOUND", `Project ${quoteName(name)} does not exist. ${known}`, {
    details: { project: escapeName(name), suggestions: nearest(name, names) },
    next: isEmpty ? "create-project" : "choose-project",
  });
}
