import { isMarkdown, pathKey, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { dirname, joinPath, relativePath } from "../../lib/paths.ts";
import { encodeDestination, escapeLabel } from "../../markdown/links.ts";
import { encodeIn } from "../../markdown/property-links.ts";
import type { DocumentFacts } from "../document.ts";
import { baseName, parseTaskNumber, projectOf } from "../names.ts";
import { localReference, taskKeys } from "../task/dependencies.ts";
import { isOneItem, taskReference } from "../task/reference.ts";
import { documentLinks, type Link, MAX_LINK_ROWS } from "./links.ts";
import { isWiki, type Lookup, resolveLink } from "./target.ts";

/** Where documents are before and after a move. */
export interface Move {
  before: Lookup;
  after: Lookup;
  /** The new path of a document; its old one if it stays. */
  newPath(path: string): string;
  /** Whether a path leads to a file or folder. */
  exists(path: string): boolean;
  /** Whether the files were moved before: then links that lead to something stay. */
  isRepair: boolean;
}

/** A document with links, by its path before the move. */
export interface LinkSource {
  path: string;
  text: string;
  facts: Pick<DocumentFacts, "bodyOffset" | "task">;
}

/** What replaces `[start, end)`, a part of `link`. */
export interface LinkEdit {
  start: number;
  end: number;
  text: string;
  link: Link;
}

type LinkTo = Pick<Link, "kind" | "path" | "task">;

/** A link whose target is at `target` before the move and at `wanted` after it, seen from `from` and from `to`. */
interface Broken<L extends LinkTo = LinkTo> {
  link: L;
  from: string;
  to: string;
  target: string;
  wanted: string;
}

/** The edits, in order, after which all links of a document lead where they led before the move. */
export function linkEdits({ path: from, text, facts }: LinkSource, move: Move): LinkEdit[] {
  const to = move.newPath(from);
  const after = new Map<string, string | null>();
  const placeAfter = (link: LinkTo) =>
    rememberIn(after, targetKey(link), () => placeOf(to, link, move.after, move));
  const known = new Map<string, Replacements | null>();
  const rewrites: Rewrite[] = [];
  for (const link of documentLinks(text, facts)) {
    const key = targetKey(link);
    if (known.size === MAX_TARGETS && !known.has(key)) continue;
    const found = rememberIn(known, key, () => replacementsFor(move, from, link, placeAfter));
    if (found === null) continue;
    const broken = { ...found.broken, link };
    const edits = found.paths.map((path) => targetEdit(link, path, text));
    const all = [...edits, ...lastResorts(broken, text)].flatMap((edit) => inValue(edit, text));
    const { wanted } = broken;
    const isDependency = link.kind === "dependency" || link.task !== undefined;
    rewrites.push({ wanted, edits: isDependency ? wholeFirst(all, wanted, text) : all });
  }
  return rewrites.length === 0 ? [] : effectiveEdits({ text, facts }, rewrites, placeAfter);
}

/** Links of one kind, with one path, lead to one place. */
function targetKey({ kind, path, task = "" }: LinkTo): string {
  return `${kind}\n${path}\n${task}`;
}

function rememberIn<V>(known: Map<string, V>, key: string, make: () => V): V {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as V;
}

/** What may replace the path of a broken link, best first. */
interface Replacements {
  broken: Broken;
  paths: string[];
}

function replacementsFor(
  move: Move,
  from: string,
  link: LinkTo,
  placeAfter: (link: LinkTo) => string | null,
): Replacements | null {
  const broken = brokenBy(move, from, link);
  if (broken === null) return null;
  const works = (path: string) => placeAfter(withPath(link, path)) === broken.wanted;
  return { broken, paths: pathsFor(broken).filter(works) };
}

/** What a move does to a link of the document that is at `from` before it; null if the link may stay. */
export function brokenBy(move: Move, from: string, link: LinkTo): Broken | null {
  const target = placeOf(from, link, move.before, move);
  if (target === null) return null;
  const broken = { link, from, to: move.newPath(from), target, wanted: move.newPath(target) };
  return isBroken(broken, move) ? broken : null;
}

/** The document or the other file that a link leads to; null for a broken one. */
function placeOf(
  source: string,
  link: LinkTo,
  lookup: Lookup,
  { exists }: Pick<Move, "exists">,
): string | null {
  const target = resolveLink(source, link, lookup);
  if (target.kind === "document") return target.path;
  if (target.kind !== "elsewhere") return null;
  const inside = target.paths.map((path) => path.replace(/\/$/, "")).find(exists);
  if (inside !== undefined) return inside;
  // Outside the workspace only the way there is known.
  const outside = link.path.startsWith("/") ? "" : joinPath(dirname(source), link.path);
  return isOutside(outside) ? outside.replace(/\/$/, "") : null;
}

/** A link under the dependencies may also lead there as the name of a task: what it says has to do without. */
function withPath({ kind }: LinkTo, path: string): LinkTo {
  return { kind, path };
}

function isBroken(broken: Broken, move: Move): boolean {
  const { link, from, to, target, wanted } = broken;
  const [name] = taskKeys(localReference(link.path, projectOf(from)));
  const hasName = (task: string) => taskKeys(task)[0] === name;
  if (link.kind === "dependency" && hasName(target) && !hasName(wanted)) return true;
  if (needsProject(broken)) return true;
  const plain = withPath(link, link.path);
  const isPlain = placeOf(from, plain, move.before, move) === target;
  const now = placeOf(to, isPlain ? plain : link, move.after, move);
  return now !== wanted && !(move.isRepair && now !== null && (!isOutside(now) || isOutside(wanted)));
}

function isOutside(place: string): boolean {
  return place.startsWith("../");
}

/** Whether the bare name of a task that goes to another project stands under the dependencies, where it means the own project. */
function needsProject({ link, from, to, target, wanted }: Broken): boolean {
  const isBare = link.task !== undefined && isWiki(link.kind) && !link.path.includes("/");
  return isBare && projectOf(from) === projectOf(target) && projectOf(to) !== projectOf(wanted);
}

/** The paths that may replace that of a link, best first: as it is written, then safer ones. */
function pathsFor(broken: Broken): string[] {
  const { link, from, to, target, wanted } = broken;
  const { kind, path } = link;
  if (kind === "dependency") return taskNames(path, wanted);
  const key = pathKey(withoutMarkdownExtension(path));
  const style = forms(from, target, kind).findIndex(
    (form) => form !== null && pathKey(withoutMarkdownExtension(form)) === key,
  );
  const all = forms(to, wanted, kind);
  if (link.task !== undefined && projectOf(to) !== projectOf(wanted)) all[FORMS.name] = null;
  const paths = [style === -1 ? guessStyle(path, kind) : style, ...SAFER].flatMap((at) => all[at] ?? []);
  const slash = path.endsWith("/") ? "/" : "";
  const written = isWiki(kind) && !isMarkdown(path) ? paths.map(withoutMarkdownExtension) : [];
  return [...new Set([...written, ...paths])].map((form) => form + slash);
}

/** A number stays a number. */
function taskNames(reference: string, wanted: string): string[] {
  const name = withoutMarkdownExtension(baseName(wanted));
  const number = /^\d+$/.test(reference) ? parseTaskNumber(name) : null;
  return number === null ? [name] : [String(Number(number)).padStart(reference.length, "0"), name];
}

/** Links of one document, as many as the index has. */
const MAX_TARGETS = MAX_LINK_ROWS;
const FORMS = { name: 0, inProject: 1, inRoot: 2, relative: 3, dotted: 4, fromProject: 5, fromRoot: 6 };
const SAFER = [FORMS.inProject, FORMS.inRoot, FORMS.relative, FORMS.fromRoot, FORMS.dotted];

/** The path of a document or file in all forms that a link in `source` may have, in the order of FORMS. */
function forms(source: string, path: string, kind: Link["kind"]): (string | null)[] {
  const project = `${projectOf(source)}/`;
  const inProject = path.startsWith(project) ? path.slice(project.length) : null;
  const way = relativePath(dirname(source), path) || ".";
  return [
    ...(isWiki(kind) ? [baseName(path), inProject, path] : [null, null, null]),
    way,
    way === "." || way.startsWith("../") ? way : `./${way}`,
    inProject && `/${inProject}`,
    `/${path}`,
  ];
}

function guessStyle(path: string, kind: Link["kind"]): number {
  if (path.startsWith("/")) return FORMS.fromProject;
  if (path.startsWith(".")) return FORMS.dotted;
  if (!isWiki(kind)) return FORMS.relative;
  return path.includes("/") ? FORMS.inProject : FORMS.name;
}

function targetEdit(link: Link, path: string, text: string): LinkEdit {
  const { start, end } = link.target;
  const isWritten = isWiki(link.kind) || link.kind === "dependency";
  return {
    start,
    end,
    text: isWritten ? path : encodeDestination(path, link.target.text, text[start - 1] === "<"),
    link,
  };
}

/** An edit in frontmatter, as the quotes around it need it; a value without quotes that is nothing but the link gets some. */
function inValue(edit: LinkEdit, text: string): LinkEdit[] {
  const { start, end, link } = edit;
  const { scalar } = link;
  if (scalar === undefined) return [edit];
  const written = encodeIn(scalar, edit.text);
  if (written !== null) return [{ ...edit, text: written }];
  if (scalar.start !== link.start || scalar.end !== link.end) return [];
  const value = text.slice(link.start, start) + edit.text + text.slice(end, link.end);
  return [{ start: link.start, end: link.end, link, text: JSON.stringify(value) }];
}

/** For names that a wikilink cannot hold, and for tasks of other projects. */
function lastResorts({ link, to, wanted }: Broken<Link>, text: string): LinkEdit[] {
  const { kind, target, anchor } = link;
  const name = withoutMarkdownExtension(wanted);
  if (kind === "dependency") {
    let { start, end } = target;
    while (/[\p{L}\p{N}._/#`-]/u.test(text[start - 1] ?? "")) start--;
    while (/[\p{L}\p{N}._/`-]/u.test(text[end] ?? "")) end++;
    const place = { start, end, link };
    const wiki = [name, `/${name}`].map((path) => ({ ...place, text: `[[${path}]]` }));
    return [...wiki, { ...place, text: markdownLink(baseName(name), { to, wanted, kind }) }];
  }
  if (!isWiki(kind)) return [];
  const written = markdownLink(link.label || baseName(name), { to, wanted, kind }, anchor);
  const { start, end } = link;
  return [{ start, end, text: (kind === "embed" ? "!" : "") + written, link }];
}

function markdownLink(
  label: string,
  { to, wanted, kind }: Pick<Broken, "to" | "wanted"> & Pick<Link, "kind">,
  anchor: string | null = null,
): string {
  const path = encodeDestination(forms(to, wanted, kind)[FORMS.dotted] ?? wanted);
  const hash = anchor === null ? "" : `#${encodeDestination(anchor)}`;
  return `[${escapeLabel(label)}](${path}${hash})`;
}

/** The edits of a dependency that keep it one item, first those that keep the whole name. */
function wholeFirst(edits: LinkEdit[], wanted: string, text: string): LinkEdit[] {
  const name = withoutMarkdownExtension(baseName(wanted));
  const kept = edits.map((edit) => ({ edit, form: editedLink(edit, text).after }));
  const ones = kept.filter(({ form }) => isOneItem(form));
  const isWhole = ({ form }: { form: string }) =>
    /^\d+$/.test(form) || baseName(taskReference(form)) === name;
  return [...ones.filter(isWhole), ...ones.filter((one) => !isWhole(one))].map(({ edit }) => edit);
}

/** A link and what an edit makes of it. */
export function editedLink({ link, start, end, text: inserted }: LinkEdit, text: string) {
  const from = Math.min(start, link.start);
  const before = text.slice(from, Math.max(end, link.end));
  const after = applyEdits(before, [{ start: start - from, end: end - from, text: inserted }]);
  return { start: from, before, after };
}

interface Rewrite {
  wanted: string;
  /** Best first. */
  edits: LinkEdit[];
}

/** For each link the first edit that leads where it should once all are made: a name may end a link, or begin code. */
function effectiveEdits(
  { text, facts }: Pick<LinkSource, "text" | "facts">,
  rewrites: readonly Rewrite[],
  placeAfter: (link: LinkTo) => string | null,
): LinkEdit[] {
  for (let left = rewrites; ; ) {
    // A link may be the label of another one, whose target is behind it.
    const edits = left.flatMap((one) => one.edits.slice(0, 1)).sort((a, b) => a.start - b.start);
    const bodyOffset = offsetsAfter(edits)(facts.bodyOffset);
    const edited = documentLinks(applyEdits(text, edits), { ...facts, bodyOffset });
    const links = new Map(edited.map((link) => [link.start, link]));
    const newOffset = offsetsAfter(edits);
    const isMade = ({ wanted, edits: [edit] }: Rewrite) => {
      if (edit === undefined) return true;
      const at = newOffset(Math.min(edit.start, edit.link.start));
      // It may have got quotes.
      const link = links.get(at) ?? (edit.link.scalar && links.get(at + 1));
      return link !== undefined && placeAfter(link) === wanted;
    };
    const next = left.map((one) => (isMade(one) ? one : { ...one, edits: one.edits.slice(1) }));
    if (next.every((one, at) => one === left[at])) return edits;
    left = next;
  }
}

/** Where a place of the text is once the edits are made, for places in order. */
function offsetsAfter(edits: readonly LinkEdit[]): (offset: number) => number {
  let [at, shift] = [0, 0];
  return (offset) => {
    for (let edit = edits[at]; edit !== undefined && edit.end <= offset; edit = edits[++at])
      shift += edit.text.length - (edit.end - edit.start);
    return offset + shift;
  };
}

/** The edits must be in order. */
export function applyEdits(text: string, edits: readonly Omit<LinkEdit, "link">[]): string {
  let [edited, from] = ["", 0];
  for (const { start, end, text: replacement } of edits) {
    edited += text.slice(from, start) + replacement;
    from = end;
  }
  return edited + text.slice(from);
}
