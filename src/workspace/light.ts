import { findProject } from "./locate.ts";
import { readDocument } from "./read.ts";
import type { Workspace, WorkspaceOptions } from "./workspace.ts";

/** What reads documents by their name, and loads the index only when somebody searches. */
export type LightWorkspace = Pick<
  Workspace,
  "root" | "clock" | "findProject" | "read" | "query" | "search" | "close"
>;

export function openLightWorkspace(options: WorkspaceOptions): LightWorkspace {
  const { root } = options.config;
  let opening: Promise<Workspace> | undefined;
  const whole = () => {
    opening ??= import("./workspace.ts").then(({ openWorkspace }) => openWorkspace(options));
    return opening;
  };
  return {
    root,
    clock: options.clock,
    findProject: (name) => findProject(root, name),
    read: (name) => readDocument(root, name),
    query: async (read) => (await whole()).query(read),
    search: async (request) => (await whole()).search(request),
    close: async () => (await opening)?.close(),
  };
}
