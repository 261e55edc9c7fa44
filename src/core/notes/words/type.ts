import { perStatus, type TaskStatus } from "../task/statuses.ts";

/** The words that notes may say in a language: lists with commas, in lower case unless a member says more. */
export interface NoteWords {
  /** Articles, pronouns, prepositions, auxiliaries: folded, with spaces instead of commas. Empty for a language without spaces between words. */
  stopWords: string;
  /** Letters and signs that tell the language from the others that are written with Latin letters. */
  letters: string;
  /** Without apostrophes; spaces stand for `-` and `_` too. */
  statuses: Readonly<Record<TaskStatus, string>>;
  /** What a note says of itself as a status: folded. A successor may stand behind `superseded`. */
  standings: Readonly<Record<StandingWord, string>>;
  /** In the form of `core`. */
  priorities: Readonly<Record<Priority, string>>;
  /** Headings of tasks and plans. */
  sections: Readonly<Record<Section, string>>;
  /** Headings and labels of session notes, in the form of `labelKey`. */
  session: Readonly<Record<SessionPart, string>>;
  /** Headings of decisions, in the form of `labelKey`. */
  decisions: string;
  /** Headings that count more in a search, folded: words that they contain; in a language without spaces, whole headings. */
  headings: Readonly<Record<HeadingKind, string>>;
  /** Labels of lines in a task, and keys of frontmatter: spaces stand for `_`, `-` and camel case, too. */
  labels: Readonly<Record<Label, string>>;
  /** What a key of frontmatter with the day of a change says, and the words that may stand beside it. */
  updated: string;
  aroundUpdated: string;
  /** The word before the number or the title of a task. */
  task: string;
  /** The names of files among tasks that are none. */
  otherFiles: Readonly<Record<"template" | "overview", string>>;
  /** What stands behind a number of tasks. */
  counted: string;
  /** What a line says of a thing that is not there any more. */
  past: string;
  /** What a file or a section is called in which it is told what was. */
  history: string;
  /** The item of an empty list. */
  none: string;
  /** The answer to a question in the terminal. */
  yes: string;
}

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type StandingWord = "superseded" | "deprecated" | "obsolete" | "rejected" | "proposed";

/** `state` says much else, too: with it, only a known status is one. */
export const LABELS = [
  "status",
  "state",
  "priority",
  "order",
  "due",
  "owner",
  "tags",
  "parent",
  "dependencies",
  "files",
  "superseded_by",
  "supersedes",
] as const;
export type Label = (typeof LABELS)[number];

export type Section = "objective" | "context" | "steps" | "criteria" | "notes" | "overview" | "currentStatus";

export const SESSION_PARTS = ["done", "blocked", "next"] as const;
export type SessionPart = (typeof SESSION_PARTS)[number];

/** What is going on, or what a task is for. */
export type HeadingKind = "now" | "goal";

/** For a language of which only some words are known. */
export const NO_WORDS: NoteWords = {
  stopWords: "",
  letters: "",
  statuses: perStatus(() => ""),
  standings: { superseded: "", deprecated: "", obsolete: "", rejected: "", proposed: "" },
  priorities: { high: "", medium: "", low: "" },
  sections: {
    objective: "",
    context: "",
    steps: "",
    criteria: "",
    notes: "",
    overview: "",
    currentStatus: "",
  },
  session: { done: "", blocked: "", next: "" },
  decisions: "",
  headings: { now: "", goal: "" },
  labels: {
    status: "",
    state: "",
    priority: "",
    order: "",
    due: "",
    owner: "",
    tags: "",
    parent: "",
    dependencies: "",
    files: "",
    superseded_by: "",
    supersedes: "",
  },
  updated: "",
  aroundUpdated: "",
  task: "",
  otherFiles: { template: "", overview: "" },
  counted: "",
  past: "",
  history: "",
  none: "",
  yes: "",
};
