import { useEffect, useRef, useState } from "preact/hooks";
import { documentUri } from "../../core/notes/link/address.ts";
import { baseName } from "../../core/notes/names.ts";
import { words } from "../language.ts";
import { client, loggedIn } from "../state.ts";
import type { PictureTarget } from "./links.ts";

/** So far from the window, pictures are loaded. */
const NEAR = "50%";

/** A picture of the workspace: its name until it comes near the window and is loaded, and if it cannot be. An SVG waits for a click: it may cost anything to paint. */
export function Picture({ paths, label }: PictureTarget) {
  const [isWanted, setWanted] = useState(!/\.svg$/i.test(paths[0] ?? ""));
  const name = label || baseName(paths[0] ?? "");
  if (isWanted) return <LoadedPicture paths={paths} name={name} />;
  return (
    <button
      type="button"
      class="chip"
      onClick={(event) => {
        // It may stand in a link.
        event.preventDefault();
        setWanted(true);
      }}
    >
      {words.markdown.image}: {name}
    </button>
  );
}

function LoadedPicture({ paths, name }: { paths: readonly string[]; name: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const [{ url, problem }, setLoaded] = useState<Loaded>({});
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let shown: Loaded = {};
    const show = async () => {
      shown = await load(paths, signal);
      if (!signal.aborted) setLoaded(shown);
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
      if (shown.url !== undefined) URL.revokeObjectURL(shown.url);
    };
  }, [paths.join("\n")]);
  if (url === undefined)
    return (
      <span ref={place} class="chip" title={problem}>
        {words.markdown.image}: {name}
      </span>
    );
  return <img class="md-picture" src={url} alt={name} onError={() => setLoaded({})} />;
}

let last: Promise<unknown> = Promise.resolve();

/** An address that only an image of this page can use, or why there is none. */
interface Loaded {
  url?: string;
  problem?: string;
}

/** One picture after the other: a note may name thousands. */
function load(paths: readonly string[], signal: AbortSignal): Promise<Loaded> {
  const loaded = last.then(() => firstOf(paths, signal));
  last = loaded;
  return loaded;
}

async function firstOf(paths: readonly string[], signal: AbortSignal): Promise<Loaded> {
  let problem: string | undefined;
  for (const path of paths) {
    if (signal.aborted) return {};
    // It may be at the next place, and is shown as a name if it is at none.
    const picture = await loggedIn(() => client.readBytes(documentUri(path))).catch((error: Error) => {
      problem = error.message;
    });
    if (picture && !signal.aborted) return { url: URL.createObjectURL(picture) };
  }
  return problem === undefined ? {} : { problem };
}
