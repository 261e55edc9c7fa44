import { setMostRecent } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import type { Document } from "../workspace/read.ts";

type Version = Pick<Document, "path" | "hash" | "text">;
/** Of a text, from its start or from a heading; the end may lie within a line. */
type Part = readonly [start: number, end: number];

const MAX_VERSIONS = 1000;
/** Enough of an end to find it again. */
const MAX_END = 100;

/** The parts of documents that one client got: it may take the hash that comes with one for that of the whole. */
export function createPartsRead() {
  const parts = new Map<string, readonly Part[]>();
  return {
    note: ({ hash, text }: Version, [start, end]: Part = [0, text.length]) => {
      const known = parts.get(hash) ?? [];
      // Pages that meet are one part.
      const apart = known.filter(([from, to]) => to < start || end < from);
      const met = known.filter((part) => !apart.includes(part));
      const from = Math.min(start, ...met.map((part) => part[0]));
      const to = Math.max(end, ...met.map((part) => part[1]));
      setMostRecent(parts, MAX_VERSIONS, [hash, [...apart, [from, to]]]);
    },
    /** Throws CONFLICT for a new text that ends where a part of the present one ended. */
    check: ({ path, hash, text }: Version, content: string) => {
      const given = plain(content);
      const cut = (parts.get(hash) ?? []).find(
        (part) => text.slice(part[1]).trim() !== "" && endings(text, part).some((end) => given.endsWith(end)),
      );
      if (cut !== undefined) throw onlyPart(path, `You read only a part of ${quoteName(path)}`);
    },
  };
}

export type PartsRead = ReturnType<typeof createPartsRead>;

/** How a part ends, also without the line in which it was cut. */
function endings(text: string, [start, end]: Part): string[] {
  const part = text.slice(start, end);
  const isCut = !part.endsWith("\n") && !/^\r?\n/.test(text.slice(end));
  const whole = isCut ? [part, part.slice(0, part.lastIndexOf("\n") + 1)] : [part];
  return whole.map((one) => plain(one).slice(-MAX_END)).filter((one) => one !== "");
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
