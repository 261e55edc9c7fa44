/** How an agent works with the notes of a project: a repository's block, the server's instructions and the skill say it in these words. */
export interface Habit {
  /** One sentence, with the names of tools in backticks. */
  rule: string;
  /** What an agent with the tools at hand should know besides. */
  more: string;
}

export const HABITS = {
  start: {
    rule: "Unless a briefing is in your context already, start with `get_briefing`.",
    more: "`list_tasks` shows the tasks, the most urgent first; `get_plan` shows the plan behind them.",
  },
  ask: {
    rule: 'Before you ask or guess, `search` with a full question: "Why do we retry webhooks?"',
    more: "Name the project if you know it, and `read_doc` the best hit.",
  },
  work: {
    rule: "Take a task with `claim_task`, tick its steps with `update_task`, and finish it with `update_task_status`.",
    more: "Give each of them the same `agent`, a name of your own. `unblocked` names what can start now.",
  },
  keep: {
    rule: "Write down what you decide with `update_doc`; at the end, `log_session` with Done, Blocked by and Next.",
    more: "Decisions belong under Decisions in status.md (section, mode append, create). The next session starts from all that.",
  },
} as const satisfies Record<string, Habit>;
