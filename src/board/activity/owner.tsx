import { clock, timeLeft } from "../clock.ts";
import { formatTime } from "../dates.ts";
import { words } from "../language.ts";
import type { Task } from "../model.ts";
import { useStore } from "../store.ts";
import { activity } from "./store.ts";
import { hueOf, Mark } from "./who.tsx";

interface OwnerProps {
  task: Task;
  /** Without a claim, a person's initials alone, or an agent's mark. */
  isShort?: boolean;
}

/** Who has a task, and how long a claim on it still lasts. */
export function Owner({ task: { owner, held_until: end, claimed_until }, isShort = false }: OwnerProps) {
  const isKnown = useStore(activity, ({ agents }) => owner !== null && agents.has(owner));
  const left = useStore(clock, (now) => (end === undefined ? undefined : timeLeft(end, now)));
  if (owner === null) return null;
  const title = end === undefined ? words.task.owner(owner) : words.task.claim(owner, formatTime(end));
  // Claims are what agents make; of one that this server did not see, nothing else is known.
  const kind = isKnown || claimed_until !== undefined ? "agent" : "person";
  const isName = !isShort || left !== undefined;
  return (
    <span class="chip owner" title={title}>
      {isShort && kind === "person" ? <Initials name={owner} /> : <Mark name={owner} kind={kind} />}{" "}
      <span class="unseen">{words.activity.kinds[kind]} </span>
      <bdi class={isName ? "" : "unseen"}>{owner}</bdi>
      {left !== undefined && <span class="owner-left">{words.activity.left(left)}</span>}
    </span>
  );
}

const MAX_INITIALS = 2;

function Initials({ name }: { name: string }) {
  const letters = name
    .split(/[\s._@-]+/)
    .map((word) => [...word][0] ?? "")
    .join("");
  return (
    <span class="initials" style={{ "--hue": hueOf(name) }} aria-hidden="true">
      {[...letters].slice(0, MAX_INITIALS).join("").toUpperCase()}
    </span>
  );
}
