import { setMostRecent } from "../lib/collections.ts";
import { trimBlankLines } from "../markdown/lines.ts";

/** A place, what it holds, and what shall be added to its end. */
interface Addition {
  place: string;
  text: string;
  block: string;
}

const WINDOW_MS = 5 * 60_000;
const MAX_PLACES = 100;

/** Clients repeat a call whose answer was lost: tells whether a block is the last one at its place, where this session put it within five minutes. */
export function createAgain(now: () => Date) {
  const added = new Map<string, { block: string; at: number }>();
  return ({ place, text, block }: Addition): boolean => {
    const [own, at] = [plain(block), now().getTime()];
    const last = added.get(place);
    if (last?.block === own && at - last.at < WINDOW_MS && plain(text).endsWith(own)) return true;
    setMostRecent(added, MAX_PLACES, [place, { block: own, at }]);
    return false;
  };
}

export type Again = ReturnType<typeof createAgain>;

/** What an answer says of it. */
export const ADDED_BEFORE = "You added the same text there just now: it was not added again.";

function plain(text: string): string {
  return trimBlankLines(text.replaceAll("\r\n", "\n"));
}
