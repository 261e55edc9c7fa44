import { once } from "../lib/collections.ts";
import { withoutMarkdownExtension } from "../lib/file-names.ts";
import { boxAt } from "../markdown/box.ts";
import type { DocumentFacts } from "../notes/document.ts";
import { ARCHIVE, baseName, isDated } from "../notes/names.ts";
import { asFolder, repositoryFile } from "../notes/repository-path.ts";
import { oneOf } from "../notes/words/languages.ts";

const CLOSED = new Set(["done", "cancelled"]);
/** The last word of a file or folder that tells what was: `CHANGELOG.md`, `old-archive/`, `Release notes.md`. */
const PAST = lastWord(
  `${ARCHIVE}d?|sessions|reports?|scratch|change-?logs?|history|news|releases?|release-notes`,
);
/** Of one in a repository, in which plans are kept when they are carried out. */
const ONCE = lastWord("plans?|proposals?|reviews?|audits?|fix(?:es)?|retrospectives?|post-?mortems?");
/** `version-1.0.5`, `after-v0.18.md` */
const VERSION = /(?:\bv|version-?)\d+\.\d|\d\.\d+\.\d/i;

function lastWord(words: string): RegExp {
  return new RegExp(`(?:^|-)(?:${words})$`, "i");
}

/** Whether a document says that it is done with: nothing in it is outdated. */
export function isOver({ status, standing }: DocumentFacts): boolean {
  return CLOSED.has(status ?? "") || (standing?.word ?? "proposed") !== "proposed";
}

/** The same, by its name. */
export function isOfThePast(path: string): boolean {
  if (isDated(baseName(path))) return true;
  const isTheirs = repositoryFile(path) !== undefined;
  const parts = asFolder(path)
    .split("/")
    .slice(isTheirs ? 2 : 1);
  return parts.some((part) => {
    const name = withoutMarkdownExtension(part).replace(/[_ ]/g, "-");
    return PAST.test(name) || VERSION.test(name) || (isTheirs && ONCE.test(name));
  });
}

/** Words with which a line says itself that what it names is old. */
const OLD = once(() => {
  const words = oneOf(({ past, labels: { supersedes }, standings: { superseded, deprecated, obsolete } }) =>
    [past, supersedes, superseded, deprecated, obsolete].filter((word) => word !== "").join(", "),
  );
  return new RegExp(`(?<![\\p{Script=Latin}/._-])${words}(?![\\p{Script=Latin}/._-])`, "iu");
});
const LIST_MARK = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** Whether a line tells what was: a step that is done or dropped, or one that says itself that it does, or what is there `now`. */
export function lineTellsThePast(line: string, now: string | undefined): boolean {
  const box = boxAt(line.replace(LIST_MARK, ""));
  return box?.isDone || box?.isDropped || OLD().test(line) || (now !== undefined && line.includes(now));
}
