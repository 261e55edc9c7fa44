import type { NoteWords } from "./type.ts";

export const ja = {
  stopWords: "",
  letters: "",
  statuses: {
    pending: "未着手, 未対応, 予定",
    "in-progress": "進行中, 作業中, 対応中, 着手中",
    review: "レビュー, レビュー中, レビュー待ち, 確認待ち, 確認中",
    done: "完了, 完了済み, 済, 済み, 終了",
    blocked: "保留, 保留中, ブロック, ブロック中, 待ち, 停止中",
    cancelled:
      "中止, キャンセル, キャンセル済み, 取り消し, 取消, 取りやめ, 却下, 見送り, 対応しない, 対応不要, 廃止, 破棄, 重複",
  },
  priorities: { high: "高, 高い, 緊急, 至急, 最優先", medium: "中, 普通, 通常", low: "低, 低い" },
  sections: {
    objective: "目的",
    context: "コンテキスト, 背景",
    steps: "手順, ステップ",
    criteria: "受け入れ基準, 受け入れ条件, 完了条件",
    notes: "メモ, ノート",
    overview: "概要",
    currentStatus: "現在の状況",
  },
  session: {
    done: "やったこと, 完了, 完了したこと, 実施したこと, 実施内容, 作業内容, 今日やったこと",
    blocked: "ブロックされていること, ブロックされている, ブロッカー, ブロック, ブロック中, 困っていること",
    next: "次にやること, 次やること, 次のステップ, 次回, 次回やること, 次, 今後の予定, 残作業",
  },
  decisions: "決定事項, 決定, 決めたこと, 決まったこと, 意思決定, 設計上の決定",
  headings: {
    now: "現在の状況, 次のステップ, 次にやること, ブロッカー, 決定事項",
    goal: "目的, 受け入れ基準, 受け入れ条件",
  },
  labels: {
    status: "状態, ステータス",
    priority: "優先度, 優先順位",
    order: "並び順",
    due: "期限, 期日, 締切, 締め切り",
    owner: "担当, 担当者",
    tags: "タグ",
    parent: "親タスク, 親",
    dependencies: "依存, 依存関係, 依存タスク, 依存先, 前提タスク",
    files: "関連ファイル",
  },
  updated: "更新, 更新日, 更新日時, 最終更新, 最終更新日",
  aroundUpdated: "",
  task: "タスク",
  otherFiles: { template: "テンプレート, 雛形, ひな形", overview: "目次" },
  counted: "件, 個",
  none: "なし, 無し",
  yes: "はい",
} satisfies NoteWords;
