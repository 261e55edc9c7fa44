import type { ToolAnswer } from "../mcp/tool.ts";
import type { listProjectsTool } from "../mcp/tools/list-projects.ts";
import type { listTasksTool } from "../mcp/tools/list-tasks.ts";

/** A task as `list_tasks` shows it. */
export type Task = ToolAnswer<typeof listTasksTool>["tasks"][number];

/** One project as `list_projects` shows it, with its files. */
export type Listing = ToolAnswer<typeof listProjectsTool>;

/** A project in the list of all. */
export type Project = NonNullable<Listing["projects"]>[number];
