import * as z from "zod";
import { isMarkdown, withMarkdownExtension } from "../../lib/file-names.ts";
import { documentPath, isTaskPath, locateDocument } from "../../notes/document.ts";
import { shortHash } from "../../notes/hash.ts";
import { setKeys } from "../../notes/set-fields.ts";
import { createDocument, type SavedDocument } from "../../workspace/change/documents.ts";
import { newLocation } from "../../workspace/find/document.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { namedHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { lostHint } from "./outdated.ts";
import { hintOf, params, writeResult } from "./params.ts";
import {
  doneHint,
  editTask,
  missingOf,
  missingResult,
  numberHint,
  taskFields,
  unreadHint,
  whatTaskLacks,
} from "./task-document.ts";

export const createDocTool = defineTool({
  name: "create_doc",
  title: "Create document",
  description:
    "Create a document; it never overwrites, use update_doc for that. Tasks, plans and sessions have their own tools.",
  access: "write",
  searchHint: "write a note, decision",
  input: () =>
    z.strictObject({
      path: z.string().optional().describe("E.g. payments-api/references/limits.md"),
      project: params.project(),
      folder: params.folder().optional(),
      filename: z.string().optional().describe("E.g. limits.md"),
      content: z.string().describe("Markdown"),
      frontmatter: params.frontmatter().describe('E.g. {"tags": ["api"]}'),
      supersedes: params.supersedes(),
    }),
  output: () =>
    z.object({ ...writeResult(), ...missingResult(), absolute_path: z.string(), hash: z.string() }),
  handle: async ({ content, frontmatter, supersedes, ...name }, { workspace, current }) => {
    const location = newLocation(workspace.root, await namedHere(name, current));
    const { filename } = location;
    const isTaskFile = isTaskPath(documentPath({ ...location, filename: withMarkdownExtension(filename) }));
    const merged =
      frontmatter === undefined
        ? content
        : setKeys(content, isTaskFile ? taskFields(frontmatter) : frontmatter);
    const edited = isTaskFile
      ? editTask(merged, { before: merged, frontmatter })
      : { text: merged, note: null };
    const saved = await workspace.locked(location.project, (lock) =>
      createDocument(workspace, location, edited.text, lock, supersedes),
    );
    const { path, file, hash, indexed, text, notes } = saved;
    const open = doneHint(location, { before: null, text });
    const ofText = [unreadHint(saved.facts), lostHint(workspace, saved)];
    const hints = [edited.note, ...notes, open, ...ofText, extensionHint(filename)];
    const remarks = isTaskFile ? taskRemarks(workspace, saved, hints) : hintOf(...hints);
    return { success: true, path, absolute_path: file, hash: shortHash(hash), indexed, ...remarks };
  },
});

function taskRemarks(
  workspace: Workspace,
  { path, text, facts }: SavedDocument,
  hints: readonly (string | null)[],
) {
  const location = locateDocument(path);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  const dependencies = facts.task?.dependencies ?? [];
  const { project } = location;
  return missingOf(
    workspace,
    { project, dependencies },
    ...hints,
    whatTaskLacks(text, facts),
    numberHint(workspace.root, path),
  );
}

/** `.txt` is not replaced: the client looks for its file under the name in the answer. */
function extensionHint(filename: string): string | null {
  const [extension] = /\.[a-z][a-z0-9]{0,7}$/i.exec(filename) ?? [];
  if (extension === undefined || isMarkdown(extension)) return null;
  return `Documents are Markdown: '.md' was added after '${extension}'.`;
}
