import type { DocumentFacts } from "../notes/document.ts";
import { lapseOf, lapseText } from "../notes/standing/lapse.ts";

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
  code: undefined;
  /** The last documents that came after it. */
  successors: readonly string[];
}

/** What in a document no longer holds, in the order of its lines. */
export function evidenceOf({ facts }: StaleDocument, { successors }: Known): Evidence[] {
  const lapse = lapseOf(facts.standing.word, successors);
  const evidence: Evidence[] =
    lapse === null ? [] : [{ line: 1, kind: "superseded", says: lapseText(lapse) }];
  return evidence.sort((a, b) => a.line - b.line);
}
