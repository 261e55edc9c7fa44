import { remember } from "../lib/collections.ts";
import { escapeName } from "../lib/escape.ts";
import { isMarkdown } from "../lib/file-names.ts";
import { dirname, joinPath } from "../lib/paths.ts";
import { eachLine } from "../markdown/lines.ts";
import type { DocumentFacts } from "../notes/document.ts";
import { baseName, isStandardFolder } from "../notes/names.ts";
import type { CodeIndex, Fate } from "./code.ts";
import type { Lines } from "./read-lines.ts";
import { pathsAtAGlance, type Reference, referencesIn } from "./references.ts";
import { lineTellsThePast, tellsThePast } from "./told.ts";

/** A repository, as a document in it or a note about it sees it; paths in it are relative to its top. */
export interface KnownCode {
  index: CodeIndex;
  /** Where the document is in it; undefined for notes elsewhere. */
  at: string | undefined;
  /** The folder in it that the notes are about, `""` for all of it. */
  about: string;
  /** Whether a path is on the disk, there or among the notes. */
  isOnDisk: (path: string) => boolean;
  /** Of a document in it; undefined if they are not known yet. */
  lines: () => Lines | undefined;
}

interface Naming {
  path: string;
  text: string;
  facts: Pick<DocumentFacts, "status" | "bodyOffset">;
}

/** A path that a line names, and that is not there any more. */
interface Lost {
  line: number;
  kind: "gone" | "moved";
  says: string;
  since: string;
}

const MAX_NAME = 120;

/** Whether a text may name what is not there any more: most do not, and need no closer look. */
export function mayName(text: string, index: CodeIndex): boolean {
  return pathsAtAGlance(text).some((path) => {
    const end = path.replace(/^(?:\.{1,2}\/)+|\/$/g, "");
    return index.hasLeft(baseName(end)) && !index.isThere(end) && !index.hasEnd(end);
  });
}

/** What a document names that is not there any more, in the order of its lines. */
export function lostReferences({ path, text, facts }: Naming, code: KnownCode): Lost[] {
  if (tellsThePast({ path, facts })) return [];
  const fateOf = remember((key: string) => fateOfReference(JSON.parse(key), code));
  const found = new Map<string, Lost>();
  const lines = [...eachLine(text)];
  for (const { line, ...reference } of referencesIn(text, facts.bodyOffset)) {
    const fate = fateOf(JSON.stringify(reference));
    const said = lines[line - 1]?.text ?? "";
    if (fate === undefined || lineTellsThePast(said, fate.to) || !wasTrue(reference, fate, { said, code }))
      continue;
    const kind = fate.to === undefined ? "gone" : "moved";
    const says = sentence(reference.path, fate);
    found.set(`${line} ${says}`, { line, kind, says, since: fate.day });
  }
  return [...found.values()];
}

function sentence(path: string, { day, commit, to }: Fate): string {
  const name = `\`${escapeName(path, MAX_NAME)}\` is gone since ${day}`;
  return to === undefined
    ? `${name} (commit ${commit.slice(0, 9)})`
    : `${name}; now \`${escapeName(to, MAX_NAME)}\``;
}

type Named = Omit<Reference, "line">;

/** What became of what a document names; undefined if it is there, or never was. */
function fateOfReference(reference: Named, code: KnownCode): Fate | undefined {
  const { index } = code;
  const places = placesOf(reference, code);
  const end = endOf(reference);
  if (places.some((place) => index.isThere(place)) || (end !== "" && index.hasEnd(end))) return undefined;
  const fates = places.map((place) => index.fate(place) ?? index.fateOfFolder(place));
  const isWhole = end.includes("/");
  const fate = fates.find((one) => one !== undefined) ?? (isWhole ? index.fateOfEnd(end) : undefined);
  return fate === undefined || [...places, fate.path].some(code.isOnDisk) ? undefined : fate;
}

/** Where a path may lead: from the document's own folder, then from that of the project, and from the top. */
function placesOf({ path, isLink }: Named, { at, about }: KnownCode): string[] {
  const isNote = at === undefined && isMarkdown(path) && isStandardFolder(path.split("/", 1)[0] ?? "");
  if (isNote) return [];
  const own = at === undefined ? [] : [dirname(at).replace(/^\.$/, "")];
  const isOwn = /^\.{1,2}\//.test(path) || (at !== undefined && (isLink || isBare(path)));
  const bases = isOwn ? own : [...own, about, ""];
  const places = bases.map((base) => joinPath(base, path).replace(/\/$/, ""));
  return [...new Set(places)].filter((place) => !/^(?:\.{1,2}$|\.\.\/|\/)/.test(place));
}

function isBare(path: string): boolean {
  return !/\/./.test(path);
}

/** How the path of a file may end that is named by less than its whole path; `""` for a folder, and for a link. */
function endOf({ path, isLink }: Named): string {
  return !isLink && /^(?!\.{1,2}\/).*[^/]\.\w+$/.test(path) ? path : "";
}

/** Whether a line of a document in the repository was right once: it tells what was if the commit that wrote it took away what it names. A bare name may mean anything if nothing was called so when the line was written. */
function wasTrue(
  { path }: Named,
  { commit, time }: Fate,
  { said, code }: { said: string; code: KnownCode },
): boolean {
  if (code.at === undefined) return true;
  const lines = code.lines();
  if (lines === undefined) return false;
  const origin = lines.get(said);
  if (isBare(path)) return origin !== undefined && origin.time < time;
  return origin?.commit !== commit;
}
