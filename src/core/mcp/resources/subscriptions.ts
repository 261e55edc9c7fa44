import type { Changes } from "../../indexing/change-feed.ts";
import { UserError } from "../../lib/errors.ts";
import { documentPath } from "../../notes/document.ts";
import { addressOf } from "../../notes/link/address.ts";
import { repositoryFile } from "../../notes/repository-path.ts";
import { findIfThere } from "../../workspace/find/document.ts";
import { matchName } from "../../workspace/find/entries.ts";
import { documentNotFound } from "../../workspace/find/not-found.ts";
import type { ServedNotes } from "../../workspace/place/served-notes.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Sends notifications to a client; failures are ignored. */
export interface Notify {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
}

export const MAX_SUBSCRIPTIONS = 1000;
/** Addresses of one resource, in different spellings: each of its changes is told once for each. */
const MAX_SPELLINGS = 4;

/** Notifies a client of changes to the list and to its resources, until it is closed. `isListening` to the list alone. */
export function createSubscriptions(notes: ServedNotes, notify: Notify, isListening = () => false) {
  /** The path of each URI; `""` for all projects. */
  const pathsByUri = new Map<string, string>();
  const follow = () =>
    notes.workspace.index.follow({
      isWaiting: () => pathsByUri.size > 0 || isListening(),
      notify: ({ paths, isListing }: Changes) => {
        // A change to a document also changes its project and the list of projects.
        const uris = [...pathsByUri].filter(([, path]) => paths.has(path)).map(([uri]) => uri);
        const sent = [...uris.map(notify.updated), ...(isListing ? [notify.listChanged()] : [])];
        void Promise.allSettled(sent);
      },
    });
  let stop = follow();
  // What was subscribed to belongs to the notes that are no longer served.
  const stopChanges = notes.onChange(() => {
    stop();
    pathsByUri.clear();
    stop = follow();
    void notify.listChanged().catch(() => {});
  });
  /** Whether the address is followed from now on: false for one of nothing. Throws beyond the limits. */
  const add = (uri: string): boolean => {
    const path = pathOf(notes.workspace, uri);
    if (path === undefined) return false;
    const alike = [...pathsByUri.values()].filter((one) => one === path);
    if (pathsByUri.size >= MAX_SUBSCRIPTIONS || alike.length >= MAX_SPELLINGS)
      if (!pathsByUri.has(uri)) throw tooMany();
    pathsByUri.set(uri, path);
    return true;
  };
  /** Afterwards, only later changes are reported. */
  const sync = () => notes.workspace.index.query(() => {});
  return {
    add,
    sync,
    /** Throws the workspace's own errors for what does not exist. */
    subscribe: async (uri: string): Promise<void> => {
      if (!add(uri)) throw notFound(notes.workspace, uri);
      await sync();
    },
    unsubscribe: (uri: string) => void pathsByUri.delete(uri),
    close: () => {
      stopChanges();
      stop();
    },
  };
}

/** Undefined if there is no such resource. Reads no document and suggests nothing: a client may name many. */
function pathOf(workspace: Workspace, uri: string): string | undefined {
  const address = addressOf(uri);
  if (address.kind === "projects") return "";
  const project = matchName(workspace.projectNames(), address.project);
  if (project === undefined || address.kind === "project") return project;
  if (repositoryFile(documentPath(address)) !== undefined) return undefined;
  return findIfThere(workspace.root, { ...address, project });
}

function notFound(workspace: Workspace, uri: string): UserError {
  const address = addressOf(uri);
  if (address.kind === "document")
    return documentNotFound(workspace.root, { ...address, project: workspace.findProject(address.project) });
  if (address.kind === "project") workspace.findProject(address.project);
  return new UserError("FILE_NOT_FOUND", "There is no such resource.");
}

function tooMany(): UserError {
  const message = `A client may subscribe to ${MAX_SUBSCRIPTIONS} resources. Unsubscribe from some, or subscribe to their projects.`;
  return new UserError("INVALID_ARGUMENT", message);
}
