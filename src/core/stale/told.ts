import { once } from "../lib/collections.ts";
import { withoutMarkdownExtension } from "../lib/file-names.ts";
import { fold } from "../lib/text.ts";
import { eachMarkdownLine, type MarkdownLine } from "../markdown/blocks.ts";
import { boxAt } from "../markdown/box.ts";
import { headingAt } from "../markdown/headings.ts";
import { dayOfLine, daysIn } from "../notes/days.ts";
import type { DocumentFacts } from "../notes/document.ts";
import { ARCHIVE, baseName, isDated } from "../notes/names.ts";
import { asFolder, repositoryFile } from "../notes/repository-path.ts";
import { labelKey } from "../notes/short-text.ts";
import { normalizeStatus } from "../notes/task/status-word.ts";
import { isClosed } from "../notes/task/statuses.ts";
import { inAnyLanguage, oneOf } from "../notes/words/languages.ts";

/** Of a file or folder, in which it is told what was: `old-archive/`. */
const PAST = lastWord(
  `${ARCHIVE}d?|sessions|reports?|scratch|news|releases?|minutes|meetings?|journals?|retros?|retrospectives?`,
);
/** Of these, and of a section: `CHANGELOG.md`, `## Release notes`. */
const HISTORY = lastWord(fold(oneOf(({ history }) => history)).replaceAll(" ", "-?"));
/** Of one in a repository, in which plans are kept when they are carried out. */
const ONCE = lastWord("plans?|proposals?|reviews?|audits?|fix(?:es)?|post-?mortems?");
/** `version-1.0.5`, `after-v0.18.md` */
const VERSION = /(?:\bv|version-?)\d+\.\d|\d\.\d+\.\d/i;

/** What a name or a heading ends in. */
function lastWord(words: string): RegExp {
  return new RegExp(`(?<!\\p{Script=Latin})(?:${words})$`, "iu");
}

/** Whether a document says that it is done with: nothing in it is outdated. */
export function isOver({ status, standing }: DocumentFacts): boolean {
  return isClosed(status) || (standing?.word ?? "proposed") !== "proposed";
}

/** The same, by its name. */
export function isOfThePast(path: string): boolean {
  const folder = asFolder(path);
  if (isDated(baseName(path)) || daysIn(folder).length > 0) return true;
  const isTheirs = repositoryFile(path) !== undefined;
  const parts = folder.split("/").slice(isTheirs ? 2 : 1);
  return parts.some((part) => {
    const name = withoutMarkdownExtension(part).replace(/[_ ]/g, "-");
    return PAST.test(name) || (isTheirs && ONCE.test(name)) || namesThePast(name);
  });
}

/** Whether what has this name holds what is done, or what was. */
function namesThePast(name: string): boolean {
  const words = fold(name).replace(/[\s_]+/g, "-");
  return HISTORY.test(words) || VERSION.test(words) || isClosed(normalizeStatus(name)) || OLD().test(name);
}

const DONE = once(() => new Set(inAnyLanguage(({ session }) => session.done).map(labelKey)));

/** Words with which a line says itself that what it names is old. */
const OLD = once(() => {
  const words = oneOf(({ past, labels: { supersedes }, standings: { superseded, deprecated, obsolete } }) =>
    [past, supersedes, superseded, deprecated, obsolete].filter((word) => word !== "").join(", "),
  );
  return new RegExp(`(?<![\\p{Script=Latin}/._-])${words}(?![\\p{Script=Latin}/._-])`, "iu");
});
/** As Logseq ticks an item. */
const TICKED = /^(?:DONE|CANCELL?ED)\s/;
const LIST_MARK = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** Whether a line or sentence tells what was: of a day, of a step that is done or dropped, or one that says itself that it does. */
export function tellsThePast(line: string): boolean {
  const said = line.replace(LIST_MARK, "");
  const box = boxAt(said);
  return box?.isDone || box?.isDropped || TICKED.test(said) || OLD().test(line) || dayOfLine(line) !== null;
}

/** Where the lines start that stand under one that tells what was: a heading, an item, what leads into a list, the head of a table. */
export function underThePast(text: string, from: number): Set<number> {
  const found = new Set<number>();
  const above: { rank: number; isPast: boolean }[] = [];
  for (const line of eachMarkdownLine(text, from)) {
    if (line.kind === "blank" || line.region !== "text") continue;
    const heading = line.depth === 0 ? headingAt(text, line) : null;
    const rank = heading?.level ?? rankOf(line);
    while ((above.at(-1)?.rank ?? 0) >= rank) above.pop();
    if (above.some(({ isPast }) => isPast)) found.add(line.start);
    above.push({ rank, isPast: heading === null ? leadsIntoPast(text, line) : isOfThen(heading.text) });
  }
  return found;
}

/** Behind the six levels of headings: what leads in, items and heads of tables by their indentation, and rows. */
const [LEAD, ITEM, ROW] = [7, 8, 8.5];

function rankOf({ kind, beginsItem, text }: MarkdownLine): number {
  const indent = text.search(/\S/);
  if (kind === "row" || kind === "delimiter") return ROW;
  return beginsItem || indent > 0 || text.startsWith("|") ? ITEM + indent : LEAD;
}

function leadsIntoPast(text: string, { beginsItem, at, end, blockStart }: MarkdownLine): boolean {
  const said = text.slice(at, end);
  if (beginsItem) return tellsThePast(said);
  return (/[:：]\s*$/.test(said) || said.startsWith("|")) && OLD().test(text.slice(blockStart, end));
}

function isOfThen(heading: string): boolean {
  return namesThePast(heading) || DONE().has(labelKey(heading)) || dayOfLine(heading) !== null;
}
