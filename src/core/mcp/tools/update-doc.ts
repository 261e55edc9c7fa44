import * as z from "zod";
import { localDate } from "../../lib/clock.ts";
import { UserError } from "../../lib/errors.ts";
import { renderHeading } from "../../markdown/embed.ts";
import { replaceBody } from "../../markdown/frontmatter-edit.ts";
import { parseAtxHeading } from "../../markdown/headings.ts";
import { appendToSection, appendToText, replaceSection } from "../../markdown/section-edit.ts";
import { fieldsOf } from "../../notes/field-names.ts";
import { shortHash } from "../../notes/hash.ts";
import { projectOf } from "../../notes/names.ts";
import { setKeys } from "../../notes/set-fields.ts";
import { tagsLeftHint } from "../../notes/tags.ts";
import { checkHash, saveDocument } from "../../workspace/change/documents.ts";
import { type DocumentName, findDocument } from "../../workspace/find/document.ts";
import { headingIn } from "../../workspace/find/own-path.ts";
import { type Document, readDocument } from "../../workspace/read.ts";
import { ADDED_BEFORE, type Again } from "../again.ts";
import { namedHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { findSectionIfAny, findSectionIn, withoutHeading } from "./named-section.ts";
import { lostHint } from "./outdated.ts";
import { params, writeResult } from "./params.ts";
import {
  addedDependencies,
  doneHint,
  editTask,
  missingOf,
  missingResult,
  ownedHint,
  taskFields,
  unreadHint,
} from "./task-document.ts";
import { checkNeighbours, checkWhole, withoutFence } from "./whole-text.ts";

export const updateDocTool = defineTool({
  name: "update_doc",
  title: "Update document",
  description:
    "Change a document's text, one section, or only its frontmatter; the rest stays. " +
    "Pass the hash from read_doc as expected_hash to get CONFLICT instead of overwriting a newer version.",
  access: "write",
  searchHint: "edit, append, section",
  destructive: true,
  input: () =>
    z.strictObject({
      ...params.named(),
      content: z.string().optional().describe('Replacement text; "" empties a section'),
      frontmatter: params.frontmatter().describe("Fields to set; null removes one"),
      section: z.string().optional().describe("Only the text under this heading"),
      create: z.boolean().default(false).describe("Make the section if there is none"),
      mode: z.enum(["replace", "append"]).default("replace").describe("append: add to the end"),
      exact: z.boolean().default(false).describe("content is the whole file, byte for byte"),
      supersedes: params.supersedes(),
      confirmed: z.boolean().default(false).describe("true: you checked it, it is right today"),
      expected_hash: params.expectedHash(),
      agent: params.agent(),
    }),
  output: () =>
    z.object({ ...writeResult(), ...missingResult(), previous_hash: z.string(), new_hash: z.string() }),
  handle: async ({ supersedes, expected_hash, agent, ...args }, { workspace, current, parts, again }) => {
    const { content, section: given, create, mode, exact, confirmed, ...others } = givenOf(args);
    const { frontmatter: fields, ...name } = others;
    const day = localDate(workspace.clock.now());
    const frontmatter = confirmed ? { ...fields, confirmed: day } : fields;
    const isField = frontmatter !== undefined || supersedes !== undefined;
    if (exact) checkExact({ content, isField, section: given, mode, expected_hash });
    if (content === undefined && (!isField || given !== undefined)) throw nothingToChange(given);
    const path = findForUpdate(workspace.root, await namedHere(name, current));
    const section = exact ? undefined : (given ?? sectionNamed(name, path));
    const project = projectOf(path);
    return workspace.locked(project, async (lock) => {
      const document = readDocument(workspace.root, path);
      checkHash(document, expected_hash);
      const isAgain = mode === "append" && isLast(document, { content, section }, again);
      const added = isAgain ? undefined : content;
      const wanted = { content: added, frontmatter, section, create, mode, exact };
      const changed = changedText(document, wanted, { parts, known: expected_hash !== undefined });
      const request = { text: changed.text, lock, agent, exact, supersedes };
      const { hash, indexed, text, facts, notes } = await saveDocument(workspace, document, request);
      const dependencies = addedDependencies(document, text, document.facts);
      const open = doneHint(document, { before: document.text, text });
      const owned = document.facts.task === null ? null : ownedHint(frontmatter);
      const unread = unreadHint(facts, document.facts);
      const tags = tagsLeftHint(text, fieldsOf(frontmatter ?? {})["tags"]);
      const remarks = missingOf(
        workspace,
        { project, dependencies },
        ...changed.notes,
        open,
        unread,
        owned,
        tags,
        lostHint(workspace, { path, text, facts }, document),
        isAgain ? ADDED_BEFORE : null,
        ...notes,
      );
      const hashes = { previous_hash: shortHash(document.hash), new_hash: shortHash(hash) };
      return { success: true, path, ...hashes, indexed, ...remarks };
    });
  },
});

/** The section behind the name of the document. */
function sectionNamed({ path, filename = "" }: DocumentName, found: string): string | undefined {
  return headingIn(path || filename, found);
}

/** Throws FILE_NOT_FOUND with the tool that creates the document. */
function findForUpdate(root: string, name: DocumentName): string {
  try {
    return findDocument(root, name);
  } catch (error) {
    if (!(error instanceof UserError) || error.next !== "list-documents") throw error;
    const { code, problem, details } = error;
    const message = `${problem} create_doc creates it.`;
    throw new UserError(code, message, { details, next: "list-documents", cause: error });
  }
}

type Arguments = z.output<typeof updateDocTool.input>;

function checkExact({
  content,
  isField,
  section,
  mode,
  expected_hash,
}: Pick<Arguments, "content" | "section" | "mode" | "expected_hash"> & { isField: boolean }): void {
  const isWhole = !isField && section === undefined && mode === "replace";
  if (isWhole && content !== undefined && expected_hash !== undefined) return;
  const message =
    "'exact' writes the whole file: give 'content' and 'expected_hash', and neither fields, 'section' nor 'append'.";
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "exact" } });
}

