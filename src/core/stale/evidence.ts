import type { DocumentFacts } from "../notes/document.ts";
import { lapseOf, lapseText } from "../notes/standing/lapse.ts";
import { type KnownCode, lostReferences } from "./lost.ts";

/** Something in a document that no longer holds. */
export interface Evidence {
  /** From 1, in the document. */
  line: number;
  kind: "gone" | "moved" | "superseded";
  /** One short sentence, for an agent or a person. */
  says: string;
  /** The day since which it is so, if that is known: what was confirmed later is not shown. */
  since?: string | undefined;
}

/** A document, as far as evidence needs it. */
export interface StaleDocument {
  path: string;
  text: string;
  facts: DocumentFacts;
}

/** What is known beside the document itself; what is not known yet is not said. */
export interface Known {
  /** Of the project's repository. */
  code: KnownCode | undefined;
  /** The last documents that came after it. */
  successors: readonly string[];
}

/** What in a document no longer holds, in the order of its lines; of one that does not hold as a whole nothing more. */
export function evidenceOf(document: StaleDocument, { code, successors }: Known): Evidence[] {
  const { standing, confirmed } = document.facts;
  const lapse = lapseOf(standing.word, successors);
  if (lapse !== null) return [{ line: 1, kind: "superseded", says: lapseText(lapse) }];
  const lost = code === undefined ? [] : lostReferences(document, code);
  return lost.filter(({ since }) => confirmed === null || since > confirmed);
}
