import { useEffect } from "preact/hooks";
import { clock } from "./clock.ts";
import { readSync } from "./connection.ts";
import { say, words } from "./language.ts";
import { addressOf } from "./route.ts";
import { state } from "./state.ts";
import { useStore } from "./store.ts";

const EVERY_MS = 60_000;

/** How long ago the notes were exchanged with other machines, and what a person has to see to; nothing if they are not. */
export function SyncChip() {
  const sync = useStore(state, (value) => value.sync);
  const isSynced = sync !== undefined;
  const now = useStore(clock, (value) => value);
  useEffect(() => {
    if (!isSynced) return undefined;
    // If the connection is lost, the light beside it says so.
    const look = () => void readSync().catch(() => {});
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [isSynced]);
  if (sync === undefined) return null;
  const { synced, unsent, problem, kept } = sync;
  const [first] = kept;
  if (first !== undefined)
    return (
      <a
        class="chip warn"
        href={addressOf("document", { path: first.path })}
        title={kept.map(({ path }) => path).join("\n")}
      >
        {say(words.sync.twice, { count: kept.length })}
      </a>
    );
  return problem === undefined ? (
    <span class="chip">{synced === null ? words.sync.notSynced : syncedAgo(now - Date.parse(synced))}</span>
  ) : (
    <span class="chip warn" title={problem}>
      {say(words.sync.unsynced, { count: unsent })}
    </span>
  );
}

function syncedAgo(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? words.sync.syncedNow : say(words.sync.synced, { minutes });
}
