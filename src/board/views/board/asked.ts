import { createStore } from "../../store.ts";
import type { Question } from "../document/menu.tsx";
import type { Choosable } from "./chooser.tsx";

/** What is open for one task: its menu, the choice of a field, or a question. */
interface Asked {
  path: string;
  /** It opens there. */
  button: Element;
  what: "menu" | "return" | Choosable | Question;
}

export const asked = createStore<Asked | undefined>(undefined);

export function ask(path: string, button: Element, what: Asked["what"] = "menu"): void {
  asked.update(() => ({ path, button, what }));
}
