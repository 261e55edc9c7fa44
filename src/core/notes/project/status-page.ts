import { renderHeading } from "../../markdown/embed.ts";

/** The `status.md` of a new project. */
export function renderStatus(project: string, date: string): string {
  return `${renderHeading(1, project)}

## Current Status

Project created on ${date}. No work has started yet.

## Decisions

## Next

- Write the execution plan.
- Create the first tasks.
`;
}

const CREATED = /^Project created on .{10}\. No work has started yet\.[ \t]*/gm;

/** A status page without what it said when its project was made, also by an earlier version; `""` if only titles are left. */
export function saidInStatus(text: string): string {
  const template = new Set(renderStatus("", "").split("\n").filter(Boolean));
  const said: string[] = [];
  let below = "";
  for (const line of text.replace(CREATED, "").split(/\r?\n/).reverse()) {
    const isHeading = line.startsWith("#");
    const saysNothing = !isHeading || below === "" || below.startsWith("#");
    if (template.has(line.trimEnd()) && saysNothing) continue;
    said.push(line);
    if (line.trim() !== "") below = line;
  }
  return said.every((line) => line.trim() === "" || line.startsWith("# ")) ? "" : said.reverse().join("\n");
}
