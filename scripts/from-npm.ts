import { CLIENTS } from "../src/setup/clients/table.ts";

const LAUNCH = { command: "npx", args: ["-y", "vibe-mcp"] };

/** What docs/clients.md says about the package on npm. */
export function fromNpm(isPublished: boolean): string {
  if (!isPublished)
    return "npm does not have the package yet: install it [from a clone](../README.md#use-it-for-your-project).\n";
  return `\`npx vibe-mcp init\` needs no clone, and \`npm install --global vibe-mcp\` makes it the command \`vibe-mcp\`. Started by npx, \`connect\` writes
\`npx -y vibe-mcp\` into the settings, which a team can share. With one click: [Cursor](${cursorLink()}) · [VS Code](${vscodeLink()})
`;
}

function cursorLink(): string {
  const config = Buffer.from(JSON.stringify(LAUNCH)).toString("base64");
  return `https://cursor.com/install-mcp?${new URLSearchParams({ name: "vibe", config })}`;
}

function vscodeLink(): string {
  const entry = CLIENTS.find(({ name }) => name === "vscode")?.stdio(LAUNCH);
  const query = new URLSearchParams({ name: "vibe", config: JSON.stringify(entry) });
  return `https://insiders.vscode.dev/redirect/mcp/install?${query}`;
}
