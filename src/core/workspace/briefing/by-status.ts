import type { TaskStatus } from "../../notes/task/statuses.ts";

/** What a briefing says of the tasks of a status. */
interface StatusTexts {
  /** The section that lists them, and how long it keeps its length; null for those that no section lists. */
  section: { title: string; rank: number } | null;
  /** Behind the name of a task on which there is no work to do; null if there is. */
  advice: string | null;
}

export const BY_STATUS: Readonly<Record<TaskStatus, StatusTexts>> = {
  pending: { section: { title: "Pending Tasks (next up)", rank: 3 }, advice: null },
  "in-progress": { section: { title: "Active Tasks (in-progress)", rank: 8 }, advice: null },
  blocked: { section: { title: "Blocked Tasks", rank: 11 }, advice: null },
  review: {
    section: { title: "Tasks in Review", rank: 5 },
    advice:
      "is finished and waits for a review: leave it until it is done or comes back, or choose another focus.",
  },
  done: { section: null, advice: "is done: check that its criteria hold, or choose another focus." },
  cancelled: {
    section: null,
    advice: "is cancelled: reopen it only if the user asks, or choose another focus.",
  },
};
