import { createRandom, type Random } from "./random.ts";

/** Made-up words, most frequent first, drawn as often as Zipf's law has it. */
export interface Vocabulary {
  draw(random: Random): string;
  /** The word of that rank; 0 is the most frequent. */
  ranked(rank: number): string;
}

const WORDS = 30_000;
/** Fine enough for the rarest of the words to own some places of the table. */
const TABLE_BITS = 21;
const ONSETS = "b c d f g l m n p r s t v br cr dr pl st tr".split(" ");
const VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "io"];
const CODAS = ["", "", "", "n", "r", "s", "l", "t", "nd", "rk"];

export function createVocabulary(seed: number): Vocabulary {
  const words = makeWords(createRandom(seed));
  const table = zipfTable(words.length);
  const ranked = (rank: number) => words[rank] ?? "";
  return { ranked, draw: (random) => ranked(table[random.below(table.length)] ?? 0) };
}

function makeWords(random: Random): string[] {
  const words = new Set<string>();
  while (words.size < WORDS) words.add(makeWord(random, words.size));
  return [...words];
}

/** Frequent words are short, as in languages that people speak. */
function makeWord(random: Random, rank: number): string {
  const least = rank < 300 ? 1 : 2;
  const syllables = least + random.below(rank < 3000 ? 2 : 3);
  let word = "";
  for (let count = 0; count < syllables; count++) {
    word += random.pick(ONSETS) + random.pick(VOWELS) + random.pick(CODAS);
  }
  return word;
}

/** Ranks, each as many times as it is frequent: a draw is one look-up. */
function zipfTable(size: number): Uint16Array {
  const table = new Uint16Array(2 ** TABLE_BITS);
  let total = 0;
  for (let rank = 1; rank <= size; rank++) total += 1 / rank;
  let from = 0;
  let sum = 0;
  for (let rank = 1; rank <= size; rank++) {
    sum += 1 / rank;
    const end = Math.round((sum / total) * table.length);
    table.fill(rank - 1, from, end);
    from = end;
  }
  return table;
}
