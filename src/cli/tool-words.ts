const COMMANDS: Record<string, string> = {
  "archive_tasks with restore": "archive --restore",
  claim_task: "claim",
  create_task: "new",
  update_doc: "edit",
  "update_task with dependencies": "edit",
  "update_task with done_steps and done_criteria": "edit",
  "update_task with done_criteria": "edit",
  "update_task with done_steps": "tick",
  update_task_status: "status",
};
const TOOL = new RegExp(`(?<![\\w"./-])(?:${Object.keys(COMMANDS).join("|")})(?![\\w"/-]|\\.\\w)`, "g");

/** What a tool says, with the command to type in place of the tool to call. */
export function asCommands(text: string, program: string): string {
  return text
    .replaceAll(TOOL, (tool) => `\`${program} ${COMMANDS[tool]}\``)
    .replaceAll("Call `", "Run `")
    .replaceAll("without 'task'", "without a task")
    .replaceAll("as 'agent'", "with --agent")
    .replaceAll(/name (it|one) in 'task'/gi, "name $1");
}
