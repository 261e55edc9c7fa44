import type { Config } from "./config.ts";
import type { Guide } from "./instructions.ts";
import type { UserError } from "./lib/errors.ts";
import { allPrompts, type Prompt } from "./prompts/prompts.ts";
import { JSON_FORMAT, type ResourceFormat } from "./resources/read.ts";
import { selectTools, type Tool } from "./tool.ts";
import { allTools } from "./tools/all.ts";

/** What clients of one API meet that those of another do not. */
export interface Dialect {
  /** A read-only server leaves out those that write. */
  tools: readonly Tool[];
  prompts: readonly Prompt[];
  resources: ResourceFormat;
  guide: Guide;
  /** What a result says to clients that read only text. */
  text(result: Record<string, unknown>): string;
  /** What an error says; null for the envelope. */
  failure(error: UserError): string | null;
}

const V2: Dialect = {
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

/**
 * The dialect of a configuration, with the tools that it picks. What only some configurations need is loaded for those
 * alone. Throws UsageError for a name that is no tool's.
 */
export async function loadDialect({
  api,
  vault,
  tools,
}: Pick<Config, "api" | "vault" | "tools">): Promise<Dialect> {
  const dialect = api === "v2" ? V2 : (await import("./api-v1/api.ts")).apiV1;
  const vaultTools = vault === undefined ? [] : (await import("./vault/all.ts")).vaultTools;
  return { ...dialect, tools: selectTools([...dialect.tools, ...vaultTools], tools) };
}
