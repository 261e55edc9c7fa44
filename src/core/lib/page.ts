/** What the web page and the server agree on. */

/** What the web page calls itself: a label, which gives no rights. */
export const PAGE_CLIENT = "vibe-mcp board";

/** Where a result names the changes in the history that a call of the page made. */
export const CHANGES = "vibe-mcp/changes";
