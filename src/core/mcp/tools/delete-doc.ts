import * as z from "zod";
import { deleteDocument } from "../../workspace/delete.ts";
import { namedHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { firstOf } from "./move-doc.ts";
import { changeId, count, hint, params } from "./params.ts";

export const deleteDocTool = defineTool({
  name: "delete_doc",
  title: "Delete document",
  description:
    "Delete a document that is of no more use; archive finished work with move_doc instead. " +
    "The answer lists the links that break, and how to restore it.",
  access: "write",
  searchHint: "remove a note",
  destructive: true,
  input: () => z.strictObject({ ...params.named(), expected_hash: z.string().describe("From read_doc") }),
  output: () =>
    z.object({
      success: z.boolean(),
      path: z.string(),
      change: changeId(),
      restore: z.object({ path: z.string(), change: z.string() }).optional(),
      broken_links: z
        .object({
          total: count(),
          list: z.array(z.object({ path: z.string(), line: count(), link: z.string() })),
        })
        .optional(),
      hint: hint(),
    }),
  handle: async ({ expected_hash, ...given }, { workspace, current }) => {
    const name = await namedHere(given, current);
    const { path, change, broken } = await deleteDocument(workspace, name, expected_hash);
    const hint = change === undefined ? NO_HISTORY : "To bring it back, call restore_doc with 'change'.";
    return { success: true, ...describeDeletion(path, change, broken), hint };
  },
});

type Broken = Awaited<ReturnType<typeof deleteDocument>>["broken"];

/** What a deletion changes, as answers show it; `change` has the text, if it is kept. */
export function describeDeletion(path: string, change: string | undefined, broken: Broken) {
  const links = broken.map(({ path, line, before: link }) => ({ path, line, link }));
  return {
    path,
    ...(change !== undefined && { change, restore: { path, change } }),
    ...(links.length > 0 && { broken_links: firstOf(links) }),
  };
}

const NO_HISTORY = "This server keeps no history (--history off): the document cannot be restored.";
