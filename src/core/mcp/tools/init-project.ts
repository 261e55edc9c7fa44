import * as z from "zod";
import { STANDARD_FOLDERS } from "../../notes/names.ts";
import { initProject } from "../../workspace/init.ts";
import { defineTool } from "../tool.ts";
import { writeResult } from "./params.ts";

export const initProjectTool = defineTool({
  name: "init_project",
  title: "Create project",
  description:
    "Create a project with its eight folders and a status.md. Next: create_plan, then create_task.",
  access: "write",
  searchHint: "new project",
  input: () =>
    z.strictObject({
      project: z.string().describe("New name, e.g. payments-api"),
    }),
  output: () =>
    z.object({
      ...writeResult(),
      project: z.string(),
      absolute_path: z.string(),
      folders: z.array(z.string()),
    }),
  handle: async ({ project }, { workspace }) => {
    const { file, indexed } = await initProject(workspace, project);
    const folders = [...STANDARD_FOLDERS];
    return { success: true, project, path: project, absolute_path: file, folders, indexed };
  },
});
