import { groupBy } from "../../lib/collections.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { compareText } from "../../lib/text.ts";
import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { boxAt } from "../../markdown/box.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { trackedHeadings } from "../../markdown/headings.ts";
import { describeDocument, locateDocument } from "../../notes/document.ts";
import { baseName } from "../../notes/names.ts";
import { listDecisions } from "../../notes/project/decisions.ts";
import { quoteBlock, quotePath } from "../../notes/quote.ts";
import { repositoryFile } from "../../notes/repository-path.ts";
import { shorten } from "../../notes/short-text.ts";
import { afterFirst } from "../find/own-path.ts";
import type { Workspace } from "../workspace.ts";
import { recentDecisions } from "./decisions.ts";
import { documentIn, type Facts, isDecisionRecord, recentIn } from "./facts.ts";
import type { Section } from "./fit.ts";
import { OVERVIEW } from "./overview.ts";

/** A document of a project that has no tasks, plans and sessions yet: a note, or a file of its repository. */
interface Page {
  path: string;
  /** Without its project. */
  file: string;
  /** With its frontmatter. */
  whole(): string;
  text(): string;
}

/** What says first what a project is, in this order. */
const FRONT = /^(?:readme|index|home|project-?brief|active-?context)$/i;
const TO_DO = /^(?:readme|to-?do|roadmap|backlog|progress|tasks?|active-?context)$/i;
const MOST = { front: 3, folders: 12, records: 15, decisions: 5, toDo: 10, boxes: 8 };
const MAX_CHARS = { front: 700, decision: 300, box: 160 };
/** A row of badges or links is no sentence. */
const LEAST_WORDS = 4;

type Open = (sections: readonly Section[]) => readonly Section[];

/** The sections of a project that has documents, and no work yet, open with what these say; nothing says what is missing. Others stay. */
export async function opening(workspace: Workspace, facts: Facts): Promise<Open> {
  const { allTasks, sessions } = facts;
  const hasWork = allTasks.length > 0 || sessions.length > 0 || recentIn(facts, "plans").length > 0;
  const pages = hasWork ? [] : await pagesOf(workspace, facts);
  if (pages.length === 0) return (sections) => sections;
  const own = [
    frontSection(pages),
    foldersSection(facts, pages),
    decisionsOf(facts, pages),
    openSection(pages),
  ];
  return (sections) => {
    const at = sections.findIndex(({ title }) => title === OVERVIEW);
    return sections.toSpliced(at, 0, ...own).filter(({ body }) => body !== "");
  };
}

async function pagesOf(workspace: Workspace, facts: Facts): Promise<Page[]> {
  const { project, documents, read } = facts;
  const status = documentIn(facts, "", "status.md");
  const notes = [...documents.values()].filter(({ path }) => path !== status?.path);
  const theirs = workspace.documentsOf(project);
  const textOf = theirs?.textReader();
  const files = (await theirs?.scan())?.files ?? [];
  const pageOf = (path: string, read: () => string): Page => {
    const file = repositoryFile(path)?.file ?? afterFirst(path);
    return { path, file, whole: read, text: () => body(read()) };
  };
  return [
    ...notes.map(({ path }) => pageOf(path, () => read(path)?.text ?? "")),
    ...files.map(({ path }) => pageOf(path, () => textOf?.(path) ?? "")),
  ];
}

function body(text: string): string {
  return text.slice(parseFrontmatter(text).bodyOffset);
}

/** Those at the top first. */
function named(pages: readonly Page[], pattern: RegExp): Page[] {
  const depth = ({ file }: Page) => file.split("/").length;
  const found = pages.filter(({ file }) => pattern.test(withoutMarkdownExtension(baseName(file))));
  return found.sort((a, b) => depth(a) - depth(b) || compareText(b.file, a.file));
}

function frontSection(pages: readonly Page[]): Section {
  const found = groupBy(named(pages, FRONT), ({ file }) => baseName(file).toLowerCase());
  const items = [...found.values()].flatMap(([page]) => {
    if (page === undefined) return [];
    const text = firstParagraph(page.text());
    return text === "" ? [] : [from(page, shorten(text, MAX_CHARS.front))];
  });
  return section("About", items.slice(0, MOST.front), 13);
}

function firstParagraph(text: string): string {
  const paragraphs: string[] = [];
  for (const { kind, depth, text: line } of eachMarkdownLine(text)) {
    const words = line.replace(/!?\[[^\]]*\]\([^)]*\)|<[^>]*>/g, "").match(/\p{L}+/gu)?.length ?? 0;
    if (kind === "paragraph" && depth === 0 && words >= LEAST_WORDS) paragraphs.push(line);
    else if (kind === "continuation" && paragraphs.length > 0) paragraphs.push(line);
    else if (paragraphs.length > 0) break;
  }
  return paragraphs.join("\n");
}

function foldersSection({ project }: Facts, pages: readonly Page[]): Section {
  const folderOf = ({ path }: Page) => path.slice(0, path.length - baseName(path).length);
  const folders = [...groupBy(pages, folderOf)].sort(([, a], [, b]) => b.length - a.length);
  const lines = folders
    .slice(0, MOST.folders)
    .map(([folder, { length }]) => `- ${folder === "" ? "the root" : quotePath(folder)}: ${length}`);
  const more = folders.length - lines.length;
  const rest = `search finds what they say; list_projects with project ${quotePath(project)} names all. Hidden files and other formats than Markdown are not served.`;
  return section(
    "Documents",
    [[...lines, ...(more > 0 ? [`- … and ${more} more folders`] : []), "", rest].join("\n")],
    5,
  );
}

/** Of records of decisions that are not quoted otherwise the last ones, by their names. */
function decisionsOf(facts: Facts, pages: readonly Page[]): Section {
  const quoted = new Set(recentDecisions(facts).map(({ path }) => path));
  const records = pages.filter(({ file, path }) => isDecisionRecord(file) && !quoted.has(path));
  const newest = records.sort((a, b) => compareText(baseName(b.file), baseName(a.file)));
  const inForce = newest.slice(0, MOST.records).filter(({ path, whole }) => {
    const location = locateDocument(path);
    return location && describeDocument(location, whole()).standing?.word !== "superseded";
  });
  const items = inForce.slice(0, MOST.decisions).map((page) => {
    const text = page.text();
    const [heading] = trackedHeadings(text);
    const title = heading?.text ?? baseName(page.file);
    const [decision] = listDecisions(text, "");
    return from(page, shorten(`${title}\n${decision?.text ?? ""}`.trimEnd(), MAX_CHARS.decision));
  });
  return section("Decisions of the Documents", items, 12);
}

function openSection(pages: readonly Page[]): Section {
  let room = MOST.boxes;
  const items = named(pages, TO_DO)
    .slice(0, MOST.toDo)
    .flatMap((page) => {
      const text = page.text();
      const open = [...eachMarkdownLine(text)].flatMap(({ beginsItem, at, end }) => {
        const content = text.slice(at, end).trimEnd();
        const box = beginsItem ? boxAt(content) : null;
        return box === null || box.isDone || box.isDropped ? [] : [`- ${shorten(content, MAX_CHARS.box)}`];
      });
      const shown = open.slice(0, room);
      room -= shown.length;
      return shown.length === 0 ? [] : [from(page, shown.join("\n"))];
    });
  return section("Open Boxes", items, 11);
}

function from({ path }: Page, text: string): string {
  return `From ${quotePath(path)}:\n${quoteBlock(text)}`;
}

function section(title: string, items: readonly string[], rank: number): Section {
  return { title, body: items.join("\n\n"), rank, rest: "" };
}
