import type { Git } from "../git/ask-git.ts";
import { hasControlCharacter } from "../lib/escape.ts";
import type { Code, Left } from "./code.ts";

/** What the history of a repository says up to a commit. */
export interface PastCode {
  head: string;
  /** Whether it has the last commits only: once it has more, it is read again. */
  isShallow: boolean;
  left: readonly Left[];
}

/** Of more, those that left last are kept. */
const MAX_LEFT = 50_000;
const MAX_PATH_CHARS = 500;
const LOG = `log --no-color --no-relative -l1000 --no-rename-empty --diff-filter=DR --name-status -z --format=%H%x20%ct%x20%cs`;
const HEADER = /^([0-9a-f]{40,64}) (\d{1,12}) (\d{4}-\d\d-\d\d)$/;

/** The commit that a repository is at; undefined if there is none, or no git. */
export async function readHead(git: Git, top: string): Promise<Omit<PastCode, "left"> | undefined> {
  const said = await git(top, ["rev-parse", "--is-shallow-repository", "HEAD"]);
  const [shallow, head] = said?.split("\n") ?? [];
  return head === undefined ? undefined : { head, isShallow: shallow === "true" };
}

/** What left a repository up to this commit, going on from what was read before; undefined if git fails. */
export async function readPast(
  git: Git,
  top: string,
  now: Omit<PastCode, "left">,
  before: PastCode | undefined,
): Promise<PastCode | undefined> {
  if (before?.head === now.head && before.isShallow === now.isShallow) return before;
  const known =
    before?.isShallow === now.isShallow && (await isAncestor(git, top, before, now)) ? before : undefined;
  const range = known === undefined ? now.head : `${known.head}..${now.head}`;
  const log = LOG.split(" ");
  // Without all texts, as in a partial clone, git tells those renames that change nothing else.
  const said = (await git(top, [...log, "-M", range])) ?? (await git(top, [...log, "-M100%", range]));
  if (said === undefined) return undefined;
  const newest = new Map<string, Left>();
  for (const one of [...leftIn(said), ...(known?.left ?? [])]) {
    if (newest.size === MAX_LEFT) break;
    if (!newest.has(one.path)) newest.set(one.path, one);
  }
  return { ...now, left: [...newest.values()] };
}

async function isAncestor(
  git: Git,
  top: string,
  { head }: PastCode,
  now: { head: string },
): Promise<boolean> {
  return (await git(top, ["merge-base", "--is-ancestor", head, now.head])) !== undefined;
}

/** The newest first. */
function* leftIn(log: string): Generator<Left> {
  const words = log.split("\0");
  let [commit, time, day] = ["", "", ""];
  for (let at = 0; at < words.length; at++) {
    const word = (words[at] ?? "").replace(/^\n/, "");
    [, commit, time, day] = HEADER.exec(word) ?? ["", commit, time, day];
    const isRename = /^R\d+$/.test(word);
    if (!isRename && word !== "D") continue;
    const path = words[++at] ?? "";
    const to = isRename ? (words[++at] ?? "") : "";
    if (!isReadable(path) || commit === "") continue;
    yield { path, day, time: Number(time), commit, ...(isReadable(to) && { to }) };
  }
}

/** The files of the commit and of the index, and what left and is neither there nor ignored: that is made anew, or only on some machines. */
export async function readFiles(git: Git, top: string, { head, left }: PastCode): Promise<Code | undefined> {
  const listed = await git(top, ["ls-tree", "-r", "-z", "--full-tree", "--name-only", head]);
  if (listed === undefined) return undefined;
  const staged = (await git(top, ["ls-files", "-z"])) ?? "";
  const files = [...new Set([listed, staged].flatMap((text) => text.split("\0")))].filter(isReadable);
  const asked = left.map(({ path }) => path).join("\0");
  const ignored = asked && (await git(top, ["check-ignore", "--no-index", "-z", "--stdin"], asked));
  const away = new Set([...files, ...(ignored ?? "").split("\0")]);
  return { files, left: left.filter(({ path }) => !away.has(path)) };
}

/** Whether a name can be quoted in a line. */
function isReadable(path: string): boolean {
  const isText = !/[\uFFFD`]/.test(path) && !hasControlCharacter(path);
  return path !== "" && path.length <= MAX_PATH_CHARS && isText;
}
