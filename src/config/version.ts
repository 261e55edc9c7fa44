/** Replaced by the version of package.json when the single file is built. */
declare const VIBE_MCP_VERSION: string | undefined;

export const VERSION = typeof VIBE_MCP_VERSION === "string" ? VIBE_MCP_VERSION : "0.0.0-dev";
