import type { ReadDocument } from "./document.ts";

const FRESH_MS = 300_000;
const MAX_DOCUMENTS = 100;
const WINDOW_MS = 60_000;
const MAX_READS = 30;

/**
 * Reads a document once in five minutes, and few in all: a stranger who asks for pages makes this machine call others
 * that seldom at most. `now` in milliseconds.
 */
export function rememberDocuments(read: ReadDocument, now: () => number): ReadDocument {
  const texts = new Map<string, { text: string; until: number }>();
  let window = { until: 0, reads: 0 };
  return async (url) => {
    const kept = texts.get(url);
    if (kept !== undefined && now() < kept.until) return kept.text;
    if (now() >= window.until) window = { until: now() + WINDOW_MS, reads: 0 };
    if (++window.reads > MAX_READS) throw new Error("too many documents were asked for");
    const text = await read(url);
    texts.delete(url);
    texts.set(url, { text, until: now() + FRESH_MS });
    const [oldest = ""] = texts.keys();
    if (texts.size > MAX_DOCUMENTS) texts.delete(oldest);
    return text;
  };
}
