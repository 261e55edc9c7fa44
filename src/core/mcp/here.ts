import { UserError } from "../lib/errors.ts";
import { listNames } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import type { DocumentName } from "../workspace/find/document.ts";
import { pathFrom } from "../workspace/find/own-path.ts";
import type { ProjectChoice } from "../workspace/place/choose-project.ts";
import type { CurrentProject } from "../workspace/place/current-project.ts";

/** The project of that name, else the one the client works on. Throws PROJECT_NOT_FOUND, naming the projects. */
export async function projectHere(name: string | undefined, current: CurrentProject): Promise<string> {
  if (name !== undefined) return current.workspace().findProject(name);
  const choice = await current.chooseWithRoots();
  return choice.project ?? noProject(choice, current.workspace().projectNames());
}

/** A document in the project the client works on, unless its name says another one. */
export async function namedHere<Name extends DocumentName>(
  name: Name,
  current: CurrentProject,
): Promise<Name> {
  const { path, project, filename } = name;
  if (project || !(path || filename)) return name;
  if (!path) return { ...name, project: await projectHere(undefined, current) };
  await current.rootsKnown();
  return { ...name, path: pathFrom(current.workspace().root, () => current.choose().project, path) };
}

export function noProject({ reason, expected = "" }: ProjectChoice, names: readonly string[]): never {
  const known = `No project is known: ${reason}.`;
  const isEmpty = names.length === 0;
  const next = isEmpty ? "The workspace has no project yet." : `Name one in 'project': ${listNames(names)}.`;
  throw new UserError("PROJECT_NOT_FOUND", `${known} ${next}`, {
    details: { suggestions: nearest(expected, names) },
    ...(isEmpty && { next: "create-project" }),
  });
}
