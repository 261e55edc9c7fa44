import { takeSecret } from "./route.ts";
import { tabStorage } from "./storage.ts";

const KEPT = "vibe-mcp-token";

const given = takeSecret("token");
if (given) keepToken(given);

/** Until the tab is closed: a page that is loaded again goes on. */
export function keepToken(text: string): void {
  tabStorage.setItem(KEPT, text.trim());
}

/** Undefined if this tab was given none. */
export function token(): string | undefined {
  return tabStorage.getItem(KEPT) || undefined;
}
