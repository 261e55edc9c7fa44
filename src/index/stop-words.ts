/** Closed-class words (articles, pronouns, prepositions, auxiliaries), folded. */
const STOP_WORDS = {
  en: `a an the and or of to in on at by for from with as is are was were be been it its this that these those i you he she we they
    my your our their us them do does did has have had can could will would should what which who how when where why if then than
    into about not no so but there here`,
  es: `el la los las un una unos unas y o u de del al a en por para con sin sobre entre es son fue era ser esta este esto estos
    estas ese esa eso que cual quien como cuando donde se lo le les su sus mi mis tu tus te nos si no mas pero hay ha han he muy ya`,
} as const;

const WORDS = {
  en: new Set(STOP_WORDS.en.split(/\s+/)),
  es: new Set(STOP_WORDS.es.split(/\s+/)),
};

export function isStopWordOf(language: keyof typeof WORDS, folded: string): boolean {
  return WORDS[language].has(folded);
}

export function isStopWord(folded: string): boolean {
  return WORDS.en.has(folded) || WORDS.es.has(folded);
}

/** Japanese writes its particles and endings in hiragana. */
export function isHiragana(letter: string): boolean {
  return /^[\u3041-\u309f]+$/.test(letter);
}
