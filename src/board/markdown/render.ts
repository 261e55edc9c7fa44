import { words } from "../language.ts";
import { startWorker } from "./trusted-html.ts";
import type { Question } from "./worker.ts";

/** The time for odd Markdown grows with the square of its length. */
const DEADLINE_MS = 3000;

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Markdown as HTML, or undefined if it takes too long to read. A worker reads it, so that the page answers meanwhile: one text after
 * the other, without those that are no longer wanted.
 */
export function render(text: string, signal: AbortSignal): Promise<string | undefined> {
  const html = last.then(() => (signal.aborted ? undefined : ask(text)));
  last = html;
  return html;
}

function ask(text: string): Promise<string | undefined> {
  worker ??= startWorker();
  const asked = worker;
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      asked.terminate();
      worker = undefined;
      resolve(undefined);
    };
    const timer = setTimeout(stop, DEADLINE_MS);
    asked.onerror = stop;
    asked.onmessage = ({ data }: MessageEvent<string>) => {
      clearTimeout(timer);
      resolve(data);
    };
    const { footnotes, back } = words.markdown;
    asked.postMessage({ text, words: { footnotes, back } } satisfies Question);
  });
}
