import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isStopWord } from "../../src/core/index/language.ts";
import { foldedWords } from "../../src/core/index/tokenizer.ts";
import { withoutMarks } from "../../src/core/lib/marks.ts";
import type { JudgedQuery } from "./queries.ts";

/** What answers a query, by rule: of each text that holds an answer, the sentences with most of the query's words. */
export function evidenceOf(root: string, { query, relevant, evidence }: JudgedQuery): string[] {
  const words = new Set(foldedWords(query).filter((word) => !isStopWord(word)));
  const held = (text: string) => new Set(foldedWords(text).filter((word) => words.has(word))).size;
  const files = relevant.map((path) => join(root, path)).filter((file) => existsSync(file));
  const texts = evidence ?? files.map((file) => readFileSync(file, "utf8"));
  return texts.flatMap((text) => {
    const sentences = sentencesOf(text).map((sentence) => ({ sentence, held: held(sentence) }));
    const most = Math.max(...sentences.map(({ held }) => held), evidence === undefined ? 1 : 0);
    return sentences.flatMap(({ sentence, held }) => (held === most ? [sentence] : []));
  });
}

/** Without frontmatter and headings. */
function sentencesOf(text: string): string[] {
  const body = text.replace(/^---\n.*?\n---\n/s, "").replaceAll(/^#.*$/gm, "");
  return body.split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/).filter((sentence) => sentence.trim() !== "");
}

/** Whether a passage holds one of the texts, however its white space is written. */
export function holdsEvidence(passage: string, evidence: readonly string[]): boolean {
  const shown = oneLine(withoutMarks(passage));
  return evidence.some((text) => shown.includes(oneLine(text)));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
