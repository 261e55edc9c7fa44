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

/** Whether a status page says no more than when its project was made, under whatever name and by an earlier version. */
export function isUntouchedStatus(text: string): boolean {
  const date = /^Project created on (.{10})\. /m.exec(text)?.[1];
  return date !== undefined && saidIn(text) === saidIn(renderStatus("x", date));
}

function saidIn(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== "" && line !== "## Decisions" && !line.startsWith("# ")).join("\n");
}
