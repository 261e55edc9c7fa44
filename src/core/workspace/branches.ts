import { relative } from "node:path";
import type { Git } from "../git/ask-git.ts";
import { TASK_FOLDERS } from "../notes/names.ts";
import { nextTaskNumber } from "../notes/task/file.ts";
import { realPath, repositoryOf } from "../storage/folders.ts";
import { foldersAlike } from "./find/entries.ts";

/** Those with the newest commits. */
const MAX_BRANCHES = 200;
const MAX_KNOWN = 10_000;

/** The tasks on the local branches of the repository around a workspace, and in what was stashed last. */
export class Branches {
  readonly #root: string;
  readonly #git: Git | undefined;
  /** The tree of a folder in a commit; null if it has no such folder. */
  readonly #trees = new Map<string, string | null>();
  /** The next number after the tasks of a tree. */
  readonly #next = new Map<string, number>();

  constructor(root: string, git: Git | undefined) {
    this.#root = root;
    this.#git = git;
  }

  /** The next number after a project's tasks there, archived ones too; 1 outside of a repository and if git fails. */
  async nextNumber(project: string): Promise<number> {
    const root = realPath(this.#root);
    const repository = this.#git === undefined ? undefined : repositoryOf(root);
    if (repository === undefined) return 1;
    const newest = [`--count=${MAX_BRANCHES}`, "--sort=-committerdate", "--format=%(objectname)"];
    const asked = ["for-each-ref", ...newest, "refs/heads", "refs/stash"];
    const commits = (await this.#git?.(root, asked))?.split("\n") ?? [];
    const place = [...relative(repository, root).split(/[\\/]/), project].filter(Boolean).join("/");
    const folders = commits.flatMap((commit) =>
      this.#taskFolders(project).map((folder) => `${commit}:${place}/${folder}`),
    );
    await this.#findTrees(root, folders);
    const trees = new Set(folders.flatMap((folder) => this.#trees.get(folder) ?? []));
    let next = 1;
    for (const tree of trees) next = Math.max(next, await this.#nextAfter(root, tree));
    return next;
  }

  /** Branches spell them as they are here, or as this program makes them. */
  #taskFolders(project: string): string[] {
    const here = TASK_FOLDERS.flatMap((folder) => foldersAlike(this.#root, project, folder));
    return [...new Set([...TASK_FOLDERS, ...here.map((path) => path.slice(project.length + 1))])];
  }

  /** One question for all that are not known yet: a folder of a commit never changes. */
  async #findTrees(root: string, folders: readonly string[]): Promise<void> {
    const unknown = folders.filter((folder) => !this.#trees.has(folder));
    if (unknown.length === 0) return;
    if (this.#trees.size + unknown.length > MAX_KNOWN) this.#trees.clear();
    const asked = `${unknown.join("\n")}\n`;
    const found = await this.#git?.(root, ["cat-file", "--batch-check=%(objectname)"], asked);
    for (const [at, line] of (found?.split("\n") ?? []).entries())
      this.#trees.set(unknown[at] ?? "", /^[0-9a-f]{40,64}$/.test(line) ? line : null);
  }

  async #nextAfter(root: string, tree: string): Promise<number> {
    const known = this.#next.get(tree);
    if (known !== undefined) return known;
    const listed = await this.#git?.(root, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree]);
    if (listed === undefined) return 1;
    const next = nextTaskNumber(listed.split("\0"));
    if (this.#next.size > MAX_KNOWN) this.#next.clear();
    this.#next.set(tree, next);
    return next;
  }
}
