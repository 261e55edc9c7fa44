import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a file that only this user can read, into a new folder under `parent`; `remove` removes both. */
export function writePrivateFile(parent: string, name: string, text: string) {
  const folder = mkdtempSync(join(parent, "vibe-mcp-"));
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
