import { clock, timeLeft } from "../clock.ts";
import { formatTime } from "../dates.ts";
import { say, words } from "../language.ts";
import type { Task } from "../model.ts";
import { useStore } from "../store.ts";
import { activity } from "./store.ts";
import { Initials } from "./who.tsx";

interface OwnerProps {
  task: Task;
  /** With the name, and how long a claim still lasts. */
  isNamed?: boolean;
}

/** Who has a task. */
export function Owner({ task: { owner, held_until: end, claimed_until }, isNamed = false }: OwnerProps) {
  const isKnown = useStore(activity, ({ agents }) => owner !== null && agents.has(owner));
  const left = useStore(clock, (now) => (end === undefined ? undefined : timeLeft(end, now)));
  if (owner === null) return null;
  const title =
    end === undefined
      ? say(words.task.owner, { name: owner })
      : say(words.task.claim, { name: owner, time: formatTime(end) });
  // Claims are what agents make; of one that this server did not see, nothing else is known.
  const kind = isKnown || claimed_until !== undefined ? "agent" : "person";
  return (
    <span class="fact owner" title={title}>
      <Initials name={owner} kind={kind} /> <span class="unseen">{words.activity.kinds[kind]} </span>
      <bdi class={isNamed ? "" : "unseen"}>{owner}</bdi>
      {left !== undefined && (
        <span class={isNamed ? "soft" : "unseen"}>{say(words.activity.left, { time: left })}</span>
      )}
    </span>
  );
}
