import { NO_WORDS, type NoteWords } from "./type.ts";

export const zh = NO_WORDS satisfies NoteWords;
