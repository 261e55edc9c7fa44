/** Whether npm has the package. Until then no message, no client's settings and no page may name `npx vibe-mcp`. */
export const IS_PUBLISHED: boolean = false;

/** Where the sources are: a fork changes this line. */
export const REPOSITORY = "https://github.com/vibe-mcp/vibe-mcp";
