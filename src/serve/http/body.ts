import type { IncomingMessage } from "node:http";
import { type Refusal, refusal } from "./exchange.ts";

interface Body {
  principal: string;
  bytes: number;
  isFinished: boolean;
  refuse: (reason: Refusal) => void;
}

const MB = 1024 * 1024;
const LIMITS = { principal: 64 * MB, all: 128 * MB };
const RETRY_AFTER_S = 5;

export type Bodies = ReturnType<typeof createBodies>;

/**
 * Limits the memory of request bodies, from their first byte until their answer. If all of it is in use, the largest
 * unfinished body of the principal with the most bytes is refused.
 */
export function createBodies(limits = LIMITS) {
  const open = new Set<Body>();
  const refuse = (body: Body) => {
    open.delete(body);
    const message = "Too many large requests are in progress. Wait until some are answered, then try again.";
    body.refuse(refusal(429, message, { "Retry-After": RETRY_AFTER_S }));
  };
  return {
    /** Adds a body that is about to arrive; `onRefused` must drop it. */
    open: (principal: string, onRefused: Body["refuse"]) => {
      const body: Body = { principal, bytes: 0, isFinished: false, refuse: onRefused };
      open.add(body);
      return {
        /** Sets the bytes that it takes now. */
        take: (bytes: number) => {
          body.bytes = bytes;
          const own = [...open].filter((one) => one.principal === principal);
          if (sum(own) > limits.principal) return refuse(body);
          for (let left = unfinished(open); sum(left) > limits.all; left = unfinished(open))
            refuse(largestOfGreediest(left) ?? body);
        },
        /** It has arrived in full and can no longer be refused. */
        finish: (bytes: number) => void Object.assign(body, { bytes, isFinished: true }),
        close: () => void open.delete(body),
      };
    },
  };
}

function unfinished(bodies: Iterable<Body>): Body[] {
  return [...bodies].filter(({ isFinished }) => !isFinished);
}

function sum(bodies: readonly Body[]): number {
  return bodies.reduce((total, { bytes }) => total + bytes, 0);
}

function largestOfGreediest(bodies: readonly Body[]): Body | undefined {
  const taken = new Map<string, number>();
  for (const { principal, bytes } of bodies) taken.set(principal, (taken.get(principal) ?? 0) + bytes);
  const rank = ({ principal }: Body) => taken.get(principal) ?? 0;
  return bodies.toSorted((a, b) => rank(b) - rank(a) || b.bytes - a.bytes)[0];
}

const FIRST_BYTES = 16 * 1024;
const EMPTY = Buffer.alloc(0);

/**
 * Refuses a body of more than `limit` bytes; Node reads and drops the rest, so that the client sees the answer. The body goes
 * into one growing buffer: a million chunks of one byte would take a hundred times as much memory.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  open?: (refuse: Body["refuse"]) => ReturnType<Bodies["open"]>,
): Promise<Buffer> {
  const tooLarge = () => refusal(413, `A message may have at most ${limit} bytes.`);
  if (Number(request.headers["content-length"]) > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    let [bytes, size]: [Buffer, number] = [EMPTY, 0];
    const stop = (reason: Refusal) => {
      request.off("data", take).resume();
      bytes = EMPTY;
      memory?.close();
      reject(reason);
    };
    const memory = open?.(stop);
    const take = (chunk: Buffer) => {
      if (size + chunk.length > limit) return stop(tooLarge());
      const needed = Math.max(size + chunk.length, FIRST_BYTES);
      if (needed > bytes.length) {
        bytes = grow(bytes, Math.min(limit, Math.max(needed, 2 * bytes.length)));
        memory?.take(bytes.length);
      }
      size += chunk.copy(bytes, size);
    };
    request.on("data", take);
    request.once("end", () => {
      memory?.finish(size);
      resolve(bytes.subarray(0, size));
    });
    request.once("error", () => stop(refusal(400, "The request is incomplete.")));
  });
}

function grow(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}
