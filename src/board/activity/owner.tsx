import { clock, timeLeft } from "../clock.ts";
import { formatTime } from "../dates.ts";
import { words } from "../language.ts";
import type { Task } from "../model.ts";
import { useStore } from "../store.ts";
import { activity } from "./store.ts";
import { Mark } from "./who.tsx";

/** Who has a task, and how long a claim on it still lasts. */
export function Owner({ task: { owner, held_until: end, claimed_until } }: { task: Task }) {
  const isKnown = useStore(activity, ({ agents }) => owner !== null && agents.has(owner));
  const left = useStore(clock, (now) => (end === undefined ? undefined : timeLeft(end, now)));
  if (owner === null) return null;
  const title = end === undefined ? words.task.owner(owner) : words.task.claim(owner, formatTime(end));
  // Claims are what agents make; of one that this server did not see, nothing else is known.
  const kind = isKnown || claimed_until !== undefined ? "agent" : "person";
  return (
    <span class="chip owner" title={title}>
      <Mark name={owner} kind={kind} /> <span class="unseen">{words.activity.kinds[kind]} </span>
      <bdi>{owner}</bdi>
      {left !== undefined && <span class="owner-left">{words.activity.left(left)}</span>}
    </span>
  );
}
