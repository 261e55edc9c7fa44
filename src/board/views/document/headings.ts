import { useEffect } from "preact/hooks";
import { idOf, type Parsed } from "../../markdown/markdown.tsx";
import { route } from "../../route.ts";
import { useStore } from "../../store.ts";

export function readRouteHeading(): string | undefined {
  return route.get().parameters["heading"];
}

/** To the heading of the address, when it changes or the first headings are there. */
export function useHeadingScroll(parsed: Parsed): void {
  const heading = useStore(route, (value) => value.parameters["heading"]);
  const isRead = parsed.headings.length > 0;
  useEffect(() => {
    if (heading !== undefined) scrollToHeading(heading);
  }, [heading, isRead]);
}

function scrollToHeading(heading: string): void {
  const element = document.getElementById(idOf(heading));
  element?.scrollIntoView();
  element?.focus({ preventScroll: true });
}

/** A link to the present address changes nothing, so the browser says nothing. */
export function scrollAgain({ target }: Event): void {
  const link = target instanceof Element ? target.closest("a") : null;
  const heading = readRouteHeading();
  if (link?.href === location.href && heading !== undefined) scrollToHeading(heading);
}
