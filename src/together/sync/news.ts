import { quoteName } from "../../core/lib/escape.ts";
import { quotePath } from "../../core/notes/quote.ts";
import { type Kept, syncedOf } from "./settings.ts";
import type { LostClaim } from "./syncing.ts";

const MAX_NEWS = 200;

interface Events {
  lost: readonly LostClaim[];
  renumbered: readonly { from: string; to: string }[];
  kept: readonly Kept[];
  warning?: string | undefined;
}

/** The news so far and those of a round; notes are kept until a person decides, and are news once, as a warning is. */
export function addNews(known: readonly string[], { lost, renumbered, kept, warning }: Events): string[] {
  const events = [
    ...lost.map(
      ({ path, agent, holder }) =>
        `${quotePath(path)} is held by ${quoteName(holder)}, who claimed it first on another machine: ${quoteName(agent)} does not hold it. claim_task gives another task.`,
    ),
    ...renumbered.map(
      ({ from, to }) =>
        `Another machine used that name or number first: ${quotePath(from)} is now ${quotePath(to)}.`,
    ),
  ];
  const states = kept.map(
    ({ path, change }) =>
      `${quotePath(path)} was changed in two places and has the shared text${change === undefined ? "" : `; restore_doc with change ${change} brings the other back beside it`}.`,
  );
  if (warning !== undefined) states.push(`Sync: ${warning}.`);
  const all = new Set([...events, ...states.filter((text) => !known.includes(text))]);
  return [...known, ...all].slice(-MAX_NEWS);
}

/** What the rounds of any process on this machine had to say of a workspace. */
export function recentNews(state: string, root: string): string[] {
  return syncedOf(state, root).flatMap(({ settings }) => settings.news ?? []);
}
