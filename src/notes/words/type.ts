import { perStatus, type TaskStatus } from "../statuses.ts";

/** The words that notes may say in a language, in lower case unless a member says more. */
export interface NoteWords {
  /** Articles, pronouns, prepositions, auxiliaries: folded, between spaces. Empty for a language without spaces between words. */
  stopWords: string;
  /** Letters and signs that tell the language from the others that are written with Latin letters. */
  letters: string;
  /** Spaces stand for `-` and `_` too. */
  statuses: Readonly<Record<TaskStatus, readonly string[]>>;
  /** Headings of tasks and plans. */
  sections: Readonly<Record<Section, readonly string[]>>;
  /** Headings and labels of session notes, in the form of `labelKey`. */
  session: Readonly<Record<SessionPart, readonly string[]>>;
  /** Headings of decisions, in the form of `labelKey`. */
  decisions: readonly string[];
  /** Headings that count more in a search, folded: words that they contain; in a language without spaces, whole headings. */
  headings: Readonly<Record<HeadingKind, readonly string[]>>;
  /** Labels under the context of a task. */
  labels: Readonly<Record<"dependencies" | "files", readonly string[]>>;
  /** The word before the number or the title of a task. */
  task: readonly string[];
  /** What stands behind a number of tasks. */
  counted: readonly string[];
  /** The item of an empty list. */
  none: readonly string[];
  /** Link texts that say nothing about where the link leads. */
  pointers: readonly string[];
  /** The answer to a question in the terminal. */
  yes: readonly string[];
}

export type Section = "objective" | "context" | "steps" | "criteria" | "overview" | "currentStatus";

export const SESSION_PARTS = ["done", "blocked", "next"] as const;
export type SessionPart = (typeof SESSION_PARTS)[number];

/** What is going on, or what a task is for. */
export type HeadingKind = "now" | "goal";

/** For a language of which only some words are known. */
export const NO_WORDS: NoteWords = {
  stopWords: "",
  letters: "",
  statuses: perStatus(() => []),
  sections: { objective: [], context: [], steps: [], criteria: [], overview: [], currentStatus: [] },
  session: { done: [], blocked: [], next: [] },
  decisions: [],
  headings: { now: [], goal: [] },
  labels: { dependencies: [], files: [] },
  task: [],
  counted: [],
  none: [],
  pointers: [],
  yes: [],
};
