import { NO_WORDS, type NoteWords } from "./type.ts";

export const zh = {
  ...NO_WORDS,
  otherFiles: { template: "模板", overview: "目录, 目錄, 索引" },
} satisfies NoteWords;
