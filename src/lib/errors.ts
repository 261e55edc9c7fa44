import { escapeUnseen } from "./escape.ts";

export const ERROR_CODES = [
  "PROJECT_NOT_FOUND",
  "PROJECT_EXISTS",
  "FILE_NOT_FOUND",
  "FILE_EXISTS",
  "INVALID_FOLDER",
  "INVALID_PATH",
  "INVALID_STATUS",
  "INVALID_QUERY",
  "INVALID_ARGUMENT",
  "CONFLICT",
  "READ_ONLY",
  "INDEX_ERROR",
  "FILESYSTEM_ERROR",
  // Those of the vault tools.
  "invalid_parameter",
  "invalid_path",
  "out_of_scope",
  "not_found",
  "forbidden",
  "conflict",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** An expected failure whose message is shown to the client: it says what is wrong and what to do next. */
export class UserError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(escapeUnseen(message), { cause: options.cause });
    this.name = "UserError";
    this.code = code;
    this.details = options.details ?? {};
  }
}
