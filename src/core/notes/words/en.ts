import type { NoteWords } from "./type.ts";

export const en = {
  stopWords: `a an the and or of to in on at by for from with as is are was were be been it its this that these those i you he she we they
    my your our their us them do does did has have had can could will would should what which who how when where why if then than
    into about not no so but there here`,
  letters: "",
  statuses: {
    pending: "pending, todo, to do, open, new, planned, backlog, not started, queued",
    "in-progress": "in progress, inprogress, wip, work in progress, doing, started, active, ongoing",
    review: "review, in review, under review, to review, for review, needs review, ready for review",
    done: "done, completed, complete, finished, closed, resolved",
    blocked: "blocked, on hold, hold, waiting, stuck, paused",
    cancelled: `cancelled, canceled, wont do, wont fix, wontfix, will not do, dropped, rejected, declined, discarded, abandoned, not planned,
      obsolete, duplicate, invalid`,
  },
  standings: {
    superseded: "superseded, superceded, replaced, obsoleted",
    deprecated: "deprecated",
    obsolete: "obsolete, outdated",
    rejected: "rejected, declined",
    proposed: "proposed, proposal, draft",
  },
  priorities: {
    high: "high, highest, urgent, critical, important, asap, p0, p1, ⏫, 🔺",
    medium: "medium, normal, moderate, p2, 🔼",
    low: "low, lowest, minor, trivial, p3, p4, 🔽, ⏬",
  },
  sections: {
    objective: "objective",
    context: "context",
    steps: "steps",
    criteria: "acceptance criteria, criteria, definition of done",
    notes: "notes",
    overview: "overview",
    currentStatus: "current status",
  },
  session: {
    done: "done, what i did, what was done, work done, completed, accomplished, progress",
    blocked: "blocked by, blocked, blocked on, blockers, blocker, blocking",
    next: "next, next step, next steps, next up, up next, what's next, to do, todo",
  },
  decisions: `decisions, decision, decision outcome, key decisions, recent decisions, decisions made, decisions taken, design decisions,
    technical decisions, decision log`,
  headings: {
    now: "current status, next, blockers, blocked by, decisions",
    goal: "objective, acceptance",
  },
  labels: {
    status: "status",
    priority: "priority, prio",
    order: "order",
    due: "due, due date, due on, deadline",
    owner: "owner, assignee, assigned to",
    tags: "tags, tag",
    parent: "parent, parent task",
    dependencies: "dependencies, dependency, depends on, depends, blocked by, waits for",
    files: "related files, related file, files",
    superseded_by: "superseded by, superceded by, replaced by, obsoleted by",
    supersedes: "supersedes, supercedes, replaces, obsoletes",
  },
  updated: "updated, update, modified, modification, edited, lastmod",
  aroundUpdated: "last, date, time, day, at, on",
  task: "task",
  otherFiles: { template: "template", overview: "readme, index" },
  counted: "task, tasks",
  none: "none, n/a, na, nothing",
  yes: "y, yes",
} satisfies NoteWords;
