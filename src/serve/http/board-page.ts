import { fileURLToPath } from "node:url";
import { readBytes } from "../../core/storage/read.ts";

const PAGE = "../../../node_modules/.cache/vibe-mcp/board.html";

/** The web page, as the last build made it. The bundler replaces this module by one that carries the text itself. */
export async function readPage(): Promise<string> {
  return readBytes(fileURLToPath(new URL(PAGE, import.meta.url))).toString("utf8");
}
