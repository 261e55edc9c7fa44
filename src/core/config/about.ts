import { REPOSITORY } from "./published.ts";

/** The mark of the page and of the server, as an address. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231a56b0'/%3E%3Cpath d='M4 4v8M8 4v5M12 4v6' stroke='white' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E";

/** What package.json, the registry's entry and plugins say about this program; `npm run docs` writes it into them. */
export const ABOUT = {
  description:
    "Project context for AI agents: fast, safe, ranked access over MCP to plain Markdown projects, tasks, plans and sessions.",
  keywords: [
    "mcp",
    "model-context-protocol",
    "markdown",
    "full-text-search",
    "sqlite",
    "fts5",
    "tasks",
    "notes",
    "agents",
  ],
  license: "MIT",
  homepage: `${REPOSITORY}#readme`,
  bugs: `${REPOSITORY}/issues`,
  repository: REPOSITORY,
} as const;