function nothingToChange(section: string | undefined): UserError {
  const message =
    section === undefined
      ? "There is nothing to change. Give 'content', 'frontmatter' or both."
      : "'section' needs 'content', the new text of that section. To change only the frontmatter, leave 'section' out.";
  return new UserError("INVALID_ARGUMENT", message);
}

/** Whether this session just added it to the end of the document or section. */
function isLast(
  document: Document,
  { content, section }: Pick<Arguments, "content" | "section">,
  again: Again,
): boolean {
  if (content === undefined) return false;
  const found = section === undefined ? undefined : findSectionIfAny(document, section);
  const text =
    section !== undefined && found === undefined ? "" : document.text.slice(found?.bodyStart, found?.end);
  return again({ place: `${document.path}#${section ?? ""}`, text, block: content });
}

type DocumentEdit = Pick<Arguments, "section" | "create" | "mode" | "exact"> & { content: string };
type Wanted = Omit<DocumentEdit, "content"> & Pick<Arguments, "content" | "frontmatter">;

/** The text as asked for; that of a task has one status. */
function changedText(
  document: Document,
  { content, frontmatter, ...wanted }: Wanted,
  read: Parameters<typeof checkWhole>[2],
) {
  const { text: edited, note } =
    content === undefined
      ? { text: document.text, note: null }
      : edit(document, { content, ...wanted }, read);
  const isTask = document.facts.task !== null;
  const fields = isTask && frontmatter !== undefined ? taskFields(frontmatter) : frontmatter;
  const text = fields === undefined ? edited : setKeys(edited, fields);
  if (wanted.exact || !isTask) return { text, notes: [note] };
  const task = editTask(text, { before: document.text, frontmatter });
  return { text: task.text, notes: [note, task.note] };
}

/** Many clients send "" for a text that they leave out; a section and a file may become empty. */
function givenOf<T extends Pick<Arguments, "content" | "section" | "exact">>(args: T): T {
  const { content, section, exact } = args;
  return content === "" && section === undefined && !exact ? { ...args, content: undefined } : args;
}

function edit(
  document: Document,
  { content, section, create, mode, exact }: DocumentEdit,
  read: Parameters<typeof checkWhole>[2],
): { text: string; note: string | null } {
  const { text } = document;
  if (exact) return { text: content, note: null };
  if (section !== undefined)
    return { text: editSection(document, { content, section, create, mode }), note: null };
  if (mode === "append") return { text: appendToText(text, content), note: null };
  const whole = withoutFence(content, text);
  checkWhole(document, whole.text, read);
  return { text: replaceBody(text, whole.text), note: whole.note };
}

function editSection(
  document: Document,
  { content, section, create, mode }: Omit<DocumentEdit, "exact"> & { section: string },
): string {
  const { text } = document;
  if (create && findSectionIfAny(document, section) === undefined) {
    const heading = newHeading(section);
    return appendToText(text, `${heading}\n\n${withoutHeading(document, parseAtxHeading(heading), content)}`);
  }
  const found = findSectionIn(document, section);
  const body = withoutHeading(document, found.heading, content);
  if (mode === "append") return appendToSection(text, found, body);
  checkNeighbours(document, found, body);
  return replaceSection(text, found, body);
}

/** Of the level that its `#` say, else the second. */
function newHeading(section: string): string {
  const [, marks = "##", title = ""] = /^(#{1,6}(?=\s))?\s*(.*)$/s.exec(section.trim()) ?? [];
  return renderHeading(marks.length, title);
}
