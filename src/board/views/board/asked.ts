import { createStore } from "../../store.ts";
import type { Question } from "../document/menu.tsx";
import type { Choosable } from "./chooser.tsx";

/** What is open for tasks: the choice of a field; for one its menu or a question, too. */
interface Asked {
  paths: readonly string[];
  /** It opens there. */
  button: Element;
  what: "menu" | "return" | Choosable | Question;
}

export const asked = createStore<Asked | undefined>(undefined);

export function ask(paths: readonly string[], button: Element, what: Asked["what"] = "menu"): void {
  asked.update(() => ({ paths, button, what }));
}
