import type { ServerResponse } from "node:http";

const MB = 1024 * 1024;
/** What may wait until clients read it; the answer that exceeds it comes on top. */
const MAX_UNREAD = { principal: 16 * MB, all: 128 * MB };
/** A large note takes several times its size while it is answered. */
const MAX_READS = 1;

export type Answers = ReturnType<typeof createAnswers>;

/** Limits the memory of answers: few reads run at once, and a client that leaves too much unread loses connections. */
export function createAnswers() {
  const open = new Map<ServerResponse, string>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };
  return {
    /** Counts what waits in this answer until its connection is closed. */
    open: (response: ServerResponse, principal: string): void => {
      const close = () => void open.delete(response);
      open.set(response, principal);
      response.once("close", close);
      // An answer behind others of its connection is not told that it closed.
      response.req.socket.setMaxListeners(0).once("close", close);
    },
    /** Before more is written for the principal: closes the connections that hold the most, while there is too much. */
    makeRoom: (principal: string): void => {
      for (;;) {
        const own = [...open].filter(([, owner]) => owner === principal);
        const full = fullOf(own, MAX_UNREAD.principal) ?? fullOf([...open], MAX_UNREAD.all);
        if (full === undefined) return;
        open.delete(full);
        full.req.socket.destroy();
      }
    },
    /** Waits until a read may begin; returns what ends it. */
    begin: async (): Promise<() => void> => {
      if (running < MAX_READS) running++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}

/** The answer that holds the most, if all of them hold more than `limit` bytes. */
function fullOf(answers: readonly (readonly [ServerResponse, string])[], limit: number) {
  const bytes = answers.reduce((sum, [{ writableLength }]) => sum + writableLength, 0);
  if (bytes <= limit) return undefined;
  return answers.map(([response]) => response).sort((a, b) => b.writableLength - a.writableLength)[0];
}
