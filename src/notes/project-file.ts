import { oneLine, renderHeading } from "../markdown/inline.ts";

/** The `status.md` of a new project. */
export function renderStatus(project: string, date: string): string {
  return `${renderHeading(1, project)}

## Current Status

Project created on ${oneLine(date)}. No work has started yet.

## Next

- Write the execution plan.
- Create the first tasks.
`;
}
