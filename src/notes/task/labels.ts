import { oneOf } from "../words/languages.ts";
import type { Label } from "../words/type.ts";

/** The start of a line with a label, in any language: `Status:`, `- **Depends on:**`, `状態：`, `due::`. */
export function labelPattern(name: Label, margin = "[ \\t]{0,12}"): RegExp {
  const label = oneOf(({ labels }) => labels[name]);
  const marks = "[*_`]{0,3}";
  return new RegExp(
    `^${margin}(?:[-*+][ \\t]{1,4})?${marks}${label}${marks}[ \\t]{0,4}[:：]{1,2}${marks}`,
    "i",
  );
}
