import { useEffect, useRef, useState } from "preact/hooks";
import { baseName } from "../../notes/names.ts";
import { words } from "../language.ts";
import { readPicture } from "../state.ts";
import type { PictureTarget } from "./links.ts";

/** So far from the window, pictures are loaded. */
const NEAR = "50%";

/** A picture of the workspace: its name until it comes near the window and is loaded, and if it cannot be. */
export function Picture({ paths, label }: PictureTarget) {
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let shown: string | undefined;
    const show = async () => {
      shown = await load(paths, signal);
      if (!signal.aborted) setUrl(shown);
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        observer.disconnect();
        void show();
      },
      { rootMargin: NEAR },
    );
    if (place.current !== null) observer.observe(place.current);
    return () => {
      stop.abort();
      observer.disconnect();
      if (shown !== undefined) URL.revokeObjectURL(shown);
    };
  }, [paths.join("\n")]);
  const name = label || baseName(paths[0] ?? "");
  if (url === undefined)
    return (
      <span ref={place} class="chip">
        {words.markdown.image}: {name}
      </span>
    );
  return <img class="md-picture" src={url} alt={name} onError={() => setUrl(undefined)} />;
}

let last: Promise<unknown> = Promise.resolve();

/** An address that only an image of this page can use, or undefined. One picture after the other: a note may name thousands. */
function load(paths: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const url = last.then(() => firstOf(paths, signal));
  last = url;
  return url;
}

async function firstOf(paths: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  for (const path of paths) {
    if (signal.aborted) return undefined;
    // It may be at the next place, and is shown as a name if it is at none.
    const picture = await readPicture(path).catch(() => undefined);
    if (picture !== undefined && !signal.aborted) return URL.createObjectURL(picture);
  }
  return undefined;
}
