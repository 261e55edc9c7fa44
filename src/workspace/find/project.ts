import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { nearest } from "../../lib/text.ts";
import { projectNames } from "../../storage/list.ts";
import { matchNames } from "./entries.ts";

/** The project of that name, exactly or but for letter case and Unicode composition. Throws PROJECT_NOT_FOUND, also if several are alike. */
export function findProject(root: string, name: string): string {
  const names = projectNames(root);
  const [match, ...others] = matchNames(names, name);
  if (match !== undefined && others.length === 0) return match;
  const isEmpty = names.length === 0;
  const known = isEmpty ? "The workspace has no project yet." : `Known projects: ${listNames(names)}.`;
  const message =
    match === undefined
      ? `Project ${quoteName(name)} does not exist. ${known}`
      : `Several projects go by the name ${quoteName(name)}: ${listNames([match, ...others])}. Spell the one that you mean.`;
  const suggestions = match === undefined ? nearest(name, names) : [match, ...others];
  throw new UserError("PROJECT_NOT_FOUND", message, {
    details: { project: escapeName(name), suggestions },
    next: isEmpty ? "create-project" : "choose-project",
  });
}
