import { createRandom, type Random } from "./random.ts";

/** Made-up words, most frequent first, drawn by Zipf's law. */
export interface Vocabulary {
  draw(random: Random): string;
  /** The word of that rank; 0 is the most frequent. */
  ranked(rank: number): string;
}

const WORDS = 30_000;
/** Fine enough that even the rarest word has a few entries. */
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

/** Frequent words are short, as in real languages. */
function makeWord(random: Random, rank: number): string {
  const least = rank < 300 ? 1 : 2;
  const syllables = least + random.below(rank < 3000 ? 2 : 3);
  let word = "";
  for (let count = 0; count < syllables; count++) {
    word += random.pick(ONSETS) + random.pick(VOWELS) + random.pick(CODAS);
  }
  return word;
}

/** Each rank in proportion to its frequency, so that a draw is one lookup. */
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

/** Sentences from notes, with the punctuation, accents and scripts that made-up words lack. */
export const SENTENCES = {
  english: [
    "We rotate the bearer token every ninety days and keep the old one for an hour.",
    "The rate limiter counts in shadow mode before it refuses anything.",
    "Nothing else may start until the migration has run on the replica.",
    "I could not reproduce the crash on Linux, but it happens on every second start under Windows.",
    "Decided: files are the truth, and whatever the database says can be rebuilt from them.",
    "The customer asked for an export to CSV; we agreed on Friday at the latest.",
    "Why is the second request slower than the first? The cache is keyed by the full URL.",
    "Retries use exponential backoff with jitter, five attempts at most.",
    "See the decision record about idempotency keys before you change this.",
    "Open question: who owns the certificate, and when does it expire?",
    "It's a one-line fix, yet the test for it took the whole afternoon.",
    "Next step: measure the cold start again with the lazy import in place.",
  ],
  spanish: [
    "La sesión de hoy terminó con la migración aplicada y las pruebas en verde.",
    "Queda pendiente revisar la autenticación antes de abrir el acceso público.",
    "El índice se reconstruye solo: basta con borrar el fichero y arrancar de nuevo.",
    "¿Qué pasa si dos procesos escriben la misma tarea al mismo tiempo?",
    "Decisión: no añadimos otra dependencia para leer una fecha.",
    "El próximo paso es medir el arranque en una máquina más lenta.",
    "La búsqueda no distingue acentos ni mayúsculas, y así debe seguir.",
    "Bloqueado por el proveedor: todavía no ha enviado las credenciales.",
  ],
  japanese: [
    "検索の結果は関連度の高い順に表示される。",
    "次のステップは認証トークンの更新を自動化することです。",
    "データベースの移行が完了するまで、この作業は保留とする。",
    "昨日の会議で決定した事項を議事録に追記しました。",
    "全文検索の索引はいつでもファイルから再構築できる。",
    "テストは全部通ったが、起動時間がまだ遅い。",
    "ユーザーからの報告を確認し、原因を調査中です。",
    "設定ファイルの場所は環境変数で変更できます。",
  ],
} as const;
