import type { Git } from "../git/ask-git.ts";

/** The commit that changed a line last, and when. */
export interface LineOrigin {
  commit: string;
  time: number;
}

/** Of each line of a file, by its text; lines that no commit has yet are missing. */
export type Lines = ReadonlyMap<string, LineOrigin>;

// Nothing of the repository's settings runs or hides a commit.
const BLAME = ["blame", "--porcelain", "--no-textconv", "--ignore-revs-file=", "HEAD", "--"];

/** None if git fails or takes too long: then nothing is said of the file. */
export async function readLines(git: Git, top: string, file: string): Promise<Lines | undefined> {
  const said = await git(top, [...BLAME, file]);
  if (said === undefined) return undefined;
  const lines = new Map<string, LineOrigin>();
  const times = new Map<string, number>();
  let commit = "";
  for (const line of said.split("\n")) {
    const [, found] = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line) ?? [];
    const [, time] = /^committer-time (\d{1,12})$/.exec(line) ?? [];
    if (line.startsWith("\t"))
      lines.set(line.slice(1).replace(/\r$/, ""), { commit, time: times.get(commit) ?? 0 });
    else if (found !== undefined) commit = found;
    else if (time !== undefined) times.set(commit, Number(time));
  }
  return lines;
}
