import * as z from "zod";
import { defineTool } from "../tool.ts";
import { lineParam, MAX_CHARS, pageOf, pageOutput, type Start } from "./page.ts";
import { argumentCode, pathParam } from "./path.ts";

export const vaultScanTool = defineTool({
  name: "vault_scan",
  title: "Scan file",
  description:
    "Page through a file of any size, 12,000 characters a call: pass next_cursor of the last answer as cursor until eof.",
  access: "read",
  searchHint: "page through a long file",
  argumentCode,
  input: () =>
    z.strictObject({
      path: pathParam(),
      start_line: lineParam().describe("Start here instead of at cursor"),
      cursor: z
        .strictObject({ start_line: lineParam(), char_offset: z.number().int().min(0).optional() })
        .optional()
        .describe("char_offset overrides start_line"),
    }),
  output: () =>
    z.object({
      ...pageOutput(),
      eof: z.boolean(),
      truncated_reason: z.enum(["none", "max_chars"]),
      applied: z.object({ max_chars: z.number().int() }),
    }),
  handle: async ({ path, start_line, cursor }, { vault }) => {
    const start = startOf(start_line, cursor?.char_offset, cursor?.start_line);
    const { text, startLine, endLine, next } = await pageOf(vault, path, { start });
    return {
      text,
      applied_range: { start_line: startLine, end_line: endLine },
      next_cursor: { char_offset: next },
      eof: next === null,
      truncated: next !== null,
      truncated_reason: next === null ? ("none" as const) : ("max_chars" as const),
      applied: { max_chars: MAX_CHARS },
    };
  },
});

type Place = number | undefined;

function startOf(line: Place, char: Place, cursorLine: Place): Start {
  if (line !== undefined) return { line };
  return char === undefined ? { line: cursorLine ?? 1 } : { char };
}
