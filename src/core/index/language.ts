import { fold } from "../lib/text.ts";
import { hasSpaces, LANGUAGES } from "../notes/words/languages.ts";

export type Language = keyof typeof LANGUAGES | "ko";

interface SpacedLanguage {
  language: Language;
  stopWords: ReadonlySet<string>;
  letters: string;
}

/** The languages that their stop words tell apart. */
const SPACED: readonly SpacedLanguage[] = Object.entries(LANGUAGES)
  .filter(([, words]) => hasSpaces(words))
  .map(([language, { stopWords, letters }]) => ({
    language: language as Language,
    stopWords: new Set(stopWords.split(/\s+/)),
    letters,
  }));

export function isStopWord(folded: string): boolean {
  return SPACED.some(({ stopWords }) => stopWords.has(folded));
}

/** Japanese writes its particles and endings in hiragana. */
export function isHiragana(letter: string): boolean {
  return /^[\u3041-\u309f]+$/.test(letter);
}

const SAMPLE_CHARS = 6000;
const KANA = /[\u3041-\u3096\u30a1-\u30fa]/g;
const HAN = /\p{Script=Han}/gu;
const HANGUL = /[\uac00-\ud7a3]/g;
const WORD = /[\p{L}\p{M}]+/gu;

/** The language of a text, by its script or its stop words; null if unclear: a few kanji may be Chinese or Japanese. */
export function detectLanguage(text: string): Language | null {
  const sample = text.slice(0, SAMPLE_CHARS);
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const [kana, han, hangul] = [count(KANA), count(HAN), count(HANGUL)];
  const words = sample.match(WORD) ?? [];
  if (kana + han + hangul > words.length / 4) return byScript(kana, han, hangul);
  const folded = words.map(fold);
  const [first, second] = SPACED.map(({ language, stopWords, letters }) => {
    const known = folded.filter((word) => stopWords.has(word)).length;
    return { language, count: letters === "" ? known : known + count(new RegExp(`[${letters}]`, "g")) };
  }).sort((a, b) => b.count - a.count);
  return first === undefined || first.count === second?.count ? null : first.language;
}

function byScript(kana: number, han: number, hangul: number): Language | null {
  if (hangul > kana + han) return "ko";
  if (kana > 0) return "ja";
  return han >= 5 ? "zh" : null;
}
