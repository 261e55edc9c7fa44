import type { SearchAnswer } from "./search.ts";
import { TUNING } from "./weights.ts";

/** A search of one of two indexes; undefined if it cannot answer yet. */
type Search<Answer> = (isCorrected: boolean) => Promise<Answer>;

/** The best of the notes and of the repository's documents; a word that one of them holds is corrected in neither. */
export async function searchBoth(
  limit: number,
  searchNotes: Search<SearchAnswer>,
  searchDocuments: Search<SearchAnswer | undefined>,
): Promise<SearchAnswer> {
  const [notes, documents] = [await searchNotes(true), await searchDocuments(true)];
  if (documents === undefined) return alone(notes.corrected === null ? notes : await searchNotes(false));
  if (notes.corrected !== null && knowsAll(documents))
    return join(await searchNotes(false), documents, limit);
  const isMistaken = documents.corrected !== null && knowsAll(notes);
  return join(notes, (isMistaken ? await searchDocuments(false) : undefined) ?? documents, limit);
}

/** What the notes lack, the documents may hold. */
function alone(notes: SearchAnswer): SearchAnswer {
  return { ...notes, missing: [], isWeak: false, isPartial: true };
}

function knowsAll({ corrected, missing }: SearchAnswer): boolean {
  return corrected === null && missing.length === 0;
}

/** Both have scores of their own: a word is rare in one that is frequent in the other. */
function join(notes: SearchAnswer, documents: SearchAnswer, limit: number): SearchAnswer {
  const share = (TUNING.repository * notes.scale) / documents.scale;
  const scored = documents.results.map((result) => ({ ...result, score: result.score * share }));
  const answers = [notes, documents].filter(({ total }) => total > 0);
  return {
    total: notes.total + documents.total,
    results: [...notes.results, ...scored].sort((a, b) => b.score - a.score).slice(0, limit),
    corrected: notes.corrected ?? documents.corrected,
    missing: notes.missing.filter((word) => documents.missing.includes(word)),
    archived: notes.archived,
    isWeak: answers.length > 0 && answers.every(({ isWeak }) => isWeak),
    isForeign: notes.isForeign && documents.isForeign,
    scale: notes.scale,
  };
}
