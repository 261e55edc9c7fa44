import { browserStorage } from "./storage.ts";

const THEME = "vibe-mcp-theme";
const LANGUAGE = "vibe-mcp-language";

/** The theme that someone chose in this browser; `""` follows the system. */
export function chosenTheme(): string {
  return browserStorage.getItem(THEME) ?? "";
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

/** Shows the chosen theme, or the system's, also when that changes. */
export function followTheme(): void {
  showTheme(chosenTheme());
  darkSystem.addEventListener("change", () => showTheme(chosenTheme()));
}

export function chooseTheme(theme: string): void {
  browserStorage.setItem(THEME, theme);
  showTheme(theme);
}

function showTheme(theme: string): void {
  document.documentElement.dataset["theme"] = theme || (darkSystem.matches ? "dark" : "light");
}

/** The language that someone chose in this browser, as a tag; `""` follows the browser. */
export function chosenLanguage(): string {
  return browserStorage.getItem(LANGUAGE) ?? "";
}

/** Shows the page in that language, from its start. */
export function chooseLanguage(tag: string): void {
  browserStorage.setItem(LANGUAGE, tag);
  location.reload();
}
