import { REPOSITORY } from "./published.ts";

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
