import type { Config } from "../config/options.ts";
import type { UserError } from "../lib/errors.ts";
import type { Guide } from "./instructions.ts";
import { allPrompts, type Prompt } from "./prompts/prompts.ts";
import { JSON_FORMAT, type ResourceFormat } from "./resources/resource.ts";
import { selectTools, type Tool } from "./tool.ts";
import { allTools } from "./tools/all.ts";

/** What differs between the APIs that a server can offer. */
export interface Api {
  tools: readonly Tool[];
  prompts: readonly Prompt[];
  resources: ResourceFormat;
  guide: Guide;
  /** A result for clients that read only text. */
  text(result: Record<string, unknown>): string;
  /** An error in this API's words; null for the envelope. */
  failure(error: UserError): string | null;
}

const V2: Api = {
  tools: allTools,
  prompts: allPrompts,
  resources: JSON_FORMAT,
  guide: {
    find:
      "Find with search, naming the project when you know it, then read_doc the best hit. " +
      "get_briefing brings you up to speed on a project; list_tasks with ready: true shows what can be started now; " +
      "get_plan gives the plan behind it.",
    write:
      "When you start a task, update_task_status; when you end, log_session what was done, what blocks and what comes next.",
    create: "init_project",
    list: "list_projects",
  },
  text: JSON.stringify,
  failure: () => null,
};

/** The API of a configuration with the tools it picks; only what it needs is loaded. Throws UsageError for an unknown tool. */
export async function loadApi({ api, vault, tools }: Pick<Config, "api" | "vault" | "tools">): Promise<Api> {
  const base = api === "v2" ? V2 : (await import("./api-v1/api.ts")).apiV1;
  const vaultTools = vault === undefined ? [] : (await import("./vault/all.ts")).vaultTools;
  return { ...base, tools: selectTools([...base.tools, ...vaultTools], tools) };
}
