import { type Refusal, refusal } from "./reply.ts";

/** The memory that bodies of requests take, from their first byte until they are answered. */
export interface Bodies {
  /** For a body that is about to come; `refuse` is called when it takes too much, and has to let go of it. */
  open(principal: string, refuse: (reason: Refusal) => void): Held;
}

export interface Held {
  /** Says how many bytes it takes now. */
  take(bytes: number): void;
  /** All of it has come: it is not refused any more. */
  finish(bytes: number): void;
  close(): void;
}

interface Body {
  principal: string;
  bytes: number;
  isFinished: boolean;
  refuse: (reason: Refusal) => void;
}

const MB = 1024 * 1024;
const LIMITS = { principal: 64 * MB, all: 128 * MB };
const RETRY_AFTER_S = 5;

/** When all is taken, the largest body that the greediest principal has not finished is refused. */
export function createBodies(limits = LIMITS): Bodies {
  const open = new Set<Body>();
  const refuse = (body: Body) => {
    open.delete(body);
    body.refuse(tooMuch());
  };
  return {
    open: (principal, refused) => {
      const body: Body = { principal, bytes: 0, isFinished: false, refuse: refused };
      open.add(body);
      return {
        take: (bytes) => {
          body.bytes = bytes;
          const own = [...open].filter((one) => one.principal === principal);
          if (sum(own) > limits.principal) return refuse(body);
          for (let coming = unfinished(open); sum(coming) > limits.all; coming = unfinished(open))
            refuse(greediest(coming) ?? body);
        },
        finish: (bytes) => Object.assign(body, { bytes, isFinished: true }),
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

function greediest(bodies: readonly Body[]): Body | undefined {
  const taken = new Map<string, number>();
  for (const { principal, bytes } of bodies) taken.set(principal, (taken.get(principal) ?? 0) + bytes);
  const rank = ({ principal }: Body) => taken.get(principal) ?? 0;
  const [first] = bodies.toSorted((a, b) => rank(b) - rank(a) || b.bytes - a.bytes);
  return first;
}

function tooMuch(): Refusal {
  const message = "Too many large requests are on their way. Wait until some are answered, and try again.";
  return refusal(429, message, { "Retry-After": RETRY_AFTER_S });
}
