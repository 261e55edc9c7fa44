import type { ToolAnswer } from "../../core/mcp/tool.ts";
import type { historyTool } from "../../core/mcp/tools/history.ts";

/** What `history` answers. */
export type Page = ToolAnswer<typeof historyTool>;

/** A change of one file, as `history` lists it; without `bytes` there is no text to restore. */
export type Version = Page["versions"][number];

/** A change in the feed; one from outside is known to this page alone. */
export type Entry = Version & { isOutside?: true };

/** Who writes; `outside` is a program that this server knows nothing of. */
export type Kind = "agent" | "person" | "outside";
