export type Language = "en" | "es" | "ja";

/** The browser's first language that the page speaks. */
export const language: Language =
  navigator.languages
    .map((tag) => tag.slice(0, 2))
    .find((tag) => tag === "en" || tag === "es" || tag === "ja") ?? "en";

/** The words of a view in the page's language: every language has the keys of the English one. */
export function inLanguage<T>(words: { en: T; es: T; ja: T }): T {
  return words[language];
}
