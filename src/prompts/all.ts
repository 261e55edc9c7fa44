import { projectBriefingPrompt } from "./project-briefing.ts";
import type { Prompt } from "./prompt.ts";
import { sessionStartPrompt } from "./session-start.ts";

export const allPrompts: readonly Prompt[] = [projectBriefingPrompt, sessionStartPrompt];
