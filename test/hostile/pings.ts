import type { Served } from "./server.ts";

/** The longest that a ping waits while `work` runs, in ms, and how many are answered. */
export async function pings({ client }: Pick<Served, "client">, work: Promise<unknown>) {
  let [longest, count, isDone] = [0, 0, false];
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const start = performance.now();
    await client.ping({ timeout: 600_000 });
    longest = Math.max(longest, performance.now() - start);
    count++;
  }
  await done;
  return { longest, count };
}
