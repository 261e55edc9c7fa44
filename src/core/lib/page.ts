/** What the web page and the server agree on. */

/** What the web page calls itself: a person acts there. */
export const PAGE_CLIENT = "vibe-mcp board";

/**
 * What the page and the server sign to know each other without sending the token, as HMAC-SHA-256 in base64url: the key with the
 * token, all else with the key.
 */
export const SIGNED = {
  key: "vibe-mcp page",
  /** Shows that the page has the key. */
  page: (nonce: string) => `page ${nonce}`,
  /** Shows that the server has it, too. */
  server: (nonce: string, run: string) => `server ${nonce} ${run}`,
  /** Opens this run of the server, and no other. */
  pass: (run: string) => `pass ${run}`,
} as const;

/** Where a result names the changes in the history that a call of the page made. */
export const CHANGES = "vibe-mcp/changes";
