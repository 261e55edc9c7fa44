import type { ToolAnswer } from "../../../core/mcp/tool.ts";
import type { readDocTool } from "../../../core/mcp/tools/read-doc.ts";

export type Part = ToolAnswer<typeof readDocTool>;

/** A document as `read_doc` gives it, whole. */
export type Doc = Omit<Part, "backlinks" | "broken_links"> & {
  [K in "backlinks" | "broken_links"]: NonNullable<Part[K]>;
};

export type BrokenLink = Doc["broken_links"][number];
