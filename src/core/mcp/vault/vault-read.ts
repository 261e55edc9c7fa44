import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { defineTool } from "../tool.ts";
import { lineParam, MAX_CHARS, pageOf, pageOutput } from "./page.ts";
import { argumentCode, pathParam } from "./path.ts";

export const vaultReadTool = defineTool({
  name: "vault_read",
  title: "Read file",
  description:
    "Read lines of any file by path, at most 12,000 characters; vault_scan continues from next_cursor. Prefer read_doc for documents.",
  access: "read",
  searchHint: "lines of any file",
  argumentCode,
  input: () =>
    z.strictObject({
      path: pathParam(),
      // Not what others send as text for it.
      full: z.literal([true, false]).default(false).describe("The whole file; ignores range"),
      range: z
        .strictObject({ start_line: lineParam(), end_line: lineParam() })
        .optional()
        .describe("Lines from 1, both included; needed unless full"),
    }),
  output: () =>
    z.object({
      ...pageOutput(),
      returned_chars: z.number().int(),
      truncated_reason: z.enum(["none", "range_end", "max_chars"]),
      applied: z.object({ full: z.boolean(), max_chars: z.number().int() }),
    }),
  handle: async ({ path, full, range }, { vault }) => {
    const { start, end } = full ? { start: 1, end: undefined } : linesOf(range ?? {});
    const { text, startLine, endLine, next, reason } = await pageOf(vault, path, {
      start: { line: start },
      end,
    });
    return {
      text,
      truncated: next !== null,
      returned_chars: text.length,
      applied_range: { start_line: startLine, end_line: endLine },
      next_cursor: { char_offset: next },
      truncated_reason: reason,
      applied: { full, max_chars: MAX_CHARS },
    };
  },
});

type Range = NonNullable<z.output<typeof vaultReadTool.input>["range"]>;

/** Without a start, the range starts with the file; without an end, it ends with the file. */
function linesOf({ start_line, end_line }: Range): { start: number; end: number | undefined } {
  if (start_line === undefined && end_line === undefined) {
    const message = `'range' is missing. Give its start_line and end_line, or full: true.`;
    throw new UserError("invalid_parameter", message, { details: { argument: "range" } });
  }
  const start = start_line ?? 1;
  if (end_line !== undefined && end_line < start) {
    const message = `'range' ends at line ${end_line}, before it starts at line ${start}. Swap the two.`;
    throw new UserError("invalid_parameter", message, { details: { argument: "range" } });
  }
  return { start, end: end_line };
}
