import { NO_WORDS, type NoteWords } from "./type.ts";

export const zh = {
  ...NO_WORDS,
  statuses: {
    pending: "待办, 待辦, 待处理, 待處理, 未开始, 未開始",
    "in-progress": "进行中, 進行中, 处理中, 處理中",
    review: "待审核, 待審核, 审核中, 審核中, 待评审, 评审中",
    done: "已完成, 完成",
    blocked: "阻塞, 已阻塞, 受阻, 暂停, 暫停",
    cancelled: "已取消, 取消",
  },
  standings: {
    superseded: "已被取代, 已取代, 已替代",
    deprecated: "已弃用, 弃用",
    obsolete: "已废弃, 废弃, 已过时",
    rejected: "已拒绝, 已否决",
    proposed: "提议, 提案, 草案",
  },
  sections: { ...NO_WORDS.sections, steps: "步骤", criteria: "验收标准, 驗收標準", notes: "备注" },
  decisions: "决定, 决策, 决定事项, 決策",
  labels: {
    ...NO_WORDS.labels,
    status: "状态, 狀態",
    superseded_by: "被取代, 被替代, 取代者, 替代者",
  },
  updated: "更新时间, 更新日期, 修改时间, 修改日期, 最后更新, 最后修改",
  otherFiles: { template: "模板", overview: "目录, 目錄, 索引" },
  past: "删除, 删掉, 移除, 重命名, 改名, 旧, 以前, 不再, 刪除, 舊",
  history: "更新日志, 变更日志, 变更记录, 历史, 发布说明",
} satisfies NoteWords;
