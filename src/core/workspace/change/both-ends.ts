import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { dirname, joinPath, relativePath } from "../../lib/paths.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { encodeDestination, escapeLabel } from "../../markdown/links.ts";
import { fieldsOf } from "../../notes/field-names.ts";
import { baseName, projectOf } from "../../notes/names.ts";
import { setFields } from "../../notes/set-fields.ts";
import { contentOf } from "../../storage/read.ts";
import { refuseRepositoryFile } from "../find/repository-file.ts";
import { type Document, readIfNamed } from "../read.ts";
import type { DocumentChange } from "./rules.ts";

/**
 * A document that takes the place of an older one, and what becomes of that: each names the other. Throws READ_ONLY for a file of a
 * repository, FILE_NOT_FOUND outside the project, INVALID_ARGUMENT for itself, and CONFLICT if something else took that place.
 */
export function bothEnds(
  root: string,
  { path, text }: { path: string; text: string },
  older: string,
): { text: string; old: DocumentChange; note: string } {
  refuseRepositoryFile(older);
  const old = readOlder(root, path, older);
  const [link, back] = [linkFrom(path, old.path), linkFrom(old.path, path)];
  const before = fieldsOf(parseFrontmatter(text).data)["supersedes"] ?? [];
  const supersedes = [...new Set([before, link].flat(Infinity))];
  return {
    text: setFields(text, { supersedes: supersedes.length > 1 ? supersedes : link }),
    old: {
      path: old.path,
      before: old,
      after: contentOf(Buffer.from(setFields(old.text, { superseded_by: back }))),
    },
    note: `${quoteName(old.path)} says now that this document supersedes it.`,
  };
}

function readOlder(root: string, path: string, older: string): Document {
  const project = projectOf(path);
  const old = readIfNamed(root, { path: older, project });
  const details = { argument: "supersedes" };
  if (old === undefined) {
    const message = `Project ${quoteName(project)} has no document ${quoteName(older)}, and a document supersedes one of its own project.`;
    throw new UserError("FILE_NOT_FOUND", message, { details, next: "list-documents" });
  }
  if (old.path === path)
    throw new UserError("INVALID_ARGUMENT", "A document cannot supersede itself.", { details });
  const others = old.facts.standing.relations.filter(({ field }) => field === "superseded_by");
  const isFree = others.every((relation) => joinPath(dirname(old.path), relation.path) === path);
  const message = `${quoteName(old.path)} says that another document supersedes it. Supersede that one.`;
  if (!isFree) throw new UserError("CONFLICT", message, { details });
  return old;
}

/** As a move keeps it right. */
function linkFrom(source: string, path: string): string {
  const label = escapeLabel(withoutMarkdownExtension(baseName(path)));
  return `[${label}](${encodeDestination(relativePath(dirname(source), path))})`;
}
