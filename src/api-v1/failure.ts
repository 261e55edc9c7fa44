import { TASK_STATUSES } from "../domain/status.ts";
import type { UserError } from "../lib/errors.ts";

/** An error in the words of the earlier server; null for those of the vault tools, which keep their own. */
export function failure({ code, message, details: { path, status, task } }: UserError): string | null {
  if (code === code.toLowerCase()) return null;
  if (code === "READ_ONLY") return "AuthError: Server is in read-only mode";
  if (code === "INDEX_ERROR" || code === "FILESYSTEM_ERROR") return `RuntimeError: ${message}`;
  if (code === "FILE_EXISTS") return `ValueError: File already exists: ${path}`;
  if (code === "FILE_NOT_FOUND") return `ValueError: File not found: ${task ?? path}`;
  // Only the gate, which refuses what leads out, names the path.
  if (code === "INVALID_PATH" && path !== undefined) return "ValueError: Path is outside VIBE_ROOT";
  if (code !== "INVALID_STATUS") return `ValueError: ${message}`;
  return `ValueError: Invalid status: ${status}. Must be one of: ${TASK_STATUSES.join(", ")}`;
}
