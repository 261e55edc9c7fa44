import { join } from "node:path";
import type { Git } from "../git/ask-git.ts";
import { foldersUpwards, realPath, repositoryOf } from "../storage/folders.ts";
import { readSmall } from "../storage/read.ts";

/** What git's settings and attributes call the merge of notes by what they say. */
export const MERGE_SETTING = "merge.vibe-mcp";
export const MERGE_ATTRIBUTE = "merge=vibe-mcp";

/** Whether git attributes want notes merged by what they say, and this clone does not know how. */
export async function lacksMergeDriver(folder: string, git: Git | undefined): Promise<boolean> {
  const root = realPath(folder);
  const repository = repositoryOf(root);
  if (git === undefined || repository === undefined) return false;
  const isNamed = foldersUpwards(root)
    .filter((above) => above.length >= repository.length)
    .some((above) => readSmall(join(above, ".gitattributes"))?.includes(MERGE_ATTRIBUTE));
  return isNamed && (await git(root, ["config", "--default", "", "--get", `${MERGE_SETTING}.driver`])) === "";
}
