import { NO_WORDS, type NoteWords } from "./type.ts";

export const zh = {
  ...NO_WORDS,
  standings: {
    superseded: "已被取代, 已取代, 已替代",
    deprecated: "已弃用, 弃用",
    obsolete: "已废弃, 废弃, 已过时",
    rejected: "已拒绝, 已否决",
    proposed: "提议, 提案, 草案",
  },
  otherFiles: { template: "模板", overview: "目录, 目錄, 索引" },
} satisfies NoteWords;
