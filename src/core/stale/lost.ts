import { once } from "../lib/collections.ts";
import { escapeName } from "../lib/escape.ts";
import { isMarkdown } from "../lib/file-names.ts";
import { dirname, joinPath } from "../lib/paths.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { eachLine } from "../markdown/lines.ts";
import type { DocumentFacts } from "../notes/document.ts";
import { baseName, isStandardFolder } from "../notes/names.ts";
import type { CodeIndex, Left } from "./code.ts";
import type { Lines } from "./read-code.ts";
import { type Reference, referencesIn } from "./references.ts";
import { isOfThePast, isOver, tellsThePast, underThePast } from "./told.ts";

/** Something in a document that no longer holds. */
export interface Evidence {
  /** From 1, in the document. */
  line: number;
  /** One short sentence, for an agent or a person. */
  says: string;
}

/** A path that a line names, and that the history had and has no more. */
export interface Lost extends Evidence {
  /** The whole line. */
  said: string;
  fate: Left;
  /** Where it is said to be; a file there is not lost, whatever git knows of it. */
  places: string[];
  /** Without a folder, it may mean anything. */
  isBare: boolean;
}

/** Paths of a repository, relative to its top. */
export interface Place {
  /** Of the document, if it is in the repository. */
  at: string | undefined;
  /** Of the folder that the notes are about, `""` for all of it. */
  about: string;
}

const MAX_NAME = 120;
const GLANCE = /`([^`\n]{1,300})`|\](?:\(|:[ \t]*)<?([^)\s>]{1,300})/g;

/** What a document names that the history of a repository had, in the order of its lines; `describe` is asked only if there is something. */
export function lostReferences(
  { path, text, describe }: { path: string; text: string; describe: () => DocumentFacts },
  index: CodeIndex,
  place: Place,
): Lost[] {
  if (isOfThePast(path) || !mayName(text, index)) return [];
  const { bodyOffset } = parseFrontmatter(text);
  const lines = once(() => [...eachLine(text)]);
  const past = once(() => underThePast(text, bodyOffset));
  const found = new Map<string, Lost>();
  for (const reference of referencesIn(text, bodyOffset)) {
    const { line, path: named, sentence: around } = reference;
    const places = placesOf(reference, place);
    const fate = fateOf(reference, places, index);
    const { text: said, start } = (fate && lines()[line - 1]) ?? {};
    if (fate === undefined || said === undefined || start === undefined) continue;
    const isKnown = fate.to !== undefined && `${said}${around}`.includes(fate.to);
    if (isKnown || [said, around].some(tellsThePast) || past().has(start)) continue;
    const says = sentence(named, fate);
    found.set(`${line} ${says}`, { line, says, said, fate, places, isBare: isBare(named) });
  }
  const facts = found.size === 0 ? undefined : describe();
  if (facts === undefined || isOver(facts)) return [];
  return [...found.values()].filter(({ fate }) => fate.day > (facts.confirmed ?? ""));
}

/** Whether a text may name what left: most do not, and need no closer look. */
function mayName(text: string, index: CodeIndex): boolean {
  const said = [...text.matchAll(GLANCE)].flatMap(([, span, link = ""]) =>
    (span ?? link).replaceAll("\\", "/").split(/\s/),
  );
  return said.some((one) => index.hasLeft(baseName(one.replace(/[:#].*|\/$/g, ""))));
}

function sentence(path: string, { day, commit, to }: Left): string {
  const name = `\`${escapeName(path, MAX_NAME)}\` is gone since ${day}`;
  return to === undefined
    ? `${name} (commit ${commit.slice(0, 9)})`
    : `${name}; now \`${escapeName(to, MAX_NAME)}\``;
}

/** What became of what a document names; undefined if it is there, or never was. */
function fateOf(reference: Reference, places: readonly string[], index: CodeIndex): Left | undefined {
  const end = endOf(reference);
  if (places.some(index.isThere) || (end !== "" && index.hasEnd(end))) return undefined;
  const fate = places.map(index.fate).find((one) => one !== undefined);
  return fate ?? (end.includes("/") ? index.fateOfEnd(end) : undefined);
}

/** Where a path may lead: from the document's own folder, then from that of the project, and from the top. */
function placesOf({ path, isLink }: Reference, { at, about }: Place): string[] {
  const isNote = at === undefined && isMarkdown(path) && isStandardFolder(path.split("/", 1)[0] ?? "");
  if (isNote) return [];
  const own = at === undefined ? [] : [dirname(at).replace(/^\.$/, "")];
  const isOwn =
    path.startsWith("../") || (at !== undefined && (isLink || isBare(path) || path.startsWith("./")));
  const bases = isOwn ? own : [...own, about, ""];
  const places = bases.map((base) => joinPath(base, path).replace(/\/$/, ""));
  return [...new Set(places)].filter((place) => !/^(?:\.{1,2}$|\.\.\/|\/)/.test(place));
}

function isBare(path: string): boolean {
  return !/\/./.test(path);
}

/** How the path of a file may end that is named by less than its whole path; `""` for a folder, and for a link. */
function endOf({ path, isLink }: Reference): string {
  return !isLink && /^(?!\.{1,2}\/).*[^/]\.\w+$/.test(path) ? path : "";
}

/**
 * Whether a line of a document in the repository was right once: it tells what was if the commit that wrote it took away what it
 * names. A bare name may mean anything if nothing was called so when the line was written.
 */
export function wasTrue({ said, fate, isBare }: Lost, lines: Lines): boolean {
  const origin = lines.get(said);
  return isBare ? origin !== undefined && origin.time < fate.time : origin?.commit !== fate.commit;
}
