import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { dirname, relativePath } from "../../lib/paths.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { encodeDestination, escapeLabel } from "../../markdown/links.ts";
import { fieldsOf } from "../../notes/field-names.ts";
import { baseName, projectOf } from "../../notes/names.ts";
import { setFields } from "../../notes/set-fields.ts";
import { contentOf } from "../../storage/read.ts";
import { isTaskNumber } from "../find/names.ts";
import { refuseRepositoryFile } from "../find/repository-file.ts";
import { readIfNamed } from "../read.ts";
import type { DocumentChange } from "./rules.ts";

/**
 * A document that takes the place of an older one, and what becomes of that: each names the other. Throws READ_ONLY for a file of a
 * repository, FILE_NOT_FOUND outside the project, and INVALID_ARGUMENT for itself.
 */
export function bothEnds(
  root: string,
  { path, text }: { path: string; text: string },
  older: string | undefined,
): { text: string; others: DocumentChange[]; said: string[] } {
  if (older === undefined) return { text, others: [], said: [] };
  refuseRepositoryFile(older);
  const project = projectOf(path);
  // As it is read: a number is that of a document in the same folder.
  const named = isTaskNumber(older) ? `${dirname(path)}/${older}` : older;
  const old = readIfNamed(root, { path: named, project });
  const details = { argument: "supersedes" };
  if (old === undefined) {
    const message = `Project ${quoteName(project)} has no document ${quoteName(older)}, and a document supersedes one of its own project.`;
    throw new UserError("FILE_NOT_FOUND", message, { details, next: "list-documents" });
  }
  if (old.path === path)
    throw new UserError("INVALID_ARGUMENT", "A document cannot supersede itself.", { details });
  const after = withLink(old.text, "superseded_by", linkFrom(old.path, path));
  return {
    text: withLink(text, "supersedes", linkFrom(path, old.path)),
    others: [{ path: old.path, before: old, after: contentOf(Buffer.from(after)) }],
    said: [`${quoteName(old.path)} says now that this document supersedes it.`],
  };
}

/** The link in this field, beside those that are there. */
function withLink(text: string, field: string, link: string): string {
  const before = fieldsOf(parseFrontmatter(text).data)[field] ?? [];
  const links = [...new Set([before, link].flat(Infinity))];
  return setFields(text, { [field]: links.length > 1 ? links : link });
}

/** As a move keeps it right. */
function linkFrom(source: string, path: string): string {
  const label = escapeLabel(withoutMarkdownExtension(baseName(path)));
  return `[${label}](${encodeDestination(relativePath(dirname(source), path))})`;
}
