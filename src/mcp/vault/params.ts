import * as z from "zod";
import type { ErrorCode } from "../../lib/errors.ts";

/** Parameters that several vault tools share, made where they are used. Every word is paid for by every client in every session. */
export const params = {
  path: () => z.string().describe("E.g. api/scratch/run.log"),
  line: () => z.number().int().min(1).optional(),
};

/** Text that has bytes: half a surrogate pair has none. */
export const text = () =>
  z.string().refine((given) => given.isWellFormed(), "It holds half of a surrogate pair");

/** The codes of this family, for arguments that are not as the schema says. */
export const argumentCode = (argument: string): ErrorCode =>
  argument === "path" ? "invalid_path" : "invalid_parameter";

/** What every page says, besides where it ends. */
export const page = () => ({
  text: z.string(),
  applied_range: z.object({ start_line: z.number().int(), end_line: z.number().int() }),
  next_cursor: z.object({ char_offset: z.number().int().nullable() }),
  truncated: z.boolean(),
});
