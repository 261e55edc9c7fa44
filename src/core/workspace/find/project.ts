import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { checkDisks } from "../../storage/mounts.ts";
import { matchNames, only, seenProjects } from "./entries.ts";
import { ownPath } from "./own-path.ts";

/** The project of that name, exactly or but for letter case and Unicode composition, else by a path or address, or with other marks between its words. Throws PROJECT_NOT_FOUND, also if several are alike. */
export function findProject(root: string, name: string, hint = ""): string {
  const names = seenProjects(root);
  const match = only(matchNames(names, name), name, "PROJECT_NOT_FOUND") ?? matchWords(root, names, name);
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

function matchWords(root: string, names: readonly string[], name: string): string | undefined {
  const wordsOf = (path: string) => pathKey(path.replace(/\/$/, "")).replace(/[ _-]+/g, "-");
  const words = wordsOf(attempt(() => ownPath(root, name)) ?? name);
  return only(
    names.filter((one) => wordsOf(one) === words),
    name,
    "PROJECT_NOT_FOUND",
  );
}
