import type { Git } from "../git/ask-git.ts";
import { hasControlCharacter } from "../lib/escape.ts";
import type { Code, Left } from "./code.ts";

/** What left a repository up to a commit, as git tells it: the newest first. */
export interface PastCode {
  head: string;
  log: string;
}

/** The commit that changed a line last, and when. */
export interface LineOrigin {
  commit: string;
  time: number;
}

/** Of each line of a file, by its text; lines that no commit has yet are missing. */
export type Lines = ReadonlyMap<string, LineOrigin>;

/** Of more, what left last is kept. */
const MAX_LOG_CHARS = 2 ** 24;
const MAX_PATH_CHARS = 500;
const LOG =
  "log --no-color --no-relative -l1000 --no-rename-empty --diff-filter=DR --name-status -z --format=%H%x20%at%x20%cs".split(
    " ",
  );
const HEADER = /^([0-9a-f]{40,64}) (\d{1,12}) (\d{4}-\d\d-\d\d)$/;
// Nothing of the repository's settings runs or hides a commit.
const BLAME = "blame --root -l -t --no-textconv --ignore-revs-file= HEAD --".split(" ");
const BLAMED = /^([0-9a-f]{40,64}) .*?\(.*? (\d{1,12}) [+-]\d{4} +\d+\) (.*?)\r?$/s;

/** The commit that a repository is at, and whether it has the last commits only; undefined if there is none, or no git. */
export async function readHead(git: Git, top: string) {
  const said = await git(top, ["rev-parse", "--is-shallow-repository", "HEAD"]);
  const [shallow, head] = said?.split("\n") ?? [];
  return head === undefined ? undefined : { head, isShallow: shallow === "true" };
}

/** What left a repository up to this commit, going on from what was read before; undefined if git fails. */
export async function readPast(
  git: Git,
  top: string,
  head: string,
  before: PastCode | undefined,
): Promise<PastCode | undefined> {
  if (before?.head === head) return before;
  const isAncestor = before && (await git(top, ["merge-base", "--is-ancestor", before.head, head]));
  const range = isAncestor === undefined ? head : `${before?.head}..${head}`;
  // Without all texts, as in a partial clone, git tells those renames that change nothing else.
  const said = (await git(top, [...LOG, "-M", range])) ?? (await git(top, [...LOG, "-M100%", range]));
  const log = `${said}\0${isAncestor === undefined ? "" : before?.log}`;
  return said === undefined ? undefined : { head, log: log.slice(0, MAX_LOG_CHARS) };
}

/** The newest first; of a path, when it left last. */
function leftIn(log: string): Left[] {
  const newest = new Map<string, Left>();
  const words = log.split("\0");
  let [commit, time, day] = ["", "", ""];
  for (let at = 0; at < words.length; at++) {
    const word = (words[at] ?? "").replace(/^\n/, "");
    [, commit, time, day] = HEADER.exec(word) ?? ["", commit, time, day];
    const isRename = /^R\d+$/.test(word);
    if (!isRename && word !== "D") continue;
    const path = words[++at] ?? "";
    const to = isRename ? (words[++at] ?? "") : "";
    if (!isReadable(path) || commit === "" || newest.has(path)) continue;
    newest.set(path, { path, day, time: Number(time), commit, ...(isReadable(to) && { to }) });
  }
  return [...newest.values()];
}

/** The files of the commit and of the index, and what left and is neither there nor ignored: that is made anew, or only on some machines. */
export async function readFiles(git: Git, top: string, { head, log }: PastCode): Promise<Code | undefined> {
  const listed = await git(top, ["ls-tree", "-r", "-z", "--full-tree", "--name-only", head]);
  if (listed === undefined) return undefined;
  const staged = (await git(top, ["ls-files", "-z"])) ?? "";
  const files = [...new Set(`${listed}\0${staged}`.split("\0"))].filter(isReadable);
  const left = leftIn(log);
  const asked = left.map(({ path }) => path).join("\0");
  const ignored = asked && (await git(top, ["check-ignore", "--no-index", "-z", "--stdin"], asked));
  const away = new Set([...files, ...(ignored ?? "").split("\0")]);
  return { files, left: left.filter(({ path }) => !away.has(path)) };
}

/** Who wrote the lines of a file; undefined if git fails or takes too long. */
export async function readLines(git: Git, top: string, file: string): Promise<Lines | undefined> {
  const said = await git(top, [...BLAME, file]);
  const lines = said?.split("\n").flatMap((line) => {
    const [, commit, time, text] = BLAMED.exec(line) ?? [];
    return commit === undefined || text === undefined
      ? []
      : [[text, { commit, time: Number(time) }] as const];
  });
  return lines && new Map(lines);
}

/** Whether a name can be quoted in a line. */
function isReadable(path: string): boolean {
  const isText = !/[\uFFFD`]/.test(path) && !hasControlCharacter(path);
  return path !== "" && path.length <= MAX_PATH_CHARS && isText;
}
