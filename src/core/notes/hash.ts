import { UserError } from "../lib/errors.ts";

/** Enough to tell versions of one document apart. */
const SHOWN_DIGITS = 16;

/** A hash as answers show it: its first 16 digits. */
export function shortHash(hash: string): string {
  return hash.slice(0, SHOWN_DIGITS);
}

/** Whether `expected`, a hash as a client passes it, is the beginning of `hash`. Throws INVALID_ARGUMENT unless it is one. */
export function matchesHash(hash: string | undefined, expected: string): boolean {
  const digits = expected.trim().toLowerCase();
  if (!/^[0-9a-f]{16,64}$/.test(digits)) {
    const message =
      "'expected_hash' must be 16 to 64 hexadecimal digits. Pass the hash that came with the text.";
    throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "expected_hash" } });
  }
  return hash?.startsWith(digits) ?? false;
}
