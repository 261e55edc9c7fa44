import { setMostRecent } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import type { Document } from "../workspace/read.ts";

type Version = Pick<Document, "path" | "hash" | "text">;
/** Of a text, from its start or from a heading; the end may lie within a line. */
type Part = readonly [start: number, end: number];

const MAX_VERSIONS = 1000;
const MAX_PARTS = 100;
/** Enough of an end to find it again. */
const MAX_END = 100;

/** The parts of documents that one client got: it may take the hash that comes with one for that of the whole. */
export function createPartsRead() {
  const parts = new Map<string, readonly Part[]>();
  return {
    note: ({ hash, text }: Version, part: Part = [0, text.length]) => {
      setMostRecent(parts, MAX_VERSIONS, [hash, [...(parts.get(hash) ?? []), part].slice(-MAX_PARTS)]);
    },
    /** Throws CONFLICT for a new text that ends where a part of the present one ended, of which nothing further was read. */
    check: ({ path, hash, text }: Version, content: string) => {
      const known = parts.get(hash) ?? [];
      const ends = known.filter(([, end]) => !known.some(([from, to]) => from <= end && end < to));
      const given = plain(content);
      if (ends.some((part) => isAtEnd(text, part, given)))
        throw onlyPart(path, `You read only a part of ${quoteName(path)}`);
    },
  };
}

export type PartsRead = ReturnType<typeof createPartsRead>;

/** Whether a text ends as a part does, also without the line in which that was cut. */
function isAtEnd(text: string, [start, end]: Part, given: string): boolean {
  const [part, rest] = [text.slice(start, end), text.slice(end)];
  if (rest.trim() === "") return false;
  const isCut = !part.endsWith("\n") && !/^\r?\n/.test(rest);
  const forms = isCut ? [part, part.slice(0, part.lastIndexOf("\n") + 1)] : [part];
  return forms.map((one) => plain(one).slice(-MAX_END)).some((one) => one !== "" && given.endsWith(one));
}

function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}

/** The error for a text that is not the whole one. */
export function onlyPart(path: string, problem: string): UserError {
  const ways =
    "update_doc changes one section with 'section' and adds to the end with mode: append. If this is the whole text from now on, read the document to its end first, and pass its hash as expected_hash.";
  return new UserError("CONFLICT", `${problem}, and the rest would be lost. ${ways}`, { details: { path } });
}
