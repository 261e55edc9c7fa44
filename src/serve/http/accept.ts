import type { IncomingMessage } from "node:http";
import { protocolRefusal } from "./exchange.ts";

export const JSON_TYPE = "application/json";
export const STREAM_TYPE = "text/event-stream";

const NOT_ACCEPTABLE = -32000;

/** The kinds of answers that a client takes, the one it likes most first; a stream of its own is no JSON. Throws Refusal if there is none. */
export function answerTypes({ method, headers }: Pick<IncomingMessage, "method" | "headers">): string[] {
  const ranges = rangesOf(headers.accept?.trim() || "*/*");
  const offered = method === "GET" ? [STREAM_TYPE] : [JSON_TYPE, STREAM_TYPE];
  // A client that takes both equally gets a stream if it names that kind.
  if (ranges.has(STREAM_TYPE)) offered.reverse();
  const types = offered
    .filter((type) => quality(ranges, type) > 0)
    .sort((a, b) => quality(ranges, b) - quality(ranges, a));
  if (types.length > 0) return types;
  throw protocolRefusal(406, NOT_ACCEPTABLE, `Not Acceptable: send Accept: ${offered.join(", ")}`);
}

/** What a header such as `text/*;q=0.5, application/json` accepts, with its quality. */
export function rangesOf(header: string): ReadonlyMap<string, number> {
  return new Map(header.toLowerCase().split(",").map(rangeOf));
}

function rangeOf(text: string): [range: string, quality: number] {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim());
  const given = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
  return [range, Number.isNaN(given) ? 1 : given];
}

/** The most specific range counts. */
function quality(ranges: ReadonlyMap<string, number>, type: string): number {
  const range = [type, type.replace(/\/.*/, "/*"), "*/*"].find((one) => ranges.has(one));
  return range === undefined ? 0 : (ranges.get(range) ?? 0);
}
