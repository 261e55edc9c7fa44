import { UserError } from "../lib/errors.ts";
import type { Changes } from "../workspace/feed.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { addressOf } from "./read.ts";

/** What one client wants to be told of. */
export interface Subscriptions {
  /** Throws the workspace's own errors for what does not exist. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  close(): void;
}

/** How a client is told; what cannot be told any more is not. */
export interface Notify {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
}

const MOST = 1000;

/** Follows the workspace until it is closed: its list for everybody, single resources for those who ask. */
export function createSubscriptions(workspace: Workspace, notify: Notify): Subscriptions {
  /** The place that each address names: a path, `""` for all projects. */
  const places = new Map<string, string>();
  const stop = workspace.follow({
    isWaiting: () => places.size > 0,
    notify: ({ paths, isListing }: Changes) => {
      // A project shows its documents' names and states, and the list of projects shows their numbers.
      const uris = [...places].filter(([, place]) => paths.has(place)).map(([uri]) => uri);
      const sent = [...uris.map(notify.updated), ...(isListing ? [notify.listChanged()] : [])];
      void Promise.allSettled(sent);
    },
  });
  return {
    subscribe: async (uri) => {
      if (places.size >= MOST && !places.has(uri)) throw tooMany();
      places.set(uri, placeOf(workspace, uri));
      // What changes from now on is told: what changed before has to be known.
      await workspace.query(() => {});
    },
    unsubscribe: (uri) => void places.delete(uri),
    close: stop,
  };
}

function placeOf(workspace: Workspace, uri: string): string {
  const address = addressOf(uri);
  if (address.kind === "projects") return "";
  if (address.kind === "project") return workspace.findProject(address.project);
  return workspace.read(address).path;
}

function tooMany(): UserError {
  const message = `A client may subscribe to ${MOST} resources. Unsubscribe from some, or subscribe to their projects instead.`;
  return new UserError("INVALID_ARGUMENT", message);
}
