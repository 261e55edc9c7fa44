import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { RequestId, Server, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveSdk } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../lib/log.ts";
import type { Era } from "../mcp/protocol.ts";
import { createListening, isListen } from "../mcp/resources/listen.ts";
import type { ServedNotes } from "../workspace/place/served-notes.ts";
import { cancelledId, trackReplies } from "./replies.ts";
import { checkedLines, unknownRevision } from "./stdio-input.ts";

export interface StdioOptions {
  notes: ServedNotes;
  createServer: (era: Era) => Server;
  stdin: Readable;
  stdout: Writable;
  log: Log;
  /** Aborted by a signal of the operating system. */
  stop: AbortSignal;
}

/** A message may hold a whole document; the SDK's default of 10 MB would close the connection silently. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
/** For pending replies: after the client closed its end, and after a signal. */
const GRACE_MS = { end: 60_000, signal: 2_000 };
/** A pending reply waits this long for files to be indexed. */
const INDEXING_MS = 50;

/** Serves one client until it leaves or `stop` is aborted; pending replies are still written. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { notes, stdin, stdout, log, stop } = options;
  // The transport would close at the end of its input, with replies still pending.
  const lines = checkedLines((id, error) => void answer(transport, id, error));
  const input = stdin.pipe(lines, { end: false });
  // The last line may have no end, or be torn.
  stdin.once("end", () => lines.write("\n"));
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  // Every answer that waits for a full pipe adds a listener.
  stdout.setMaxListeners(0);
  const broken = outputBroken(stdout);
  const close = startServing(transport, options);
  const ended = Promise.race([inputEnded(stdin), closed(transport)]);
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  const replies = trackReplies(transport);
  await Promise.race([ended, broken, stopped]);
  await Promise.race([replies.drained(), broken, stopped, wait(INDEXING_MS)]);
  notes.workspace.stopIndexing();
  const grace = stop.aborted ? GRACE_MS.signal : GRACE_MS.end;
  await Promise.race([replies.drained(), broken, wait(grace), stopped.then(() => wait(GRACE_MS.signal))]);
  log.debug("the client has left");
  await close();
}

/** The first message decides which revision the client speaks. Returns a function that ends the service. */
function startServing(transport: Transport, { createServer, notes, log }: StdioOptions): () => Promise<void> {
  let server: Server | undefined;
  const handle = serveSdk(
    ({ era }) => {
      const created = createServer(era);
      server = era === "modern" ? created : undefined;
      // Runs after the answer to `server/discover` was sent.
      if (era === "modern") setImmediate(() => void notes.workspace.index.warm());
      return created;
    },
    { transport, onerror: (error) => log.debug(`protocol: ${error.message}`) },
  );
  const listening = createListening(notes, {
    updated: async (uri) => server?.sendResourceUpdated({ uri }),
    listChanged: async () => server?.sendResourceListChanged(),
  });
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) listening.end(cancelled);
    const refusal = unknownRevision(message);
    if (refusal !== undefined && "id" in message && message.id !== undefined)
      return void answer(transport, message.id, refusal);
    if (!isListen(message)) return receive?.(message, extra);
    void listening.open(message).then((request) => request && receive?.(request as typeof message, extra));
  };
  return async () => {
    listening.close();
    await handle.close();
  };
}

type Failure = Parameters<Parameters<typeof checkedLines>[0]>[1];

/** An error that answers no request has the id null, which the SDK's types lack. */
async function answer(transport: Transport, id: RequestId | null, error: Failure): Promise<void> {
  await transport.send({ jsonrpc: "2.0", id: id as RequestId, error }).catch(() => {}); // The client has left.
}

function closed(transport: Transport): Promise<void> {
  return new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

async function inputEnded(stdin: Readable): Promise<void> {
  try {
    await finished(stdin, { writable: false });
  } catch {
    // An error ends the input like its end does.
  }
}

/** A client that died leaves a broken pipe: the write error must not crash the process. */
function outputBroken(stdout: Writable): Promise<void> {
  return new Promise((resolve) => {
    stdout.once("error", () => resolve());
    stdout.on("error", () => {});
    stdout.once("close", () => resolve());
  });
}

async function wait(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false });
}
