import { leadingDate } from "./calendar.ts";
import { baseName } from "./names.ts";

/** The day of a session file (`2025-02-09.md`, `2025-02-09-debugging.md`). */
export function sessionDate(filename: string): string | null {
  return leadingDate(baseName(filename));
}
