import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { dirname, relativePath } from "../../lib/paths.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { encodeDestination, escapeLabel } from "../../markdown/links.ts";
import { fieldsOf } from "../../notes/field-names.ts";
import { lookupOf } from "../../notes/link/target.ts";
import { baseName, projectOf } from "../../notes/names.ts";
import { setFields } from "../../notes/set-fields.ts";
import { directSuccessors } from "../../notes/standing/successors.ts";
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
  const project = projectOf(path);
  const old = readIfNamed(root, { path: older, project });
  if (old === undefined) throw notThere(older, project);
  check(old, path);
  const links = [fieldsOf(parseFrontmatter(text).data)["supersedes"] ?? []].flat(Infinity);
  const supersedes = [...new Set([...links, linkFrom(path, old.path)])];
  const [only, ...more] = supersedes;
  const named = { superseded_by: linkFrom(old.path, path) };
  const after = isNamedBy(old, path) ? old : contentOf(Buffer.from(setFields(old.text, named)));
  return {
    text: setFields(text, { supersedes: more.length === 0 ? only : supersedes }),
    old: { path: old.path, before: old, after },
    note: `${quoteName(old.path)} says now that this document supersedes it.`,
  };
}

function check(old: Document, path: string): void {
  const details = { argument: "supersedes", path: old.path };
  if (old.path === path)
    throw new UserError("INVALID_ARGUMENT", "A document cannot supersede itself.", { details });
  const isTaken = old.facts.standing.claims.some(({ field }) => field === "superseded_by");
  if (!isTaken || isNamedBy(old, path)) return;
  const message = `${quoteName(old.path)} says that another document supersedes it. Supersede that one.`;
  throw new UserError("CONFLICT", message, { details });
}

function notThere(older: string, project: string): UserError {
  const message = `Project ${quoteName(project)} has no document ${quoteName(older)}, and a document supersedes one of its own project.`;
  return new UserError("FILE_NOT_FOUND", message, {
    details: { argument: "supersedes" },
    next: "list-documents",
  });
}

function isNamedBy({ path: source, facts }: Document, path: string): boolean {
  const claims = facts.standing.claims.map((claim) => ({ ...claim, source }));
  const paths = [path, source];
  return (
    directSuccessors(claims, lookupOf(paths), () => paths)
      .get(source)
      ?.includes(path) === true
  );
}

/** As a move keeps it right. */
function linkFrom(source: string, path: string): string {
  const label = escapeLabel(withoutMarkdownExtension(baseName(path)));
  return `[${label}](${encodeDestination(relativePath(dirname(source), path))})`;
}
