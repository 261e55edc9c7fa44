import { createStore } from "./store.ts";

export const VIEWS = ["board", "inbox", "today", "project", "search", "document"] as const;
export type View = (typeof VIEWS)[number];

/** What the fragment of the page's address says: `#/board?project=payments-api&text=login`. */
export interface Route {
  view: View;
  parameters: Readonly<Record<string, string>>;
}

export const route = createStore<Route>(readRoute());

addEventListener("hashchange", () => route.update(readRoute));

function readRoute(): Route {
  const [, name = "", query = ""] = /^#\/?([^?]*)\??(.*)$/s.exec(location.hash) ?? [];
  const view = VIEWS.find((one) => one === name) ?? "board";
  const parameters = Object.fromEntries(new URLSearchParams(query));
  // As bookmarks have it.
  if (view === "board" && parameters["state"] === "you") return { view: "inbox", parameters: {} };
  return { view: view === "project" && !parameters["name"] ? "board" : view, parameters };
}

/** The address of a view, for links. Empty parameters are left out. */
export function addressOf(view: View, parameters: Record<string, string | undefined> = {}): string {
  const filled = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(filled).toString();
  return `#/${view}${query && `?${query}`}`;
}

/** The address of the place among those of the rail that a route is in, whatever else filters there. */
export function placeOf({ view, parameters: { state, project, name } }: Route): string {
  if (view !== "board") return addressOf(view, { name: view === "project" ? name : undefined });
  return addressOf(view, state === "ready" ? { state } : { project });
}

/** Names where one is: filters do not change it. */
export function placeIn({ view, parameters: { name, path } }: Route): string {
  return [view, name, path].join("\n");
}

export function navigate(view: View, parameters?: Record<string, string | undefined>): void {
  location.hash = addressOf(view, parameters);
  route.update(readRoute);
}

/** Changes parameters of the present view without a new step in the browser's history. */
export function setParameters(changes: Record<string, string | undefined>): void {
  const { view, parameters } = readRoute();
  history.replaceState(null, "", addressOf(view, { ...parameters, ...changes }));
  route.update(readRoute);
}

/** A secret from the address, which then loses it. It is never part of a URL that is sent. */
export function takeSecret(name: "token" | "code"): string | undefined {
  const { view, parameters } = readRoute();
  const { [name]: secret, ...others } = parameters;
  if (secret !== undefined) {
    history.replaceState(null, "", addressOf(view, others));
    route.update(readRoute);
  }
  return secret;
}
