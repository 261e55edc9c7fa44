import { dirname, join } from "node:path";
import { contains, type Place, territoryOf } from "../files/outside-place.ts";
import type { Machine } from "./machine.ts";

/** A file of this person: links may lead anywhere in the home, as those to a folder of dotfiles do. */
export function placeOf(machine: Machine, file: string): Place {
  const { home } = machine;
  const within = contains(home, file) ? [home] : [dirname(file), home];
  return { file, shown: shownFrom(machine, file), within, isPrivate: true };
}

/** A file of the folder in which the command was typed: links may lead anywhere in its repository. */
export function placeIn(machine: Machine, path: string): Place {
  const { folder, home } = machine;
  const file = join(folder, path);
  return { file, shown: shownFrom(machine, file), within: [territoryOf(folder, home)] };
}

function shownFrom({ home, folder }: Machine, file: string): string {
  for (const [base, name] of [
    [folder, ""],
    [home, "~/"],
  ] as const) {
    if (file.startsWith(join(base, "/")))
      return `${name}${file.slice(base.length + 1).replaceAll("\\", "/")}`;
  }
  return file;
}
