import { projectBriefing } from "../workspace/briefing/briefing.ts";
import { projectArgument } from "./arguments.ts";
import type { Prompt } from "./prompt.ts";

export const projectBriefingPrompt: Prompt = {
  name: "project_briefing",
  title: "Project briefing",
  description:
    "Get me up to speed on a project: numbers, status, active, blocked and pending tasks, last sessions, decisions.",
  arguments: [projectArgument],
  render: (workspace, { project }) => projectBriefing(workspace, project),
};
