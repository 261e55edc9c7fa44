import { fold } from "../lib/text.ts";

export type Language = "en" | "es" | "ja" | "zh" | "ko";

/** Closed-class words (articles, pronouns, prepositions, auxiliaries), folded. */
const STOP_WORDS = {
  en: wordsOf(`a an the and or of to in on at by for from with as is are was were be been it its this that these those i you he she we they
    my your our their us them do does did has have had can could will would should what which who how when where why if then than
    into about not no so but there here`),
  es: wordsOf(`el la los las un una unos unas y o u de del al a en por para con sin sobre entre es son fue era ser esta este esto estos
    estas ese esa eso que cual quien como cuando donde se lo le les su sus mi mis tu tus te nos si no mas pero hay ha han he muy ya`),
};

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

export function isStopWord(folded: string): boolean {
  return STOP_WORDS.en.has(folded) || STOP_WORDS.es.has(folded);
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
  const [english, spanish] = [
    folded.filter((word) => STOP_WORDS.en.has(word)).length,
    folded.filter((word) => STOP_WORDS.es.has(word)).length + count(/[ñ¿¡]/g),
  ];
  if (english === spanish) return null;
  return english > spanish ? "en" : "es";
}

function byScript(kana: number, han: number, hangul: number): Language | null {
  if (hangul > kana + han) return "ko";
  if (kana > 0) return "ja";
  return han >= 5 ? "zh" : null;
}
