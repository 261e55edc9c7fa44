import { fold } from "../lib/text.ts";
import { isStopWordOf } from "./stop-words.ts";

export type Language = "en" | "es" | "ja" | "zh" | "ko";

const SAMPLE_CHARS = 6000;
const KANA = /[\u3041-\u3096\u30a1-\u30fa]/g;
const HAN = /\p{Script=Han}/gu;
const HANGUL = /[\uac00-\ud7a3]/g;
const WORD = /[\p{L}\p{M}]+/gu;

/**
 * The language a text is written in, by its script or by the small words that are its own; null when nothing tells.
 * A few kanji alone do not: Chinese and Japanese share them.
 */
export function detectLanguage(text: string): Language | null {
  const sample = text.slice(0, SAMPLE_CHARS);
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const [kana, han, hangul] = [count(KANA), count(HAN), count(HANGUL)];
  const words = sample.match(WORD) ?? [];
  if (kana + han + hangul > words.length / 4) return byScript(kana, han, hangul);
  const folded = words.map(fold);
  const [english, spanish] = [
    folded.filter((word) => isStopWordOf("en", word)).length,
    folded.filter((word) => isStopWordOf("es", word)).length + count(/[ñ¿¡]/g),
  ];
  if (english === spanish) return null;
  return english > spanish ? "en" : "es";
}

function byScript(kana: number, han: number, hangul: number): Language | null {
  if (hangul > kana + han) return "ko";
  if (kana > 0) return "ja";
  return han >= 5 ? "zh" : null;
}
