import { pauses } from "../../lib/pauses.ts";
import type { ServedNotes } from "../../workspace/place/served-notes.ts";
import { createSubscriptions, MAX_SUBSCRIPTIONS, type Notify } from "./subscriptions.ts";

type Id = string | number;

/** A message of `subscriptions/listen`, as far as it is needed here: the SDK checks and answers it. */
export interface ListenRequest {
  method: "subscriptions/listen";
  id: Id;
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

export function isListen(message: unknown): message is ListenRequest {
  if (typeof message !== "object" || message === null) return false;
  return "method" in message && message.method === "subscriptions/listen" && "id" in message;
}

/** Notifies a client of what its open `subscriptions/listen` requests name. */
export function createListening(notes: ServedNotes, notify: Notify) {
  const requests = new Map<Id, string[]>();
  const subscriptions = createSubscriptions(notes, notify, () => requests.size > 0);
  const isNamed = (uri: string) => [...requests.values()].some((uris) => uris.includes(uri));
  return {
    /**
     * Returns the request without addresses that cannot be followed, so that the acknowledgement leaves them out; undefined if
     * it was ended meanwhile.
     */
    open: async (request: ListenRequest): Promise<ListenRequest | undefined> => {
      const uris: string[] = [];
      requests.set(request.id, uris);
      const pause = pauses();
      for (const uri of addressesOf(request)) {
        await pause();
        if (!requests.has(request.id)) return undefined;
        if (isFollowed(subscriptions, uri)) uris.push(uri);
      }
      await subscriptions.sync().catch(() => {});
      return requests.has(request.id) ? withAddresses(request, uris) : undefined;
    },
    end: (id: Id): void => {
      const uris = requests.get(id) ?? [];
      requests.delete(id);
      for (const uri of uris) if (!isNamed(uri)) subscriptions.unsubscribe(uri);
    },
    close: subscriptions.close,
  };
}

function addressesOf({ params }: ListenRequest): string[] {
  const uris = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(uris)) return [];
  return [...new Set(uris.slice(0, MAX_SUBSCRIPTIONS).filter((uri) => typeof uri === "string"))];
}

function withAddresses(request: ListenRequest, resourceSubscriptions: string[]): ListenRequest {
  const { params } = request;
  if (params?.notifications?.resourceSubscriptions === undefined) return request;
  return {
    ...request,
    params: { ...params, notifications: { ...params.notifications, resourceSubscriptions } },
  };
}

/** False for an address of nothing, and beyond the limit. */
function isFollowed(subscriptions: ReturnType<typeof createSubscriptions>, uri: string): boolean {
  try {
    return subscriptions.add(uri);
  } catch {
    return false;
  }
}
