import type { z } from "zod";
import { UserError } from "../../lib/errors.ts";
import { capitalized } from "../../lib/text.ts";
import { isOutside } from "../../workspace/find/own-path.ts";
import type { Tool } from "../tool.ts";

/** A tool of the earlier server. The title comes from the name, and errors about `..` use that server's wording. */
export function define<Input extends z.ZodType, Output extends z.ZodType>(
  access: Tool["access"],
  tool: Omit<Tool<Input, Output>, "title" | "access">,
): Tool<Input, Output> {
  const words = tool.name.replace("tool_", "").replaceAll("_", " ");
  const handle: typeof tool.handle = (args, context) => {
    checkNames(context.workspace.root, args as Record<string, unknown>);
    return tool.handle(args, context);
  };
  const title = capitalized(words);
  return { ...tool, title, access, listsAnswer: true, handle };
}

const CLIMBS = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/** Only decides the wording: the path gate refuses these and other names anyway. */
function checkNames(root: string, { project, folder, filename, task_file }: Record<string, unknown>): void {
  const climbs = (name: unknown) => typeof name === "string" && CLIMBS.test(name);
  if (climbs(project) || (typeof project === "string" && /\/|^\.?$/.test(project)))
    throw new UserError("INVALID_PATH", `Invalid project name: ${String(project).slice(0, 300)}`);
  if ([folder, filename, task_file].some(climbs))
    throw new UserError("INVALID_PATH", "Path traversal not allowed");
  const outside = [folder, filename, task_file].find((name) => isOutside(root, `${name ?? ""}`));
  if (outside) throw new UserError("INVALID_PATH", "Outside", { details: { path: `${outside}` } });
}
