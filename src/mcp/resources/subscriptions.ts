import { UserError } from "../../lib/errors.ts";
import type { Changes } from "../../workspace/change-feed.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { addressOf } from "./resource.ts";

/** Sends notifications to a client; failures are ignored. */
export interface Notify {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
}

export const MAX_SUBSCRIPTIONS = 1000;

/** Notifies a client of changes to the list and to its resources, until it is closed. `isListening` to the list alone. */
export function createSubscriptions(workspace: Workspace, notify: Notify, isListening = () => false) {
  /** The path of each URI; `""` for all projects. */
  const pathsByUri = new Map<string, string>();
  const stop = workspace.follow({
    isWaiting: () => pathsByUri.size > 0 || isListening(),
    notify: ({ paths, isListing }: Changes) => {
      // A change to a document also changes its project and the list of projects.
      const uris = [...pathsByUri].filter(([, path]) => paths.has(path)).map(([uri]) => uri);
      const sent = [...uris.map(notify.updated), ...(isListing ? [notify.listChanged()] : [])];
      void Promise.allSettled(sent);
    },
  });
  /** Throws the workspace's own errors for what does not exist. */
  const add = (uri: string): void => {
    if (pathsByUri.size >= MAX_SUBSCRIPTIONS && !pathsByUri.has(uri)) throw tooMany();
    pathsByUri.set(uri, pathOf(workspace, uri));
  };
  /** Afterwards, only later changes are reported. */
  const sync = () => workspace.query(() => {});
  return {
    ...{ add, sync },
    subscribe: async (uri: string): Promise<void> => {
      add(uri);
      await sync();
    },
    unsubscribe: (uri: string) => void pathsByUri.delete(uri),
    close: stop,
  };
}

function pathOf(workspace: Workspace, uri: string): string {
  const address = addressOf(uri);
  if (address.kind === "projects") return "";
  if (address.kind === "project") return workspace.findProject(address.project);
  return workspace.read(address).path;
}

function tooMany(): UserError {
  const message = `A client may subscribe to ${MAX_SUBSCRIPTIONS} resources. Unsubscribe from some, or subscribe to their projects.`;
  return new UserError("INVALID_ARGUMENT", message);
}
