import { isMarkdown, pathKey, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { eachLink, type Link as MarkdownLink } from "../../markdown/links.ts";
import { eachPropertyLink, type Scalar } from "../../markdown/property-links.ts";
import type { DocumentFacts } from "../document.ts";
import { baseName } from "../names.ts";
import { taskKeys } from "../task/dependencies.ts";
import { type Dependency, findDependencies } from "../task/task.ts";

/** A link of a document, or the plain name or number of a task under its dependencies. */
export interface Link extends Omit<MarkdownLink, "kind"> {
  kind: MarkdownLink["kind"] | "dependency";
  /** The task that a link under the dependencies names. */
  task?: string;
  /** The value of frontmatter that it stands in. */
  scalar?: Scalar;
}

/** A link as the index stores it. */
export interface LinkRow extends Pick<Link, "kind" | "path"> {
  /** A key of the documents that it may lead to. */
  name: string;
}

/** Links of one document. */
export const MAX_LINK_ROWS = 5_000;
const MAY_LEAD_TO_DOCUMENTS = /\[\[|\.m(?:d|arkdown)/i;

/** The links of a document in order, the dependencies of a task included. */
export function documentLinks(
  text: string,
  { bodyOffset, task }: Pick<DocumentFacts, "bodyOffset" | "task">,
): Link[] {
  const links: Link[] = [...eachPropertyLink(text, bodyOffset), ...eachLink(text, bodyOffset)].sort(byStart);
  if (task === null) return links;
  const plain: Link[] = [];
  let at = 0;
  for (const dependency of findDependencies(text, bodyOffset)) {
    while ((links[at]?.end ?? Infinity) <= dependency.start) at++;
    const link = links[at];
    if (link !== undefined && link.start < dependency.start + dependency.text.length)
      link.task = dependency.reference;
    else plain.push(...plainDependency(dependency));
  }
  return [...links, ...plain].sort(byStart);
}

function byStart(a: Link, b: Link): number {
  return a.start - b.start;
}

function plainDependency({ text, start, reference }: Dependency): Link[] {
  const at = text.lastIndexOf(reference);
  if (at === -1) return []; // With emphasis inside.
  const [from, to] = [start + at, start + at + reference.length];
  const target = { start: from, end: to, text: reference };
  return [{ kind: "dependency", start: from, end: to, target, path: reference, anchor: null, label: "" }];
}

/** What the index stores of a document's links: those that may lead to another document, each target once. */
export function linkRows(text: string, { bodyOffset, task }: Pick<DocumentFacts, "bodyOffset" | "task">) {
  const rows = new Map<string, LinkRow>();
  // Most texts with links have none to documents.
  for (const { kind, path } of MAY_LEAD_TO_DOCUMENTS.test(text)
    ? [...eachPropertyLink(text, bodyOffset), ...eachLink(text, bodyOffset)]
    : []) {
    if (rows.size === MAX_LINK_ROWS) break;
    const isNamed = kind === "wiki" || kind === "embed";
    if (path === "" || !(isNamed || isMarkdown(path))) continue;
    rows.set(`${isNamed} ${path}`, { kind, path, name: nameKey(path) });
  }
  for (const path of task?.dependencies ?? []) {
    const [name, number = name] = taskKeys(path);
    rows.set(`task ${path}`, { kind: "dependency", path, name: number });
  }
  return [...rows.values()];
}

/** The keys of the rows of links that may lead to a document. */
export function linkNames(path: string): string[] {
  return [...new Set([nameKey(path), ...taskKeys(path)])];
}

/** The name of a document for links, which ignore case and Unicode composition: `flow` for `assets/Flow.md`. */
export function nameKey(path: string): string {
  return pathKey(withoutMarkdownExtension(baseName(path)));
}
