import type { IncomingMessage } from "node:http";
import { protocolRefusal } from "./exchange.ts";

export const JSON_TYPE = "application/json";
export const STREAM_TYPE = "text/event-stream";

const NOT_ACCEPTABLE = -32000;

/** The kinds of answers that a client takes, the one it likes most first; a stream of its own is no JSON. Throws Refusal if there is none. */
export function answerTypes({ method, headers }: Pick<IncomingMessage, "method" | "headers">): string[] {
  const ranges = rangesOf(headers.accept?.trim() || "*/*");
  const offered = method === "GET" ? [STREAM_TYPE] : [JSON_TYPE, STREAM_TYPE];
  // A client that takes both gets a stream if it names that kind.
  if (ranges.has(STREAM_TYPE)) offered.reverse();
  const types = offered.filter((type) =>
    [type, type.replace(/\/.*/, "/*"), "*/*"].some((range) => ranges.has(range)),
  );
  if (types.length > 0) return types;
  throw protocolRefusal(406, NOT_ACCEPTABLE, `Not Acceptable: send Accept: ${offered.join(", ")}`);
}

export function takesGzip({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return rangesOf(String(headers["accept-encoding"] ?? "")).has("gzip");
}

/** What a header such as `text/*, application/json` accepts. How much a client likes each is not read. */
function rangesOf(header: string): ReadonlySet<string> {
  return new Set(
    header
      .toLowerCase()
      .split(",")
      .map((range) => range.split(";", 1)[0]?.trim() ?? ""),
  );
}
