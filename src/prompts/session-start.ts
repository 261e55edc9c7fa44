import { sessionStart } from "../workspace/briefing/briefing.ts";
import { focusArgument, projectArgument } from "./arguments.ts";
import type { Prompt } from "./prompt.ts";

export const sessionStartPrompt: Prompt = {
  name: "session_start",
  title: "Session start",
  description:
    "Everything needed to start working on a project, or on one task of it: the briefing with the plan and the full text of " +
    "open tasks, related files, the last session and suggested actions.",
  arguments: [projectArgument, focusArgument],
  render: sessionStart,
};
