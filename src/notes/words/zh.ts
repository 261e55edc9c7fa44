import { NO_WORDS, type NoteWords } from "./type.ts";

export const zh = { ...NO_WORDS, pointers: "这里, 此处, 链接" } satisfies NoteWords;
