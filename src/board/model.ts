import type { ToolAnswer } from "../core/mcp/tool.ts";
import type { listProjectsTool } from "../core/mcp/tools/list-projects.ts";
import type { listTasksTool, SpareField } from "../core/mcp/tools/list-tasks.ts";

type Listed = ToolAnswer<typeof listTasksTool>["tasks"][number];

/** A task as `list_tasks` shows it: to people, with all fields. */
export type Task = Listed & { [F in SpareField]: Exclude<Listed[F], undefined> };

/** One project as `list_projects` shows it, with its files. */
export type Listing = ToolAnswer<typeof listProjectsTool>;

/** A project in the list of all. */
export type Project = NonNullable<Listing["projects"]>[number];
