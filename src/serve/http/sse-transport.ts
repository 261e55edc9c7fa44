import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import type { AuthenticatedExchange } from "./exchange.ts";

/** The transport of revision 2024-11-05, which the SDK no longer has: one stream of answers, and a path for messages. */
export class SseTransport implements Transport {
  readonly sessionId = randomUUID();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #path: string;
  readonly #stream: ServerResponse;
  #isOpen = false;

  constructor(path: string, stream: ServerResponse) {
    this.#path = path;
    this.#stream = stream;
  }

  async start(): Promise<void> {
    this.#stream.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      Connection: "keep-alive",
    });
    this.#stream.write(`event: endpoint\ndata: ${this.#path}?sessionId=${this.sessionId}\n\n`);
    this.#isOpen = true;
    this.#stream.once("close", () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isOpen) throw new Error("the stream has ended");
    this.#stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.#stream.end();
    this.#end();
  }

  /** Accepts a posted message; its answer goes to the stream. */
  receive({ request, response }: AuthenticatedExchange, body: unknown): void {
    const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
    if (type !== "application/json")
      return void response.writeHead(400).end("Send Content-Type: application/json");
    try {
      this.onmessage?.(parseJSONRPCMessage(body));
    } catch (error) {
      this.onerror?.(error as Error);
      return void response.writeHead(400).end("Invalid message");
    }
    response.writeHead(202).end("Accepted");
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.onclose?.();
  }
}
