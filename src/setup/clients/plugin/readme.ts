import { ABOUT } from "../../../core/config/about.ts";

/** What people read in the folder of a plugin. */
export function readme(): string {
  return `# vibe

${ABOUT.description}

This plugin starts the MCP server \`vibe\` with the single file in \`server/\`, which needs Node.js 20.19 or later and downloads nothing.
Its hook begins each session, and goes on after a compaction, with a briefing on the project of the current folder; without a project
it adds nothing. Its skill teaches the agent when to search, claim tasks, tick steps, write down decisions and log the session.

Once you say yes (\`vibe-mcp init\` asks, \`vibe-mcp capture --on\`, or by its full path as below), hooks also keep what a session was about when it ends,
and before it is compacted: what you asked, the agent's last words, changed files, commits, failed commands, tasks and tokens, with
secrets masked, at most 40 lines in the project's \`sessions\` folder. Before that, and after \`capture --off\`, they keep nothing.

The notes are Markdown files in \`~/.vibe\`, or in the repository if it keeps its own. In your project's folder,
\`node server/vibe-mcp.cjs init\` (by its full path) creates the project. The notes stay when you remove the plugin.

Documentation: ${ABOUT.homepage}
`;
}
